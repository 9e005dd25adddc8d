// One deliverable of a rendering: channels, sample rate, fades, level, dither, writing.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import Glibc
import RealtimeSupport
import ResultSettings

/// A deliverable being written.
final class DeliverableOutput {
  let settings: DeliverableSettings
  let path: String
  let format: AudioFileFormat
  /// The open file that it is written to; the caller names it.
  let file: Int32
  let inputRate: Double
  private let inputChannelCount: Int
  package let mix: ChannelMix
  package let seed: UInt64
  package let channelMap: [Int32]
  package private(set) var writer: AudioFileWriter?
  /// The picture tracks to be copied beside the sound; nil for none.
  var video: VideoTracks?
  /// Whether the result is put in the place of its input.
  var replacesInput = false
  package var signal = SignalPath([])
  private var meter = LevelMeter()
  private var gauge: LoudnessGauge?
  /// Whether figures of the result are reported without being needed.
  private let measuresLoudness: Bool
  var ownNotes: [String] = []
  /// The highest sample that was clipped, linear.
  private var highest: Float = 1
  /// Figures of the decoded file, if measured.
  var decoded: (loudness: LoudnessFigures, levels: Levels)?
  /// The change of its level; nil when none was requested.
  package var change: LevelChange?

  /// Plans a file without opening it.
  ///
  /// - Parameters:
  ///   - channelMap: The loudspeaker of each channel of the rendering.
  ///   - seed: The seed of its dither noise.
  /// Errors: `usage` when there are no files of this format.
  init(
    _ settings: DeliverableSettings, file: Int32, path: String, input: AudioFileFormat,
    channelCount: Int, channelMap: [Int32], seed: UInt64, measuresLoudness: Bool
  ) throws(AuricleError) {
    self.settings = settings
    self.file = file
    self.path = path
    self.seed = seed
    inputRate = input.sampleRate
    inputChannelCount = input.channelCount
    format = try settings.format(for: input)
    let count = format.channelCount
    mix =
      settings.firstChannel.map { ChannelMix(from: channelCount, taking: $0..<$0 + count) }
      ?? ChannelMix(from: channelCount, to: count, channelMap: channelMap)
    self.channelMap = mix.isIdentity ? channelMap : mix.outputMap
    self.measuresLoudness = measuresLoudness
    beginMeasuring()
    if let text = mix.description { ownNotes.append(text) }
    if settings.sampleRate == nil, format.sampleRate != input.sampleRate {
      ownNotes.append(
        format.container.name + " files"
          + (format.container.encodings.count > 1 ? " with \(format.encoding.name)" : "")
          + " take no "
          + "\(Self.text(input.sampleRate)) Hz: converted to \(Self.text(format.sampleRate)) Hz")
    }
  }

  /// Begins measuring the written frames.
  func beginMeasuring() {
    meter = LevelMeter()
    decoded = nil
    // A decoded result is measured then.
    gauge =
      measuresResult && !format.encoding.mayChangeLevel
      ? LoudnessGauge(
        sampleRate: format.sampleRate, channelCount: format.channelCount, channelMap: channelMap,
        isDualMono: settings.isDualMono, measuresTruePeak: measuresTruePeak)
      : nil
  }

  /// Whether loudness or true peak of the result are needed.
  var measuresResult: Bool {
    measuresLoudness || settings.loudness != nil || settings.truePeak != nil
  }

  /// Whether the true peak of the result is needed.
  var measuresTruePeak: Bool { measuresLoudness || search.ceiling != nil }

  private static func text(_ rate: Double) -> String {
    rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
  }

  /// Frames written.
  package var frameCount: Int { writer?.frameCount ?? 0 }

  /// Bytes written.
  package var byteCount: Int { writer?.byteCount ?? 0 }

  /// XXH64 of the finished file, where it was read back as a whole; nil for others.
  package var storedChecksum: UInt64? { writer?.storedChecksum }

  /// Levels of the written frames, before their samples were rounded; as decoded if that was measured.
  package var levels: Levels { decoded?.levels ?? meter.levels }

  /// Loudness of the complete file: as decoded if that was measured; nil when it is not measured.
  package var loudness: LoudnessFigures? { decoded?.loudness ?? gauge?.finish() }

  /// Notes about the file.
  package var notes: [String] {
    var notes = ownNotes
    guard let writer else { return notes }
    if writer.clippedSampleCount > 0 {
      notes.append(
        "\(writer.path): \(writer.clippedSampleCount) samples beyond full scale were clipped, by up to "
          + "\((200 * log10(Double(highest))).rounded() / 10) dB")
    }
    let filling = writer.fillingFrameCount
    if filling > 0 {
      notes.append(
        "\(writer.format.container.name) files with \(writer.format.encoding.name) hold whole blocks "
          + "and cannot store the length of the sound: longer by "
          + (filling == 1 ? "1 frame" : "\(filling) frames"))
    }
    // Mono and stereo need no channel map.
    let dropped = writer.droppedMetadata.filter { $0 != "channel map" || format.channelCount > 2 }
    if !dropped.isEmpty {
      notes.append(
        "\(writer.format.container.name) files have no place for "
          + dropped.joined(separator: ", ") + ": left out")
    }
    return notes
  }

