// Planar float to interleaved whole numbers: rounded to the nearest, clipped, counted.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// The library's conversion cuts off instead of rounding, which shifts everything by half a step,
/// and converts one sample at a time; these loops do neither.
protocol QuantizedSample: FixedWidthInteger & SignedInteger & BitwiseCopyable {
  /// Rounds a number that lies within the range of `bits` bits, and moves it to the top of the type.
  static func quantize(_ sample: Float, _ scale: Quantizer) -> Self
  /// Rounds two channels and joins them; returns how many samples were beyond ±1.
  static func quantizePairs(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    into frames: UnsafeMutablePointer<Self>, _ frameCount: Int, _ scale: Quantizer
  ) -> UInt32
}

extension QuantizedSample {
  static func quantizePairs(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    into frames: UnsafeMutablePointer<Self>, _ frameCount: Int, _ scale: Quantizer
  ) -> UInt32 {
    var clipped: UInt32 = 0
    for frame in 0..<frameCount {
      let first = unsafe left[frame]
      let second = unsafe right[frame]
      clipped &+= first > 1 || first < -1 ? 1 : 0
      clipped &+= second > 1 || second < -1 ? 1 : 0
      unsafe frames[2 &* frame] = quantize(first > -1 ? first : -1, scale)
      unsafe frames[2 &* frame &+ 1] = quantize(second > -1 ? second : -1, scale)
    }
    return clipped
  }
}

/// The constants of a quantization.
package struct Quantizer {
  /// 2 to the number of bits less one.
  let factor: Float
  /// The largest sample that is not clipped, after rounding.
  let highest: Double
  let shift: Int32

  /// Whole numbers of so many bits at the top of a type of a width.
  package init(bits: Int, width: Int) {
    factor = Float(sign: .plus, exponent: bits - 1, significand: 1)
    highest = Double(sign: .plus, exponent: bits - 1, significand: 1) - 1
    shift = Int32(width - bits)
  }
}

extension Int16: QuantizedSample {
  @inline(__always)
  static func quantize(_ sample: Float, _ scale: Quantizer) -> Int16 {
    // 1.5 × 2^23: the sum has the rounded number in its low bits (to even, like lrint).
    let scaled = sample * scale.factor
    let bounded = scaled < Float(scale.highest) ? scaled : Float(scale.highest)
    let whole = Int32(bitPattern: (bounded + 12_582_912).bitPattern) &- 0x4B40_0000
    return Int16(truncatingIfNeeded: whole &<< scale.shift)
  }

  static func quantizePairs(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    into frames: UnsafeMutablePointer<Int16>, _ frameCount: Int, _ scale: Quantizer
  ) -> UInt32 {
    var quantizer = AuricleQuantizer(
      factor: scale.factor, highest: Float(scale.highest), shift: scale.shift)
    return unsafe UInt32(
      bitPattern: AuricleQuantizePairs(left, right, frames, frameCount, &quantizer))
  }
}

extension Int32: QuantizedSample {
  @inline(__always)
  static func quantize(_ sample: Float, _ scale: Quantizer) -> Int32 {
    // 1.5 × 2^52: as above, for up to 32 bits.
    let scaled = Double(sample) * Double(scale.factor)
    let bounded = scaled < scale.highest ? scaled : scale.highest
    let whole = Int32(truncatingIfNeeded: (bounded + 6_755_399_441_055_744).bitPattern)
    return whole &<< scale.shift
  }
}

/// Rounds and joins channels into interleaved frames of 16 bits; returns how many samples were beyond ±1.
package func quantize(
  _ channels: ChannelPointers, offset: Int, into frames: UnsafeMutablePointer<Int16>,
  channelCount: Int, frameCount: Int, scale: Quantizer
) -> Int {
  unsafe quantizeSamples(
    channels, offset: offset, into: frames, channelCount: channelCount, frameCount: frameCount,
    scale: scale)
}

/// The same into frames of 32 bits. Neither is generic, so that no caller of another module runs the loop with
/// types that are found at run time.
package func quantize(
  _ channels: ChannelPointers, offset: Int, into frames: UnsafeMutablePointer<Int32>,
  channelCount: Int, frameCount: Int, scale: Quantizer
) -> Int {
  unsafe quantizeSamples(
    channels, offset: offset, into: frames, channelCount: channelCount, frameCount: frameCount,
    scale: scale)
}

private func quantizeSamples<Sample: QuantizedSample>(
  _ channels: ChannelPointers, offset: Int, into frames: UnsafeMutablePointer<Sample>,
  channelCount: Int, frameCount: Int, scale: Quantizer
) -> Int {
  var clipped: UInt32 = 0
  if channelCount == 2 {
    return unsafe Int(
      Sample.quantizePairs(
        channels[0] + offset, channels[1] + offset, into: frames, frameCount, scale))
  }
  for channel in 0..<channelCount {
    let source = unsafe channels[channel] + offset
    let target = unsafe frames + channel
    for frame in 0..<frameCount {
      let sample = unsafe source[frame]
      clipped &+= sample > 1 || sample < -1 ? 1 : 0
      unsafe target[frame &* channelCount] = Sample.quantize(sample > -1 ? sample : -1, scale)
    }
  }
  return Int(clipped)
}
