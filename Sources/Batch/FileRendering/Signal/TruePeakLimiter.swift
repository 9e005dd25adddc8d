// Keeps true peaks below a ceiling: looks ahead, turns down in time, and up again slowly.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc

/// A limiter for true peaks, one gain for all channels.
///
/// The signal is looked at eight times oversampled. The gain falls over 5 ms so that it is low enough
/// when a peak comes, and rises again with a time constant of its own. Frames come out where they went
/// in: the stage cuts off its own delay.
final class LimiterStage: SignalStage {
  private let channelCount: Int
  private let ceiling: Float
  private let detectors: [TruePeakDetector]
  /// Frames over which the gain falls: two averages of half of it.
  private let half: Int
  private let release: Double
  private let delay: Int
  /// Peaks of the block at work.
  private var peaks: [Float]
  private let delayed: PlanarBuffer
  /// The last `delay` frames, around and around.
  private let ring: PlanarBuffer
  private var ringPlace = 0
  private var toDrop: Int
  private var window: SlidingMinimum
  private var first: MovingAverage
  private var second: MovingAverage
  private var lastGain: Float = 1
  private var envelope = 1.0
  /// The lowest gain so far.
  private(set) var lowestGain = 1.0

  /// A limiter at a linear ceiling; `release` is the time constant of its rising, in seconds.
  package init(channelCount: Int, sampleRate: Double, ceiling: Float, release: Double) {
    self.channelCount = channelCount
    self.ceiling = ceiling
    detectors = (0..<channelCount).map { _ in TruePeakDetector(sampleRate: sampleRate) }
    half = max(8, Int((0.0025 * sampleRate).rounded()))
    self.release = 1 - exp(-1 / (release * sampleRate))
    let ahead = 2 * half
    delay = TruePeakDetector.delay + ahead
    toDrop = delay
    peaks = [Float](repeating: 0, count: 1024)
    delayed = PlanarBuffer(channelCount: channelCount, frameCapacity: 1024)
    ring = PlanarBuffer(channelCount: channelCount, frameCapacity: delay)
    window = SlidingMinimum(length: ahead + 1)
    first = MovingAverage(length: half + 1)
    second = MovingAverage(length: half + 1)
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError) {
    var done = 0
    while done < count {
      let part = min(delayed.frameCapacity, count - done)
      for index in 0..<part { peaks[index] = 0 }
      for channel in 0..<channelCount {
        unsafe peaks.withUnsafeMutableBufferPointer { peaks in
          guard let base = peaks.baseAddress else { return }
          unsafe detectors[channel].raise(
            base, by: rows[channel] + done, count: part, floor: ceiling)
        }
      }
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
    for index in 0..<count {
      let peak = peaks[index]
      let wanted = peak > ceiling ? max(ceiling / peak, .leastNonzeroMagnitude) : 1
      // A peak lies between two frames: both are turned down.
      let lowest = window.next(min(wanted, lastGain))
      lastGain = wanted
      envelope = min(Double(lowest), envelope + (Double(lowest) - envelope) * release)
      let gain = second.next(first.next(envelope))
      lowestGain = min(lowestGain, gain)
      peaks[index] = Float(gain)
    }
    for channel in 0..<channelCount {
      let target = unsafe delayed.rows[channel]
      let source = unsafe rows[channel] + offset
      let kept = unsafe ring.rows[channel]
      var place = ringPlace
      for index in 0..<count {
        unsafe target[index] = kept[place] * peaks[index]
        unsafe kept[place] = source[index]
        place += 1
        if place == delay { place = 0 }
      }
    }
    ringPlace = (ringPlace + count) % delay
  }

  package func finish(_ next: FrameSink) throws(AuricleError) {
    let silence = PlanarBuffer(channelCount: channelCount, frameCapacity: 1024)
    var left = delay
    while left > 0 {
      let part = min(left, silence.frameCapacity)
      try unsafe push(silence.rows, part, next)
      left -= part
    }
  }
}

/// The smallest of the last so many values.
struct SlidingMinimum {
  private var values: [Float]
  private var places: [Int]
  private var head = 0
  private var count = 0
  private var position = 0
  private let length: Int

  package init(length: Int) {
    self.length = length
    values = Array(repeating: 0, count: length + 1)
    places = Array(repeating: 0, count: length + 1)
  }

  /// Takes a value; the smallest of the last `length` with it. What was before the first counts as 1.
  package mutating func next(_ value: Float) -> Float {
    let size = length + 1
    while count > 0 {
      var last = head + count - 1
      if last >= size { last -= size }
      if values[last] < value { break }
      count -= 1
    }
    var place = head + count
    if place >= size { place -= size }
    values[place] = value
    places[place] = position
    count += 1
    while places[head] <= position - length {
      head = head + 1 == size ? 0 : head + 1
      count -= 1
    }
    position += 1
    return values[head]
  }
}

/// The mean of the last so many values; before the first all were 1.
///
/// Values are added up in blocks of the window's length: what is left of the block before, and what has
/// come of the present one. Nothing is ever taken away from a sum, which would leave behind of 1 what
/// a gain of 1e-16 drowns in.
struct MovingAverage {
  /// Values of the present block up to `place`; from there on the sums of the block before, each from its
  /// place to the end.
  private var values: [Double]
  private var place = 0
  private var sum = 0.0

  package init(length: Int) {
    // The sums of a block of ones.
    values = (0..<length).map { Double(length - $0) }
  }

  package mutating func next(_ value: Double) -> Double {
    values[place] = value
    sum += value
    place += 1
    guard place < values.count else {
      let mean = min(sum / Double(values.count), 1)
      endBlock()
      return mean
    }
    return min((values[place] + sum) / Double(values.count), 1)
  }

  private mutating func endBlock() {
    var left = 0.0
    for index in values.indices.reversed() {
      left += values[index]
      values[index] = left
    }
    place = 0
    sum = 0
  }
}
