// Dither: noise that makes the rounding error independent of the sound.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import ResultSettings

/// Rounds samples to a number of bits, with dither.
///
/// Samples that need no rounding pass unchanged until the first that does: if no bit is lost, no noise is
/// added. The noise depends only on the seed and the position in the file.
final class DitherStage: SignalStage {
  private var channels: [DitherChannel]
  private let steps: Double
  private var isNeeded = false

  /// Rounds to `bits` bits, at most 24.
  package init(channelCount: Int, bits: Int, kind: DitherKind, sampleRate: Double, seed: UInt64) {
    steps = Double(sign: .plus, exponent: bits - 1, significand: 1)
    let filter = kind == .shaped ? NoiseShape.coefficients(sampleRate: sampleRate) : []
    channels = (0..<channelCount).map { channel in
      DitherChannel(seed: Self.state(seed, channel), filter: filter)
    }
  }

  /// The generator's state for a channel, far from those of other channels, so that they do not repeat each
  /// other.
  private static func state(_ seed: UInt64, _ channel: Int) -> UInt64 {
    var value = seed &+ UInt64(channel + 1) &* 0xA076_1D64_78BD_642F
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ (value >> 33)
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError) {
    var start = 0
    if !isNeeded {
      start = unsafe firstUnwhole(rows, count)
      isNeeded = start < count
    }
    for channel in channels.indices {
      unsafe channels[channel].round(rows[channel] + start, count - start, steps: steps)
    }
    try unsafe next(rows, count)
  }

  package func finish(_ next: FrameSink) throws(AuricleError) {}

  /// The first frame with a sample that needs rounding; `count` when there is none.
  private func firstUnwhole(_ rows: ChannelRows, _ count: Int) -> Int {
    var first = count
    for channel in channels.indices {
      let row = unsafe rows[channel]
      for index in 0..<first {
        let value = unsafe Double(row[index]) * steps
        if value != value.rounded() {
          first = index
          break
        }
      }
    }
    return first
  }
}

/// One channel of a dither.
private struct DitherChannel {
  private var state: UInt64
  private let filter: [Double]
  /// A ring of the last errors, each stored twice so that any run of them is contiguous.
  private var errors: [Double]
  private var place = 0

  package init(seed: UInt64, filter: [Double]) {
    state = seed
    self.filter = filter
    errors = Array(repeating: 0, count: 2 * filter.count)
  }

  package mutating func round(_ samples: UnsafeMutablePointer<Float>, _ count: Int, steps: Double) {
    guard !filter.isEmpty else {
      for index in 0..<count {
        let value = unsafe Double(samples[index]) * steps + noise()
        unsafe samples[index] = Float(value.rounded(.toNearestOrEven) / steps)
      }
      return
    }
    let order = filter.count
    for index in 0..<count {
      var value = unsafe Double(samples[index]) * steps
      for tap in 0..<order { value += filter[tap] * errors[place + tap] }
      let whole = (value + noise()).rounded(.toNearestOrEven)
      place = place == 0 ? order - 1 : place - 1
      errors[place] = whole - value
      errors[place + order] = whole - value
      unsafe samples[index] = Float(whole / steps)
    }
  }

  /// A number from -1 to 1 of triangular distribution (SplitMix64, two halves).
  @inline(__always)
  private mutating func noise() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    value ^= value >> 31
    return (Double(value >> 32) - Double(value & 0xFFFF_FFFF)) * 0x1p-32
  }
}

/// Filters that move noise to where it is least audible.
enum NoiseShape {
  /// Coefficients of the past errors, the last one first.
  ///
  /// The error is filtered so that its audible part is minimal for nine coefficients: linear
  /// prediction of noise shaped by the absolute threshold.
  package static func coefficients(sampleRate: Double) -> [Double] {
    let order = 9
    let lines = 1024
    // The absolute threshold, limited to a range of 30 dB: more would add too much noise.
    let thresholds = (0..<lines).map {
      threshold((Double($0) + 0.5) / Double(lines) * sampleRate / 2)
    }
    let lowest = thresholds.min() ?? 0
    let weights = thresholds.map { pow(10, -min($0 - lowest, 30) / 10) }
    let correlation = (0...order).map { lag in
      weights.enumerated().reduce(0.0) { sum, line in
        sum + line.element * cos(.pi * Double(lag) * (Double(line.offset) + 0.5) / Double(lines))
      }
    }
    return prediction(correlation)
  }

  /// The absolute threshold of audibility in quiet in dB (Terhardt).
  private static func threshold(_ frequency: Double) -> Double {
    let kilohertz = max(frequency, 20) / 1000
    return 3.64 * pow(kilohertz, -0.8) - 6.5 * exp(-0.6 * pow(kilohertz - 3.3, 2))
      + 0.001 * pow(kilohertz, 4)
  }

  /// The prediction error filter without its leading 1 (Levinson and Durbin).
  private static func prediction(_ correlation: [Double]) -> [Double] {
    var filter: [Double] = []
    var error = correlation[0]
    for order in 1..<correlation.count {
      var sum = correlation[order]
      for (index, value) in filter.enumerated() { sum += value * correlation[order - 1 - index] }
      let reflection = -sum / error
      let reversed = Array(filter.reversed())
      for index in filter.indices { filter[index] += reflection * reversed[index] }
      filter.append(reflection)
      error *= 1 - reflection * reflection
    }
    return filter
  }
}
