// The options of commands that render songs and texts into files.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOutput
import Foundation
import RunLedgers
import SongRendering

/// How results are stored, and how many are made at once.
struct SongFileArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The container of files in a folder.", valueName: "name"))
  var container = "wav"

  @Option(help: ArgumentHelp("The sample rate: 48000, 44.1k; 48 kHz without.", valueName: "rate"))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "How samples are stored: pcm16, pcm24, float32 …; what suits the container without.",
      valueName: "name"))
  var encoding: String?

  @Option(
    help: ArgumentHelp(
      "The longest time that sound rings out at the end, in seconds.", valueName: "seconds"))
  var tail = 30.0

  @Option(
    name: [.customShort("j"), .long], help: ArgumentHelp("Files at once.", valueName: "number"))
  var jobs = 1

  @Flag(help: "Replace files that are there.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "What to do about files that are there; error without.", valueName: "error|skip|overwrite"))
  var onExists: ExistingPolicy?

  /// The results that are to be made.
  func wanted(_ items: [SongBatch.Item]) -> [SongBatch.Item] {
    guard onExists == .skip else { return items }
    return items.filter { !FileManager.default.fileExists(atPath: $0.output) }
  }

  /// Refuses what makes no sense.
  ///
  /// - Parameter channels: Those of the results.
  func check(channels: Int) throws {
    guard (1...2).contains(channels) else {
      throw ValidationError("--channels takes 1 or 2, not \(channels).")
    }
    guard (1...1024).contains(jobs) else {
      throw ValidationError("--jobs takes 1 to 1024, not \(jobs).")
    }
    guard onExists != .rename else {
      throw ValidationError("--on-exists takes error, skip or overwrite, not rename.")
    }
    try ExistingPolicy.check(overwrite: overwrite, onExists: onExists)
    guard tail >= 0, tail <= 3600 else {
      throw ValidationError("--tail takes 0 to 3600 seconds, not \(tail).")
    }
  }

  /// Sets what a request has of these.
  func apply(to request: inout SongRequest) throws {
    request.sampleRate = try SignalArguments.rate(sampleRate) ?? request.sampleRate
    request.encoding = encoding
    (request.tailSeconds, request.overwrites) = (tail, overwrite || onExists == .overwrite)
  }
}
