// Keeps true peaks below a ceiling: looks ahead, turns down in time, and up again slowly.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioTypes

/// A limiter for true peaks, one gain for all channels.
///
/// Frames come out where they went in: the stage cuts off its own delay.
@safe final class LimiterStage: SignalStage {
  private let channelCount: Int
  private let ceiling: Float
  private let detector: TruePeakDetector
  private let gain: LimiterGain
  private let delay: Int
  /// True peaks of the block at work, and then its gains.
  private let peaks: UnsafeMutablePointer<Float>
  private let delayed: PlanarBuffer
  /// The last `delay` frames, around and around.
  private let ring: PlanarBuffer
  private var ringPlace = 0
  private var toDrop: Int

  /// A limiter at a linear ceiling; `release` is the time constant of its rising, in seconds.
  init(channelCount: Int, sampleRate: Double, ceiling: Float, release: Double) {
    self.channelCount = channelCount
    self.ceiling = ceiling
    detector = TruePeakDetector(sampleRate: sampleRate, channelCount: channelCount)
    gain = LimiterGain(rate: sampleRate, ceiling: ceiling, release: release)
    delay = TruePeakDetector.delay + gain.ahead
    toDrop = delay
    let capacity = TruePeakDetector.mostFrames
    unsafe peaks = .allocate(capacity: capacity)
    delayed = PlanarBuffer(channelCount: channelCount, frameCapacity: capacity)
    ring = PlanarBuffer(channelCount: channelCount, frameCapacity: delay)
  }

  deinit { unsafe peaks.deallocate() }

  /// The lowest gain so far.
  var lowestGain: Double { gain.lowest }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError) {
    var done = 0
    while done < count {
      let part = min(delayed.frameCapacity, count - done)
      unsafe peaks.update(repeating: 0, count: part)
      _ = unsafe detector.find(
        UnsafePointer(rows), offset: done, count: part, raising: peaks, above: ceiling)
      unsafe render(rows, done, part)
      let dropped = min(toDrop, part)
      toDrop -= dropped
      if part > dropped {
        for channel in 0..<channelCount {
          unsafe delayed.cursor[channel] = delayed.rows[channel] + dropped
        }
        try unsafe next(delayed.cursor, part - dropped)
      }
      done += part
    }
  }

  /// Delays the frames and turns them down.
  private func render(_ rows: ChannelRows, _ offset: Int, _ count: Int) {
    let isActive = unsafe gain.replace(peaks, count)
    for channel in 0..<channelCount {
      unsafe LimiterGain.delay(
        rows[channel] + offset, into: delayed.rows[channel], gains: isActive ? peaks : nil, count,
        ring: ring.rows[channel], of: delay, at: ringPlace)
    }
    ringPlace = (ringPlace + count) % delay
  }

  package func finish(_ next: FrameSink) throws(AuricleError) {
    let silence = PlanarBuffer(
      channelCount: channelCount, frameCapacity: TruePeakDetector.mostFrames)
    var left = delay
    while left > 0 {
      let part = min(left, silence.frameCapacity)
      try unsafe push(silence.rows, part, next)
      left -= part
    }
  }
}