  // MARK: As it comes

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the input range, at the input's sample rate.
  ///   - frameCount: Frames of the rendering, if known.
  package func begin(metadata: AudioFileMetadata, frameCount: Int?) throws(AuricleError) {
    let lead = video?.lead ?? 0
    let metadata =
      lead > 0
      ? metadata.beginning(atFrame: -Int((lead * inputRate).rounded())) : metadata
    let cut = metadata.leftBehind
    var placed = metadata.scalingPositions(by: format.sampleRate / inputRate)
    let converted = placed.leftBehind.dropFirst(cut.count)
    if format.channelCount != inputChannelCount { placed.leaveChannelsBehind() }
    let mixed = placed.leftBehind.dropFirst(cut.count + converted.count)
    placed.channelMap = channelMap
    ownNotes += metadata.notesOfUnread
    ownNotes += cut.map { "\($0) refers to positions in the whole input: left out" }
    ownNotes += converted.map { "\($0) refers to the sample rate before: left out" }
    ownNotes += mixed.map { "\($0) refers to the channels before: left out" }
    let expected = frameCount.map(length(of:))
    writer = try AudioFileWriter(
      descriptor: file, path: path, format: format, metadata: placed,
      expectedFrameCount: expected, options: .init(settings.encoder, format), video: video)
    try refuseLossOfVideo()
    try writeSilence(seconds: lead)
    signal = SignalPath(try stages(total: nil, level: Level()) + ditherStage)
  }

  /// Pictures that begin before the sound are shown with silence.
  private func writeSilence(seconds: Double) throws(AuricleError) {
    var left = Int((seconds * format.sampleRate).rounded())
    guard left > 0 else { return }
    if seconds >= 0.001 {
      let length = (seconds * 1000).rounded() / 1000
      ownNotes.append("its pictures begin \(length) s before its sound: silence is put in front")
    }
    let silence = PlanarBuffer(channelCount: format.channelCount, frameCapacity: 4096)
    while left > 0 {
      let count = min(left, silence.frameCapacity)
      try unsafe writer?.write(silence.rows, frameCount: count)
      left -= count
    }
  }

  /// Notes that the pictures cannot be kept; refuses to put a result without them in the place of the input.
  private func refuseLossOfVideo() throws(AuricleError) {
    guard let problem = writer?.videoProblem else { return }
    guard !replacesInput else {
      cancel()
      throw AuricleError(
        .badData,
        "the pictures of \(path) cannot be kept, because \(problem): give --output instead of --in-place"
      )
    }
    ownNotes.append("its picture track is left out: \(problem)")
  }

  /// Writes frames of the rendering.
  package func write(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    try unsafe signal.push(rows, count) { (rows, count) throws(AuricleError) in
      try unsafe store(rows, count)
    }
  }

  /// Completes the file, and names it if it has a separate path.
  package func finish() throws(AuricleError) {
    try complete()
    if format.encoding.mayChangeLevel, measuresResult {
      try decode { () throws(AuricleError) in }
    }
    try writer?.finish()
  }

  /// Completes the file without naming it.
  package func complete() throws(AuricleError) {
    try unsafe signal.finish { (rows, count) throws(AuricleError) in try unsafe store(rows, count) }
    try writer?.complete()
  }

  /// Removes the unfinished file.
  package func cancel() { writer?.cancel() }

  private func store(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    let clippedBefore = writer?.clippedSampleCount
    try unsafe writer?.write(rows, frameCount: count)
    if writer?.clippedSampleCount == clippedBefore {
      unsafe measure(rows, count)
    } else {
      unsafe measureClipped(rows, count)
    }
  }

  private func measure(_ rows: ChannelRows, _ count: Int) {
    unsafe meter.add(
      UnsafePointer(rows), channelCount: format.channelCount, frameCount: count)
    unsafe gauge?.add(rows, frameCount: count)
  }

  /// Measures samples clipped to full scale, as in the file; others receive them unclipped.
  private func measureClipped(_ rows: ChannelRows, _ count: Int) {
    let buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: count)
    for channel in 0..<format.channelCount {
      let (source, target) = unsafe (rows[channel], buffer.rows[channel])
      for index in 0..<count {
        unsafe highest = max(highest, source[index].magnitude)
        unsafe target[index] = max(-1, min(1, source[index]))
      }
    }
    unsafe measure(buffer.rows, count)
  }
}
