// Renders a song into files: instruments with their effects, those behind all, latency, tail.
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
  /// The frame at which song or speech ends.
  private let end: Int
  private let parts: [SongPart]
  private let bus: UnitChain?
  private let writer: AudioFileWriter
  /// The sum of the parts.
  private let mix: PlanarBuffer
  /// Frames by which all parts are late, and by which their sum is.
  private let partsLate: Int
  private let late: Int
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
    let routing = SongRouting(events.entries, to: band.parts.map(\.entry))
    let format = ChainSpecification(
      sampleRate: request.sampleRate, channelCount: request.channelCount,
      maximumFrameCount: SongInstrument.sliceFrames)
    let speaks = request.speech != nil
    parts = try zip(band.parts, routing.parts).map { try SongPart($0, $1, format, speaks: speaks) }
    end = max(events.end, parts.map(\.instrument.speechFrames).max() ?? 0)
    bus = try band.bus?.makeChain(format)
    outcome.notes += routing.notes + parts.flatMap(\.notes)
    mix = PlanarBuffer(
      channelCount: request.channelCount, frameCapacity: SongInstrument.sliceFrames)
    partsLate = parts.map(\.latencyFrames).max() ?? 0
    for part in parts { part.wait(partsLate - part.latencyFrames) }
    late = partsLate + (bus?.latencyFrames ?? 0)
    writer = try Self.makeWriter(request, request.output)
    guard request.hasStems else { return }
    for (index, part) in parts.enumerated() {
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
    let mostTail = Int(request.tailSeconds * request.sampleRate)
    var (place, quiet) = (0, 0)
    // What is early is left out, and as much is rendered more.
    while place < end + late
      || (quiet < Int(request.sampleRate / 2) && place < end + late + mostTail)
    {
      guard !shouldStop() else {
        cancel()
        throw AuricleError(.interrupted, "\(request.output) was not finished, and is not there")
      }
      // A voice that nothing rings behind ends at its last frame.
      let isExact = request.speech != nil && mostTail == 0
      let count =
        isExact
        ? min(SongInstrument.sliceFrames, end + late - place) : SongInstrument.sliceFrames
      let peak: Float
      do throws(AuricleError) {
        peak = try slice(count, at: place)
      } catch {
        cancel()
        throw AuricleError(
          error.category, status: error.status, "\(request.song): \(error.message)")
      }
      quiet = peak < Self.silence ? quiet + count : 0
      place += count
    }
    addNotes()
    // The mix is named last: where it is, the stems are.
    for part in parts { try part.writer?.finish() }
    try writer.finish()
    outcome.seconds = Double(writer.frameCount) / request.sampleRate
    return outcome
  }

  private func cancel() {
    writer.cancel()
    for part in parts { part.writer?.cancel() }
  }

  /// What is worth a line about the result.
  private func addNotes() {
    for part in parts where part.instrument.refusedMessages > 0 {
      let name = parts.count > 1 ? part.label : "the instrument"
      outcome.notes.append("\(name) refused \(part.instrument.refusedMessages) messages")
    }
    if outcome.peak < Self.nothing {
      let reason =
        request.speech == nil
        ? "an instrument may need a bank or samples, which auricle info names"
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

  /// A result below this is silent: −120 dBFS, as for batches.
  private static let nothing = 1e-6
  /// A tail below this has ended: −100 dBFS.
  private static let silence: Float = 1e-5

  /// Renders and keeps a slice; its peak, that of the parts included.
  private func slice(_ count: Int, at place: Int) throws(AuricleError) -> Float {
    var loudest: Float = 0
    for (index, part) in parts.enumerated() {
      let rows = try unsafe part.render(count, at: place)
      let peak = unsafe peak(rows, count)
      loudest = max(loudest, peak)
      if let writer = part.writer {
        outcome.stems[index].peak = max(outcome.stems[index].peak, Double(peak))
        try unsafe keep(rows, count, place, skipping: partsLate, in: writer)
      }
      for channel in 0..<request.channelCount {
        let sum = unsafe mix.rows[channel]
        if index == 0 {
          unsafe sum.update(from: rows[channel], count: count)
        } else {
          for frame in 0..<count { unsafe sum[frame] += rows[channel][frame] }
        }
      }
    }
    let rows = try unsafe bus?.render(input: mix.rows, frameCount: count) ?? mix.rows
    for channel in 0..<request.channelCount {
      guard unsafe SampleScan.firstNonFinite(rows[channel], count: count) < 0 else {
        throw AuricleError(
          .software, status: kAudioUnitErr_InvalidParameterValue,
          "the effects behind all made a value that is not a finite number at frame \(place)")
      }
    }
    let peak = unsafe peak(rows, count)
    outcome.peak = max(outcome.peak, Double(peak))
    try unsafe keep(rows, count, place, skipping: late, in: writer)
    return max(loudest, peak)
  }

  private func peak(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int
  ) -> Float {
    var peak: Float = 0
    for channel in 0..<request.channelCount {
      peak = max(peak, unsafe SampleScan.measure(rows[channel], count: count).0)
    }
    return peak
  }

  /// Writes a slice without the frames that are latency.
  private func keep(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ place: Int,
    skipping late: Int, in writer: AudioFileWriter
  ) throws(AuricleError) {
    let skipped = min(count, max(0, late - place))
    guard skipped < count else { return }
    for channel in 0..<request.channelCount { unsafe rows[channel] += skipped }
    defer { for channel in 0..<request.channelCount { unsafe rows[channel] -= skipped } }
    try unsafe writer.write(rows, frameCount: count - skipped)
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
