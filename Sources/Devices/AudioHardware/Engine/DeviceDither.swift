// Noise instead of distortion, where a device accepts fewer bits than there are.
// SPDX-License-Identifier: Apache-2.0

/// Triangular noise of one step each way, in periods that hold something between the steps.
///
/// Sound that fits the device's bits, such as that of a file of as many, and silence, pass bit for bit.
package struct DeviceDither {
  private let scale: Float
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// For a device of so many bits.
  package init(bitCount: Int) {
    scale = Float(sign: .plus, exponent: bitCount - 1, significand: 1)
  }

  /// Adds noise to frames where bits would be lost.
  @_noLocks package mutating func apply(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    for channel in 0..<channelCount {
      let row = unsafe rows[channel]
      guard unsafe losesBits(row, frameCount) else { continue }
      for frame in 0..<frameCount { unsafe row[frame] += (noise() + noise()) / scale }
    }
  }

  @_noLocks private func losesBits(_ row: UnsafeMutablePointer<Float>, _ frameCount: Int) -> Bool {
    for frame in 0..<frameCount {
      let value = unsafe row[frame] * scale
      guard value.magnitude < 0x1p40, value == Float(Int64(value)) else { return true }
    }
    return false
  }

  /// A number from −½ to ½.
  @_noLocks private mutating func noise() -> Float {
    state ^= state &<< 13
    state ^= state &>> 7
    state ^= state &<< 17
    return Float(Int32(truncatingIfNeeded: state >> 32)) * 0x1p-32
  }
}
