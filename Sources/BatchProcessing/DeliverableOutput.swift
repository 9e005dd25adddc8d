// One file of a rendering: channels, sample rate, fades, level, dither, and into the file.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import RealtimeSupport

/// A file that a rendering is stored as.
final class DeliverableOutput {
  /// Where it is written.
  enum Place {
    /// Beside its destination; it is named when it is complete.
    case path(overwrite: Bool)
    /// Into an open file that somebody else names.
    case descriptor(Int32)
  }

  let settings: DeliverableSettings
  let path: String
  let format: AudioFileFormat
  private let place: Place
  let inputRate: Double
  private let inputChannelCount: Int
  let mix: ChannelMix
  let seed: UInt64
  private let channelMap: [Int32]
  private var writer: AudioFileWriter?
  private var signal = SignalPath([])
  private var meter = LevelMeter()
  private let gauge: LoudnessGauge?
  private var ownNotes: [String] = []
  /// What was done to its level; nil when nothing was to be.
  private(set) var change: LevelChange?

  /// Plans a file; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - channelMap: Which loudspeaker each channel of the rendering is for.
  ///   - seed: What the noise of its dither depends on.
  /// Errors: `usage` when there are no such files.
  init(
    _ settings: DeliverableSettings, place: Place, path: String, input: AudioFileFormat,
    channelCount: Int, channelMap: [Int32], seed: UInt64, measuresLoudness: Bool
  ) throws(AuricleError) {
    self.settings = settings
    self.place = place
    self.path = path
    self.seed = seed
    inputRate = input.sampleRate
    inputChannelCount = input.channelCount
    format = try settings.format(for: input)
    mix = ChannelMix(
      from: channelCount, to: format.channelCount, channelMap: channelMap)
    self.channelMap = mix.isIdentity ? channelMap : mix.outputMap
    gauge =
      measuresLoudness || settings.loudness != nil || settings.truePeak != nil
      ? LoudnessGauge(
        sampleRate: format.sampleRate, channelCount: format.channelCount,
        channelMap: self.channelMap) : nil
    if let text = mix.description { ownNotes.append(text) }
    if settings.sampleRate == nil, format.sampleRate != input.sampleRate {
      ownNotes.append(
        format.container.name + " files"
          + (format.container.encodings.count > 1 ? " with \(format.encoding.name)" : "")
          + " take no "
          + "\(Self.text(input.sampleRate)) Hz: converted to \(Self.text(format.sampleRate)) Hz")
    }
  }

  private static func text(_ rate: Double) -> String {
    rate == rate.rounded() ? "\(Int(rate))" : "\(rate)"
  }

  /// Frames written.
  var frameCount: Int { writer?.frameCount ?? 0 }

  /// Bytes written.
  var byteCount: Int { writer?.byteCount ?? 0 }

  /// Levels of what was written, before its samples were rounded.
  var levels: Levels { meter.levels }

  /// Loudness of what was written, once all is; nil when it is not measured.
  var loudness: LoudnessFigures? { gauge?.finish() }

