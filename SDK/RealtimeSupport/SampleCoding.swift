// The numbers by which samples of one format become floats and back, and the choice of the loop.
// SPDX-License-Identifier: Apache-2.0

/// The constants of the loops of `SampleConversion`, computed once a call. Context: render.
struct SampleCoding {
  let format: SampleFormat
  /// Bytes from one frame of a channel to the next.
  let stride: Int
  /// Shift that brings a low-aligned sample's sign to the top.
  let lowShift: Int32
  /// The significant bits once they are at the top.
  let mask: Int32
  /// Turns offset binary into two's complement.
  let flip: Int32
  /// Bits below the significant ones once these are at the top.
  let fill: Int32
  /// Value of an integer whose sign is at the top.
  let decodeScale: Float
  /// Integer of a value, before rounding.
  let encodeScale: Float
  /// Least integer.
  let minimum: Int32
  /// Greatest integer.
  let maximum: Int32

  @_noLocks init(_ format: SampleFormat) {
    self.format = format
    let bits = Int32(truncatingIfNeeded: format.bitCount)
    let container = Int32(truncatingIfNeeded: format.bytesPerSample) &* 8
    stride = format.bytesPerSample &* format.channelsPerBuffer
    let isInteger = format.isInteger
    fill = isInteger ? 32 &- bits : 0
    lowShift = isInteger && !format.isAlignedHigh ? container &- bits : 0
    mask = isInteger ? (-1 as Int32) &<< fill : -1
    flip = isInteger && !format.isSigned ? Int32.min : 0
    minimum = isInteger ? Int32.min &>> fill : 0
    maximum = isInteger ? Int32.max &>> fill : 0
    let fraction = Int32(truncatingIfNeeded: format.fractionBitCount)
    decodeScale = Self.powerOfTwo(0 &- (fraction &+ fill))
    encodeScale = Self.powerOfTwo(fraction)
  }

  /// Two to the power of a number from −126 to 127.
  @_noLocks static func powerOfTwo(_ exponent: Int32) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: (exponent &+ 127) &<< 23))
  }

  /// Reads samples `stride` bytes apart.
  @_noLocks func decode(
    _ source: UnsafeMutableRawPointer, into target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    switch format.encoding {
    case .float32: unsafe decodeFloat32(source, into: target, count)
    case .float64: unsafe decodeFloat64(source, into: target, count)
    case .integer: unsafe decodeIntegers(source, into: target, count)
    }
  }

  /// Writes samples `stride` bytes apart.
  @_noLocks func encode(
    _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer, _ count: Int
  ) {
    switch format.encoding {
    case .float32: unsafe encodeFloat32(source, into: target, count)
    case .float64: unsafe encodeFloat64(source, into: target, count)
    case .integer: unsafe encodeIntegers(source, into: target, count)
    }
  }

  /// Writes silence `stride` bytes apart.
  @_noLocks func clear(_ target: UnsafeMutableRawPointer, _ count: Int) {
    var zero: Float = 0
    var index = 0
    while index < count {
      unsafe encode(&zero, into: target + index &* stride, 1)
      index += 1
    }
  }
}
