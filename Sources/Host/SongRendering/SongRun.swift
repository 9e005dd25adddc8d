// Renders a song, or a text, into files: the sum, and one beside it for each instrument.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioFiles
import AudioTypes
public import AuricleHost
import ChainPresets
import FileRendering
import Glibc
import MIDIFiles
import SongPlaying

/// One rendering of a song. Context: one control thread.
final class SongRun {
  private let request: SongRequest
  private let mix: SongMix
  private let writer: AudioFileWriter
  private var outcome = SongOutcome()
  private let shouldStop: () -> Bool

  /// Reads the song, opens the units, and begins the files.
  init(
    _ request: SongRequest, _ host: HostPlaces, shouldStop: @escaping () -> Bool
  ) throws {
    self.request = request
    self.shouldStop = shouldStop
    var events = SongEvents()
    var preset = try request.chain.read(host.presets)
    if let speech = request.speech {
      preset = try speech.preset(before: preset)
    } else {
      let file = try MIDIFile(path: request.song)
      outcome.notes = file.problems.map { "\(request.song): \($0)" }
      events = try SongEvents(
        file, track: request.track, sampleRate: request.sampleRate, name: request.song)
    }
    if let bank = request.bank { preset.setBank(bank) }
    let band = try ResolvedBand(preset, in: host.makeRegistry(), formats: .files)
    let variant = preset.hasRandomValues ? request.variant : nil
    mix = try SongMix(
      band, events,
      ChainSpecification(
        sampleRate: request.sampleRate, channelCount: request.channelCount,
        maximumFrameCount: SongInstrument.sliceFrames, variant: variant),
      tailSeconds: request.tailSeconds, speaks: request.speech != nil)
    outcome.notes += mix.notes
    writer = try Self.makeWriter(request, request.output)
    guard request.hasStems else { return }
    for (index, part) in mix.parts.enumerated() {
      let path = Self.stem(of: request.output, index + 1, part.label)
      part.writer = try Self.makeWriter(request, path)
      outcome.stems.append((path, 0))
    }
  }

  /// The file of an instrument: `song-01-Piano.wav` beside `song.wav`.
  private static func stem(of output: String, _ number: Int, _ label: String) -> String {
    let slash = output.lastIndex(of: "/").map { output.index(after: $0) } ?? output.startIndex
    let dot = output[slash...].lastIndex(of: ".") ?? output.endIndex
    return output[..<dot] + "-" + SongTrack.fileName(number: number, name: label) + output[dot...]
  }

  private static func makeWriter(
    _ request: SongRequest, _ path: String
  ) throws(AuricleError) -> AudioFileWriter {
    guard let container = AudioContainer(path: path) else {
      throw AuricleError(
        .usage,
        "the ending of \(path) names no kind of sound file: choose one such as .wav or .flac"
      )
    }
    let usual: AudioEncoding =
      container.encodings.contains(.pcm24) ? .pcm24 : container.encodings[0]
    let encoding = request.encoding.map(AudioEncoding.init(rawValue:)) ?? usual
    guard let encoding, container.encodings.contains(encoding) else {
      throw AuricleError(
        .usage,
        "\(path) cannot hold '\(request.encoding ?? "")': choose "
          + container.encodings.map(\.rawValue).joined(separator: ", "))
    }
    return try AudioFileWriter(
      path: path,
      format: AudioFileFormat(
        container: container, encoding: encoding, sampleRate: request.sampleRate,
        channelCount: request.channelCount), overwrite: request.overwrites)
  }

  /// Renders everything.
  func go() throws(AuricleError) -> SongOutcome {
    var isDone = false
    while !isDone {
      guard !shouldStop() else {
        cancel()
        throw AuricleError(.interrupted, "\(request.output) was not finished, and is not there")
      }
      do throws(AuricleError) {
        isDone = try !step()
      } catch {
        cancel()
        throw AuricleError(
          error.category, status: error.status, "\(request.song): \(error.message)")
      }
    }
    addNotes()
    // The mix is named last: where it is, the stems are.
    for part in mix.parts { try part.writer?.finish() }
    try writer.finish()
    outcome.seconds = Double(writer.frameCount) / request.sampleRate
    return outcome
  }

  private func cancel() {
    writer.cancel()
    for part in mix.parts { part.writer?.cancel() }
  }

  /// What is worth a line about the result.
  private func addNotes() {
    outcome.notes += mix.refusals
    if !mix.isHeard {
      let reason =
        request.speech == nil
        ? SongMix.reasonOfSilence
        : "the voice finds no words in it"
      outcome.notes.append("\(request.output) is silent: \(reason)")
    }
    for (path, peak) in [(request.output, outcome.peak)] + outcome.stems
    where peak > 1 && !writer.format.encoding.isFloatingPoint {
      let excess = (200 * log10(peak)).rounded() / 10
      outcome.notes.append(
        "\(path) is cut off at full scale by up to \(excess) dB: lower "
          + "\(request.speech == nil ? "the instrument" : "the voice (--volume)"), or keep it with "
          + "--encoding float32")
    }
  }

  /// Renders and keeps a slice; false behind the end.
  private func step() throws(AuricleError) -> Bool {
    try unsafe mix.step(
      part: { (index, rows, count) throws(AuricleError) in
        guard let writer = mix.parts[index].writer else { return }
        outcome.stems[index].peak = max(
          outcome.stems[index].peak, unsafe Double(mix.peak(rows, count)))
        try unsafe writer.write(rows, frameCount: count)
      },
      sum: { (rows, count) throws(AuricleError) in
        outcome.peak = max(outcome.peak, unsafe Double(mix.peak(rows, count)))
        try unsafe writer.write(rows, frameCount: count)
      })
  }
}

extension AuricleInstallation {
  /// Renders a song through an instrument and effects, or a text through a voice and effects.
  ///
  /// - Throws: `.noInput` and `.badData` for the song, `.usage` for a chain without an instrument, what units and
  ///   the result's place refuse, `.interrupted`.
  ///
  /// Context: control; plug-ins run in this process.
  public func render(
    _ request: SongRequest, shouldStop: @escaping () -> Bool = { false }
  ) throws -> SongOutcome {
    try SongRun(request, host, shouldStop: shouldStop).go()
  }
}

extension AuricleInstallation {
  /// Whether a chain is a preset whose instruments share a song.
  ///
  /// - Throws: `PresetErrors`.
  ///
  /// Context: control.
  public func hasInstruments(_ chain: ChainRequest) throws -> Bool {
    try !chain.read(host.presets).instruments.isEmpty
  }
}
