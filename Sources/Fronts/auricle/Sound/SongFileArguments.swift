// The options of commands that render songs and texts into files.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import ResultSettings
import RunLedgers
import RunReports

/// The format of stored results.
struct SongFileArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The container of files in a folder. Default: wav.", valueName: "name"))
  var container: String?

  /// The ending of files in a folder.
  var ending: String { container ?? "wav" }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The sample rate: 48000, 44.1k. Default: 48 kHz.", valueName: "rate"))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "The encoding: pcm16, pcm24, float32 … Default: that of the container.",
      valueName: "name"))
  var encoding: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest tail. Default: 30.",
      valueName: "seconds"),
    transform: NumberRange.decimal(0...3600, "seconds"))
  var tail: Double?

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "The policy for existing files. Default: error.", valueName: "error|skip|overwrite"))
  var onExists: SongsThatExist?

  /// Refuses two policies for existing files.
  func check() throws {
    try ExistingPolicy.check(overwrite: overwrite, onExists: onExists?.policy)
  }

  /// Returns the requested results of a run.
  func results() throws -> ResultRequest {
    var results = ResultRequest()
    results.existing = overwrite ? .overwrite : onExists?.policy
    results.container = try OutputArguments.container(container)
    results.encoding = try OutputArguments.encoding(encoding)
    if let rate = try SignalArguments.rate(sampleRate) { results.sampleRate = .set(rate) }
    results.tail = tail.map { .seconds($0) }
    return results
  }
}

/// The words of `--on-exists` for songs and texts.
enum SongsThatExist: String, ExpressibleByArgument, CaseIterable {
  case error
  case skip
  case overwrite

  var policy: ExistingPolicy {
    switch self {
    case .error: .error
    case .skip: .skip
    case .overwrite: .overwrite
    }
  }
}
