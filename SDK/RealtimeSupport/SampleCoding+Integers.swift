// The loops between integers and floats.
// SPDX-License-Identifier: Apache-2.0

extension SampleCoding {
  /// Reads integers of any kind.
  @_noLocks
  func decodeIntegers(
    _ source: UnsafeMutableRawPointer, into target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    switch SampleWord.kind(bytes: format.bytesPerSample, isBigEndian: format.isBigEndian) {
    case 2: unsafe decodeIntegers(2, source, into: target, count)
    case 4: unsafe decodeIntegers(4, source, into: target, count)
    case 5: unsafe decodeIntegers(5, source, into: target, count)
    case 6: unsafe decodeIntegers(6, source, into: target, count)
    case 7: unsafe decodeIntegers(7, source, into: target, count)
    case 8: unsafe decodeIntegers(8, source, into: target, count)
    default: unsafe decodeIntegers(9, source, into: target, count)
    }
  }

  /// Writes integers of any kind.
  @_noLocks
  func encodeIntegers(
    _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer, _ count: Int
  ) {
    switch SampleWord.kind(bytes: format.bytesPerSample, isBigEndian: format.isBigEndian) {
    case 2: unsafe encodeIntegers(2, source, into: target, count)
    case 4: unsafe encodeIntegers(4, source, into: target, count)
    case 5: unsafe encodeIntegers(5, source, into: target, count)
    case 6: unsafe encodeIntegers(6, source, into: target, count)
    case 7: unsafe encodeIntegers(7, source, into: target, count)
    case 8: unsafe encodeIntegers(8, source, into: target, count)
    default: unsafe encodeIntegers(9, source, into: target, count)
    }
  }

  /// Reads integers; the common strides are constants for the loop, so that it can be vectorised.
  @inline(__always) @_noLocks
  private func decodeIntegers(
    _ kind: Int, _ source: UnsafeMutableRawPointer, into target: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    if stride == SampleWord.size(kind) {
      unsafe decodeIntegers(kind, source, SampleWord.size(kind), into: target, count)
    } else if stride == 2 &* SampleWord.size(kind) {
      unsafe decodeIntegers(kind, source, 2 &* SampleWord.size(kind), into: target, count)
    } else {
      unsafe decodeIntegers(kind, source, stride, into: target, count)
    }
  }

  @inline(__always) @_noLocks
  private func decodeIntegers(
    _ kind: Int, _ source: UnsafeMutableRawPointer, _ stride: Int,
    into target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let (shift, mask, flip, scale) = (lowShift, self.mask, self.flip, decodeScale)
    var index = 0
    while index < count {
      let loaded = unsafe SampleWord.load(kind, source + index &* stride)
      unsafe target[index] = Float(((loaded &<< shift) & mask) ^ flip) * scale
      index &+= 1
    }
  }

  /// Writes integers, rounded to nearest and clipped.
  @inline(__always) @_noLocks
  private func encodeIntegers(
    _ kind: Int, _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer,
    _ count: Int
  ) {
    if stride == SampleWord.size(kind) {
      unsafe encodeIntegers(kind, source, into: target, SampleWord.size(kind), count)
    } else if stride == 2 &* SampleWord.size(kind) {
      unsafe encodeIntegers(kind, source, into: target, 2 &* SampleWord.size(kind), count)
    } else {
      unsafe encodeIntegers(kind, source, into: target, stride, count)
    }
  }

  @inline(__always) @_noLocks
  private func encodeIntegers(
    _ kind: Int, _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer,
    _ stride: Int, _ count: Int
  ) {
    // Adding one and a half times 2 to the number of mantissa bits leaves the rounded integer in
    // the low bits of the sum: single precision has room for 22 bits, double for all.
    let (fill, flip, low) = (self.fill, self.flip, lowShift)
    let isSigned = flip == 0
    var index = 0
    if maximum < 1 &<< 21 {
      let (scale, least, most) = (encodeScale, Float(minimum), Float(maximum))
      while index < count {
        let scaled = unsafe source[index] * scale
        let number = scaled == scaled ? scaled : 0
        let above = number < least ? least : number
        let clipped = above > most ? most : above
        let rounded = Int32(bitPattern: (clipped + 12_582_912).bitPattern) &- 0x4B40_0000
        let top = (rounded &<< fill) ^ flip
        unsafe SampleWord.store(kind, Self.place(top, low, isSigned), target + index &* stride)
        index &+= 1
      }
    } else {
      let (scale, least, most) = (Double(encodeScale), Double(minimum), Double(maximum))
      while index < count {
        let scaled = unsafe Double(source[index]) * scale
        let number = scaled == scaled ? scaled : 0
        let above = number < least ? least : number
        let clipped = above > most ? most : above
        let rounded = Int32(truncatingIfNeeded: (clipped + 6_755_399_441_055_744).bitPattern)
        let top = (rounded &<< fill) ^ flip
        unsafe SampleWord.store(kind, Self.place(top, low, isSigned), target + index &* stride)
        index &+= 1
      }
    }
  }

  /// Moves a number from the top of its bytes to where the format wants it.
  @inline(__always) @_noLocks
  static func place(_ top: Int32, _ low: Int32, _ isSigned: Bool) -> Int32 {
    isSigned
      ? top &>> low : Int32(bitPattern: UInt32(bitPattern: top) &>> UInt32(bitPattern: low))
  }
}
