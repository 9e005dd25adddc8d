// Files of a rendering that are brought to a level, once all of it is known.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import Glibc
import HostSystem
import ResultSettings

extension DeliverableOutput {
  /// Told how much of the work is done, 0 to 1; throws to end it.
  typealias Observer = (_ share: Double) throws(AuricleError) -> Void

  /// A part of a rendering.
  struct Excerpt {
    package var spool: SoundSpool
    package var part: Range<Int>
    package var metadata: AudioFileMetadata
  }

  /// How near the loudness of a result has to come, in LU.
  private static let tolerance = 0.1
  /// An encoder that takes more loudness away than this, in LU, takes sound that no gain gives back.
  private static let mostCodingLoss = 3.0

  /// Writes a part of a rendering, with its level and its ends as the settings want them.
  ///
  /// Encoders that throw sound away can change the loudness: where what comes out of them misses the target,
  /// all is encoded once more with that much more or less.
  ///
  /// - Parameter observe: Told on the way how much of that is done, 0 to 1; throws to end the work.
  package func write(
    _ spool: SoundSpool, _ part: Range<Int>, metadata: AudioFileMetadata, observe: Observer
  ) throws(AuricleError) {
    let excerpt = Excerpt(spool: spool, part: part, metadata: metadata)
    guard settings.loudness != nil, format.encoding.mayChangeLoudness else {
      try encode(excerpt, codingLoss: 0, observe)
      try writer?.finish()
      return
    }
    let notes = ownNotes
    try encode(excerpt, codingLoss: 0) { (share) throws(AuricleError) in try observe(0.5 * share) }
    let loss = try codingLoss { () throws(AuricleError) in try observe(0.5) }
    if let loss, misses, abs(loss) > Self.tolerance / 2, abs(loss) <= Self.mostCodingLoss {
      try removeEncoded()
      ownNotes = notes
      try encode(excerpt, codingLoss: loss) { (share) throws(AuricleError) in
        try observe(0.5 + 0.5 * share)
      }
      _ = try codingLoss { () throws(AuricleError) in try observe(1) }
    }
    tellLoudness()
    try writer?.finish()
  }

  /// Whether the loudness of the result is not the one asked for.
  private var misses: Bool {
    guard let target = settings.loudness, let decoded else { return false }
    return decoded.integratedLoudness.map { abs($0 - target) > Self.tolerance } ?? true
  }

  /// Tells the loudness where it is not the one asked for, and that was not told already.
  private func tellLoudness() {
    guard misses, let target = settings.loudness, let decoded else { return }
    let asked = "instead of \(LevelSearch.text(target)) LUFS"
    guard !ownNotes.contains(where: { $0.contains(asked) }) else { return }
    ownNotes.append(
      "loudness \(decoded.integratedLoudness.map(LevelSearch.text) ?? "too low to tell") \(asked): "
        + "encoding as \(format.encoding.name) changes it")
  }

  /// Decodes the complete file, and keeps its loudness.
  ///
  /// - Returns: How much less that is than what went into the encoder, in LU; nil where one of them has none.
  private func codingLoss(
    _ observe: () throws(AuricleError) -> Void
  ) throws(AuricleError) -> Double? {
    let written = try reading { () throws(AuricleError) in try writer?.readBack() }
    guard let reader = written, let planned = loudness?.integrated else { return nil }
    let format = reader.format
    let meter = AudioMeter(
      sampleRate: format.sampleRate, channelCount: format.channelCount,
      channelMap: reader.metadata.channelMap)
    let buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: 4096)
    while true {
      let count = try reading { () throws(AuricleError) in
        try unsafe reader.read(into: buffer.rows, frameCount: buffer.frameCapacity)
      }
      guard count > 0 else { break }
      unsafe meter.add(buffer.rows, frameCount: count)
      try observe()
    }
    decoded = meter.measurement
    return meter.measurement.integratedLoudness.map { planned - $0 }
  }

  /// What cannot be read back is no fault of the input.
  private func reading<Value>(
    _ body: () throws(AuricleError) -> Value
  ) throws(AuricleError) -> Value {
    do throws(AuricleError) { return try body() } catch {
      throw AuricleError(.inputOutput, status: error.status, error.message, cause: error.cause)
    }
  }

  /// Makes place for the same file once more.
  private func removeEncoded() throws(AuricleError) {
    cancel()
    beginMeasuring()
    guard ftruncate(file, 0) == 0 else { throw systemError(errno, "write", path) }
  }

  /// Finds the level and writes the file, all but its name.
  private func encode(
    _ excerpt: Excerpt, codingLoss: Double, _ observe: Observer
  ) throws(AuricleError) {
    let total = length(of: excerpt.part.count)
    let search = LevelSearch(
      settings: settings, encoding: format.encoding, codingLoss: codingLoss)
    // How often the sound is measured shows on the way: each time takes half of what is left.
    var measured = 0.0
    let found = try search.find { (level) throws(AuricleError) in
      let next = (measured + 1) / 2
      defer { measured = next }
      return try measure(excerpt, total, level) { (share) throws(AuricleError) in
        try observe(measured + share * (next - measured))
      }
    }
    if let note = found.note { ownNotes.append(note) }
    try begin(metadata: excerpt.metadata, frameCount: excerpt.part.count)
    let limiter = limiterStage(found.level)
    signal = SignalPath(
      try stages(total: total, level: found.level) + [limiter].compactMap(\.self) + ditherStage)
    try unsafe excerpt.spool.play(from: excerpt.part.lowerBound, to: excerpt.part.upperBound) {
      (rows, count, share) throws(AuricleError) in
      try observe(measured + share * (1 - measured))
      try unsafe write(rows, count)
    }
    try complete()
    if search.isAsked {
      let reduction = limiter.map { -20 * log10($0.lowestGain) } ?? 0
      change = LevelChange(gain: found.level.gain, reduction: reduction)
    }
  }

  private func measure(
    _ excerpt: Excerpt, _ total: Int, _ level: Level, observe: Observer
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
    try unsafe excerpt.spool.play(from: excerpt.part.lowerBound, to: excerpt.part.upperBound) {
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

extension AudioEncoding {
  /// Whether sound is thrown away so that it can be louder or softer than what went in.
  fileprivate var mayChangeLoudness: Bool {
    [.mpegLayer3, .vorbis, .opus, .aac, .ac3, .eac3].contains(self)
  }
}
