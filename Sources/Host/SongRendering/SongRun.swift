// Renders a song into a file: instrument, effects, latency, tail.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioFiles
import AudioTypes
public import AuricleHost
import CAudioToolbox
import ChainPresets
import FileRendering
import Glibc
import MIDIFiles
import RealtimeSupport
import UnitChains

/// One rendering of a song. Context: one control thread.
final class SongRun {
  private let request: SongRequest
  private let events: SongEvents
  private let instrument: SongInstrument
  private let effects: UnitChain?
  private let writer: AudioFileWriter
  private var outcome = SongOutcome()
  private let shouldStop: () -> Bool

  /// Reads the song, opens the units, and begins the file.
  init(
    _ request: SongRequest, _ host: HostPlaces, shouldStop: @escaping () -> Bool
  ) throws {
    self.request = request
    self.shouldStop = shouldStop
    let file = try MIDIFile(path: request.song)
    outcome.notes = file.problems.map { "\(request.song): \($0)" }
    events = try SongEvents(
      file, track: request.track, sampleRate: request.sampleRate, name: request.song)
    var (first, rest) = try Self.split(request.chain.read(host.presets))
    if let bank = request.bank { first.setBank(bank) }
    let registry = host.makeRegistry()
    let instruments = try ResolvedChain(playing: first, in: registry)
    guard let stage = instruments.stages.first else {
      throw AuricleError(.usage, "the chain has no instrument: name one with --unit")
    }
    instrument = try SongInstrument(
      stage, sampleRate: request.sampleRate, channelCount: request.channelCount)
    outcome.notes += instrument.bank?.notes(of: events.entries) ?? []
    effects =
      rest.entries.isEmpty
      ? nil
      : try ResolvedChain(rest, in: registry, formats: .files).makeChain(
        ChainSpecification(
          sampleRate: request.sampleRate, channelCount: request.channelCount,
          maximumFrameCount: SongInstrument.sliceFrames))
    writer = try Self.makeWriter(request)
  }

  /// The instrument, which stands first, and what follows it.
  private static func split(
    _ preset: ChainPreset
  ) throws(AuricleError) -> (instrument: ChainPreset, effects: ChainPreset) {
    guard case .unit? = preset.entries.first else {
      throw AuricleError(
        .usage, "the chain does not begin with an instrument: name one first (auricle list aumu)")
    }
    var (first, rest) = (preset, preset)
    first.entries = Array(preset.entries.prefix(1))
    rest.entries = Array(preset.entries.dropFirst())
    return (first, rest)
  }

  private static func makeWriter(_ request: SongRequest) throws(AuricleError) -> AudioFileWriter {
    guard let container = AudioContainer(path: request.output) else {
      throw AuricleError(
        .usage,
        "the ending of \(request.output) names no kind of sound file: choose one such as .wav or .flac"
      )
    }
    let usual: AudioEncoding =
      container.encodings.contains(.pcm24) ? .pcm24 : container.encodings[0]
    let encoding = request.encoding.map(AudioEncoding.init(rawValue:)) ?? usual
    guard let encoding, container.encodings.contains(encoding) else {
      throw AuricleError(
        .usage,
        "\(request.output) cannot hold '\(request.encoding ?? "")': choose "
          + container.encodings.map(\.rawValue).joined(separator: ", "))
    }
    return try AudioFileWriter(
      path: request.output,
      format: AudioFileFormat(
        container: container, encoding: encoding, sampleRate: request.sampleRate,
        channelCount: request.channelCount), overwrite: request.overwrites)
  }

  /// Renders everything.
  func go() throws(AuricleError) -> SongOutcome {
    let late = instrument.latencyFrames + (effects?.latencyFrames ?? 0)
    let mostTail = Int(request.tailSeconds * request.sampleRate)
    var (next, place) = (0, 0)
    var quiet = 0
    // What is early is left out, and as much is rendered more.
    while place < events.end + late
      || (quiet < Int(request.sampleRate / 2) && place < events.end + late + mostTail)
    {
      guard !shouldStop() else {
        writer.cancel()
        throw AuricleError(.interrupted, "\(request.output) was not finished, and is not there")
      }
      let count = SongInstrument.sliceFrames
      while next < events.entries.count, events.entries[next].frame < place + count {
        instrument.send(
          events.entries[next].message, atFrame: max(0, events.entries[next].frame - place))
        next += 1
      }
      let peak = try slice(count, skipping: min(count, max(0, late - place)))
      quiet = peak < Self.silence ? quiet + count : 0
      place += count
    }
    if instrument.refusedMessages > 0 {
      outcome.notes.append("the instrument refused \(instrument.refusedMessages) messages")
    }
    if outcome.peak < Self.nothing {
      outcome.notes.append(
        "\(request.output) is silent: an instrument may need a bank or samples, which auricle info names"
      )
    }
    if outcome.peak > 1, !writer.format.encoding.isFloatingPoint {
      let excess = (200 * log10(outcome.peak)).rounded() / 10
      outcome.notes.append(
        "\(request.output) is cut off at full scale by up to \(excess) dB: lower the instrument, or keep it with "
          + "--encoding float32")
    }
    try writer.finish()
    outcome.seconds = Double(writer.frameCount) / request.sampleRate
    return outcome
  }

  /// A result below this is silent: −120 dBFS, as for batches.
  private static let nothing = 1e-6
  /// A tail below this has ended: −100 dBFS.
  private static let silence: Float = 1e-5

  /// Renders and keeps a slice; its peak.
  private func slice(_ count: Int, skipping skipped: Int) throws(AuricleError) -> Float {
    let made = try unsafe instrument.render(count)
    let rows = try unsafe effects?.render(input: made, frameCount: count) ?? made
    var peak: Float = 0
    for channel in 0..<request.channelCount {
      guard unsafe SampleScan.firstNonFinite(rows[channel], count: count) < 0 else {
        throw AuricleError(
          .software, status: kAudioUnitErr_InvalidParameterValue,
          "\(request.song): the instrument made a value that is not a finite number")
      }
      peak = max(peak, unsafe SampleScan.measure(rows[channel], count: count).0)
    }
    outcome.peak = max(outcome.peak, Double(peak))
    guard skipped < count else { return peak }
    for channel in 0..<request.channelCount { unsafe rows[channel] += skipped }
    try unsafe writer.write(rows, frameCount: count - skipped)
    for channel in 0..<request.channelCount { unsafe rows[channel] -= skipped }
    return peak
  }
}

extension AuricleInstallation {
  /// Renders a song through an instrument and effects.
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
