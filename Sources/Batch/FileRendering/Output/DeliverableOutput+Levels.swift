// Files of a rendering that are brought to a level, once all of it is known.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import Glibc
import HostSystem
import ResultSettings

extension DeliverableOutput {
  /// Receives the part of the work that is done, 0 to 1; throws to end it.
  typealias Observer = (_ share: Double) throws(AuricleError) -> Void

  /// A part of a rendering.
  struct Excerpt {
    var spool: SoundSpool
    var part: Range<Int>
    var metadata: AudioFileMetadata
  }

  var search: LevelSearch { LevelSearch(settings: settings, encoding: format.encoding) }

  /// Writes a part of a rendering, with its level and its ends as the settings want them.
  ///
  /// A result that missed the planned loudness or peak is written again with a correction: a limiter or an
  /// encoder is not predictable.
  ///
  /// - Parameter observe: Receives the part of it that is done, 0 to 1; throws to end the work.
  func write(
    _ spool: SoundSpool, _ part: Range<Int>, metadata: AudioFileMetadata, observe: Observer
  ) throws(AuricleError) {
    let excerpt = Excerpt(spool: spool, part: part, metadata: metadata)
    let search = search
    let sound = try survey(excerpt, search) { (share) throws(AuricleError) in
      try observe(0.25 * share)
    }
    let notes = ownNotes
    var correction = LevelCorrection()
    // An attempt counts as nearly all of the rest, or half where encoders often need another.
    var done = 0.25
    let portion = format.encoding.mayChangeLevel && search.isAsked ? 0.5 : 0.98
    for attempt in 1...search.mostAttempts {
      let (begun, left) = (done, (1 - done) * portion)
      let plan = search.plan(for: sound, correction)
      try encode(excerpt, plan.level) { (share) throws(AuricleError) in
        try observe(begun + share * left)
      }
      done += left
      if format.encoding.mayChangeLevel, measuresResult {
        try decode { () throws(AuricleError) in try observe(done) }
      }
      guard search.isAsked else { break }
      let figures = loudness ?? LoudnessFigures(integrated: nil, range: nil, truePeak: nil)
      let next = search.correction(
        correction, after: figures, of: plan, isTrimmed: attempt + 1 >= search.firstTrim,
        canFallBack: attempt + 1 < search.mostAttempts)
      guard attempt < search.mostAttempts, let next else {
        ownNotes += search.notes(plan, correction, figures)
        break
      }
      correction = next
      try removeEncoded()
      ownNotes = notes
    }
    try writer?.finish()
  }

  /// Decodes the complete file, and keeps its figures.
  func decode(_ observe: () throws(AuricleError) -> Void) throws(AuricleError) {
    guard let writer else { return }
    let reader = try reading { () throws(AuricleError) in try writer.readBack() }
    let format = reader.format
    let gauge = LoudnessGauge(
      sampleRate: format.sampleRate, channelCount: format.channelCount,
      channelMap: reader.metadata.channelMap, isDualMono: settings.isDualMono,
      measuresTruePeak: measuresTruePeak)
    var levels = LevelMeter()
    let buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: 4096)
    while true {
      let count = try reading { () throws(AuricleError) in
        try unsafe reader.read(into: buffer.rows, frameCount: buffer.frameCapacity)
      }
      guard count > 0 else { break }
      unsafe gauge.add(buffer.rows, frameCount: count)
      unsafe levels.add(
        UnsafePointer(buffer.rows), channelCount: format.channelCount, frameCount: count)
      try observe()
    }
    decoded = (gauge.finish(), levels.levels)
  }

  /// A result that cannot be read back is no fault of the input.
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

  /// Writes the file at a level, all but its name.
  private func encode(
    _ excerpt: Excerpt, _ level: Level, _ observe: Observer
  ) throws(AuricleError) {
    let total = length(of: excerpt.part.count)
    try begin(metadata: excerpt.metadata, frameCount: excerpt.part.count)
    let limiter = limiterStage(level)
    signal = SignalPath(
      try stages(total: total, level: level) + [limiter].compactMap(\.self) + ditherStage)
    try unsafe excerpt.spool.play(from: excerpt.part.lowerBound, to: excerpt.part.upperBound) {
      (rows, count, share) throws(AuricleError) in
      try observe(share)
      try unsafe write(rows, count)
    }
    try complete()
    if search.isAsked {
      let reduction = limiter.map { -20 * log10($0.lowestGain) } ?? 0
      change = LevelChange(gain: level.gain, reduction: reduction)
    }
  }
}
