// Rounding to a number of bits with noise instead of distortion.
// SPDX-License-Identifier: Apache-2.0

/// Rounds doubles to steps, with triangular noise of a step each way.
struct Dither {
  private let scale: Double
  private let isShaped: Bool
  private var state: UInt64 = seed
  /// The last two errors of each channel.
  private var errors: [(Double, Double)]

  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Steps of so many bits; shaped noise lies in the upper half of the band.
  init(bits: Int, isShaped: Bool, channelCount: Int) {
    scale = Double(sign: .plus, exponent: bits - 1, significand: 1)
    self.isShaped = isShaped
    errors = Array(repeating: (0, 0), count: channelCount)
  }

  /// Begins anew: the same sound has the same result.
  mutating func reset() {
    state = Self.seed
    errors = Array(repeating: (0, 0), count: errors.count)
  }

  /// Rounds frames of each row.
  mutating func apply(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Double>>, from start: Int = 0,
    frameCount: Int
  ) {
    for channel in errors.indices {
      let row = unsafe rows[channel] + start
      var (last, before) = errors[channel]
      for frame in 0..<frameCount {
        let wanted = unsafe row[frame] * scale - (isShaped ? 2 * last - before : 0)
        let noisy = wanted + noise() + noise()
        let rounded = noisy.rounded(.toNearestOrEven)
        if isShaped {
          // Values far beyond full scale are clipped later: their error must not build up.
          (last, before) = (max(-3, min(3, rounded - wanted)), last)
        }
        unsafe row[frame] = rounded / scale
      }
      errors[channel] = (last, before)
    }
  }

  /// A number from −½ to ½.
  private mutating func noise() -> Double {
    state ^= state &<< 13
    state ^= state &>> 7
    state ^= state &<< 17
    return Double(Int64(bitPattern: state) &>> 11) * 0x1p-53
  }
}