  /// What is worth telling about the file.
  var notes: [String] {
    var notes = ownNotes
    guard let writer else { return notes }
    if writer.clippedSampleCount > 0 {
      notes.append(
        "\(writer.path): \(writer.clippedSampleCount) samples beyond full scale were clipped")
    }
    let filling = writer.fillingFrameCount
    if filling > 0 {
      notes.append(
        "\(writer.format.container.name) files with \(writer.format.encoding.name) hold whole blocks "
          + "and cannot tell the length of the sound: longer by "
          + (filling == 1 ? "1 frame" : "\(filling) frames"))
    }
    // Which loudspeaker is meant goes without saying for mono and stereo.
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
  ///   - metadata: That of the part of the input that is in it, at the input's sample rate.
  ///   - frameCount: Frames of the rendering, if that is known.
  func begin(metadata: AudioFileMetadata, frameCount: Int?) throws(AuricleError) {
    let cut = metadata.leftBehind
    var metadata = metadata.scalingPositions(by: format.sampleRate / inputRate)
    let converted = metadata.leftBehind.dropFirst(cut.count)
    if format.channelCount != inputChannelCount { metadata.leaveChannelsBehind() }
    let mixed = metadata.leftBehind.dropFirst(cut.count + converted.count)
    metadata.channelMap = channelMap
    ownNotes += cut.map { "\($0) tells of places in the whole input: left out" }
    ownNotes += converted.map { "\($0) tells of the sample rate before: left out" }
    ownNotes += mixed.map { "\($0) tells of the channels before: left out" }
    let expected = frameCount.map(length(of:))
    switch place {
    case .path(let overwrite):
      writer = try AudioFileWriter(
        path: path, format: format, metadata: metadata, overwrite: overwrite,
        expectedFrameCount: expected)
    case .descriptor(let descriptor):
      writer = try AudioFileWriter(
        descriptor: descriptor, path: path, format: format, metadata: metadata,
        expectedFrameCount: expected)
    }
    signal = SignalPath(try stages(total: nil, level: Level()) + ditherStage)
  }

  /// Takes frames of the rendering.
  func write(_ rows: ChannelRows, _ count: Int) throws(AuricleError) {
    try unsafe signal.push(rows, count) { (rows, count) throws(AuricleError) in
      try unsafe store(rows, count)
    }
  }

  /// Completes the file and, if that is its business, gives it its name.
  func finish() throws(AuricleError) {
    try unsafe signal.finish { (rows, count) throws(AuricleError) in try unsafe store(rows, count) }
    try writer?.finish()
  }

  /// Removes what was written.
  func cancel() { writer?.cancel() }

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

  /// Measures samples as they are in the file: not beyond full scale. Others hear them as they came.
  private func measureClipped(_ rows: ChannelRows, _ count: Int) {
    let buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: count)
    for channel in 0..<format.channelCount {
      let (source, target) = unsafe (rows[channel], buffer.rows[channel])
      for index in 0..<count { unsafe target[index] = max(-1, min(1, source[index])) }
    }
    unsafe measure(buffer.rows, count)
  }

  // MARK: When all is known

  /// Writes a part of a rendering, with its level and its ends as the settings want them.
  ///
  /// - Parameter observe: Told on the way how much of that is done, 0 to 1; throws to end the work.
  func write(
    _ spool: SoundSpool, _ part: Range<Int>, metadata: AudioFileMetadata,
    observe: (_ share: Double) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let total = length(of: part.count)
    let search = LevelSearch(settings: settings, encoding: format.encoding)
    // How often the sound is measured shows on the way: each time takes half of what is left.
    var measured = 0.0
    let found = try search.find { (level) throws(AuricleError) in
      let next = (measured + 1) / 2
      defer { measured = next }
      return try measure(spool, part, total, level) { (share) throws(AuricleError) in
        try observe(measured + share * (next - measured))
      }
    }
    if let note = found.note { ownNotes.append(note) }
    try begin(metadata: metadata, frameCount: part.count)
    let limiter = limiterStage(found.level)
    signal = SignalPath(
      try stages(total: total, level: found.level) + [limiter].compactMap(\.self) + ditherStage)
    try unsafe spool.play(from: part.lowerBound, to: part.upperBound) {
      (rows, count, share) throws(AuricleError) in
      try observe(measured + share * (1 - measured))
      try unsafe write(rows, count)
    }
    try finish()
    if search.isAsked {
      let reduction = limiter.map { -20 * log10($0.lowestGain) } ?? 0
      change = LevelChange(gain: found.level.gain, reduction: reduction)
    }
  }

  private func measure(
    _ spool: SoundSpool, _ part: Range<Int>, _ total: Int, _ level: Level,
    observe: (_ share: Double) throws(AuricleError) -> Void
  ) throws(AuricleError) -> MeasuredLevel {
    let gauge = LoudnessGauge(
      sampleRate: format.sampleRate, channelCount: format.channelCount, channelMap: channelMap,
      keepsBlocks: true)
    var meter = LevelMeter()
    let limiter = limiterStage(level)
    let signal = SignalPath(
      try stages(total: total, level: level) + [limiter].compactMap(\.self))
    func take(_ rows: ChannelRows, _ count: Int) {
      unsafe gauge.add(rows, frameCount: count)
      unsafe meter.add(
        UnsafePointer(rows), channelCount: format.channelCount, frameCount: count)
    }
    try unsafe spool.play(from: part.lowerBound, to: part.upperBound) {
      (rows, count, share) throws(AuricleError) in
      try observe(share)
      try unsafe signal.push(rows, count) { (rows, count) throws(AuricleError) in
        unsafe take(rows, count)
      }
    }
    try unsafe signal.finish { (rows, count) throws(AuricleError) in unsafe take(rows, count) }
    return MeasuredLevel(
      loudness: gauge.finish(), peak: meter.levels.peakDecibels,
      seconds: Double(total) / format.sampleRate, blocks: gauge.blocks)
  }
}
