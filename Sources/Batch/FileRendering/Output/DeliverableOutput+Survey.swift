// The facts of a rendering that are needed before its level can be set.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import Glibc
import ResultSettings

extension DeliverableOutput {
  /// Goes through a rendering for the facts that its level depends on, and for nothing else.
  ///
  /// - Parameter observe: Receives the part of it that is done, 0 to 1; throws to end the work.
  func survey(
    _ excerpt: Excerpt, _ search: LevelSearch, _ observe: Observer
  ) throws(AuricleError) -> UnsetLevel {
    var sound = UnsetLevel()
    let total = length(of: excerpt.part.count)
    sound.seconds = Double(total) / format.sampleRate
    guard search.isAsked else { return sound }
    let isSet = settings.loudness != nil || settings.peak != nil
    if isSet {
      let meter =
        settings.loudness == nil
        ? nil
        : LoudnessMeter(
          sampleRate: format.sampleRate, channelCount: format.channelCount,
          channelMap: channelMap, isDualMono: settings.isDualMono, keepsPieces: true)
      var levels = LevelMeter()
      try unsafe play(excerpt, total) { (share) throws(AuricleError) in
        try observe(0.5 * share)
      } consume: { rows, count in
        unsafe meter?.add(rows, frameCount: count)
        unsafe levels.add(
          UnsafePointer(rows), channelCount: format.channelCount, frameCount: count)
      }
      sound.samplePeak = levels.levels.peakDecibels
      sound.outline = meter.map { LevelOutline($0, sampleRate: format.sampleRate) }
    }
    guard let ceiling = search.ceiling else { return sound }
    try findPeaks(excerpt, &sound, above: ceiling - search.gain(for: sound).gain, isSet: isSet) {
      (share) throws(AuricleError) in try observe(isSet ? 0.5 + 0.5 * share : share)
    }
    return sound
  }

  /// Finds the true peaks above a level in dBTP, if there can be any.
  private func findPeaks(
    _ excerpt: Excerpt, _ sound: inout UnsetLevel, above ceiling: Double, isSet: Bool,
    _ observe: Observer
  ) throws(AuricleError) {
    let total = length(of: excerpt.part.count)
    let detector = TruePeakDetector(
      sampleRate: format.sampleRate, channelCount: format.channelCount)
    if isSet {
      guard let peak = sound.samplePeak,
        peak + 20 * log10(Double(detector.mostGain)) > ceiling - Self.peakMargin
      else { return }
    }
    let floor = Float(pow(10, (ceiling - Self.peakMargin) / 20))
    let capacity = TruePeakDetector.mostFrames
    let peaks = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    defer { unsafe peaks.deallocate() }
    var highest = floor
    var position = -TruePeakDetector.delay
    let outline = sound.outline
    func consume(_ rows: ChannelRows, _ count: Int) {
      var done = 0
      while done < count {
        let part = min(capacity, count - done)
        unsafe peaks.update(repeating: 0, count: part)
        let found = unsafe detector.find(
          UnsafePointer(rows), offset: done, count: part, raising: peaks, above: floor)
        if found > floor {
          highest = max(highest, found)
          unsafe outline?.raise(by: peaks, count: part, from: position)
        }
        position += part
        done += part
      }
    }
    try unsafe play(excerpt, total, observe, consume: consume)
    let silence = PlanarBuffer(
      channelCount: format.channelCount, frameCapacity: TruePeakDetector.delay)
    unsafe consume(silence.rows, silence.frameCapacity)
    sound.truePeak = highest > floor ? 20 * log10(Double(highest)) : nil
  }

  /// The distance below the ceiling from which peaks are found, in dB: a limiter needs more gain, and an encoder
  /// a lower ceiling.
  private static var peakMargin: Double { 1.5 }

  /// Sends the rendering as it comes into the file, but for its level, somewhere else.
  private func play(
    _ excerpt: Excerpt, _ total: Int, _ observe: Observer, consume: (ChannelRows, Int) -> Void
  ) throws(AuricleError) {
    let signal = SignalPath(try stages(total: total, level: Level()))
    try unsafe excerpt.spool.play(from: excerpt.part.lowerBound, to: excerpt.part.upperBound) {
      (rows, count, share) throws(AuricleError) in
      try observe(share)
      try unsafe signal.push(rows, count) { (rows, count) throws(AuricleError) in
        unsafe consume(rows, count)
      }
    }
    try unsafe signal.finish { (rows, count) throws(AuricleError) in unsafe consume(rows, count) }
  }
}
