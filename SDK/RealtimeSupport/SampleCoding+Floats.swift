// The loops between floats of either size and byte order and native single precision.
// SPDX-License-Identifier: Apache-2.0

extension SampleCoding {
  /// Reads single-precision floats, bit for bit.
  @_noLocks
  func decodeFloat32(
    _ source: UnsafeMutableRawPointer, into target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if format.isBigEndian != SampleFormat.nativeIsBigEndian {
      unsafe moveWords(source, stride, to: target, 4, count, isSwapped: true)
    } else if stride == 4 {
      unsafe SampleCopy.copy(
        from: source.assumingMemoryBound(to: Float.self), to: target, count: count)
    } else if stride == 8 {
      unsafe moveWords(source, 8, to: target, 4, count, isSwapped: false)
    } else {
      unsafe moveWords(source, stride, to: target, 4, count, isSwapped: false)
    }
  }

  /// Writes single-precision floats, bit for bit.
  @_noLocks
  func encodeFloat32(
    _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer, _ count: Int
  ) {
    if format.isBigEndian != SampleFormat.nativeIsBigEndian {
      unsafe moveWords(source, 4, to: target, stride, count, isSwapped: true)
    } else if stride == 4 {
      unsafe SampleCopy.copy(
        from: source, to: target.assumingMemoryBound(to: Float.self), count: count)
    } else if stride == 8 {
      unsafe moveWords(source, 4, to: target, 8, count, isSwapped: false)
    } else {
      unsafe moveWords(source, 4, to: target, stride, count, isSwapped: false)
    }
  }

  @inline(__always) @_noLocks
  private func moveWords(
    _ source: UnsafeRawPointer, _ sourceStride: Int, to target: UnsafeMutableRawPointer,
    _ targetStride: Int, _ count: Int, isSwapped: Bool
  ) {
    var index = 0
    while index < count {
      let word = unsafe (source + index &* sourceStride).loadUnaligned(as: UInt32.self)
      unsafe (target + index &* targetStride).storeBytes(
        of: isSwapped ? word.byteSwapped : word, as: UInt32.self)
      index &+= 1
    }
  }

  /// Reads double-precision floats, rounded to the nearest.
  @_noLocks
  func decodeFloat64(
    _ source: UnsafeMutableRawPointer, into target: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let isSwapped = format.isBigEndian != SampleFormat.nativeIsBigEndian
    var index = 0
    while index < count {
      let word = unsafe (source + index &* stride).loadUnaligned(as: UInt64.self)
      unsafe target[index] = Float(Double(bitPattern: isSwapped ? word.byteSwapped : word))
      index &+= 1
    }
  }

  /// Writes double-precision floats.
  @_noLocks
  func encodeFloat64(
    _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer, _ count: Int
  ) {
    let isSwapped = format.isBigEndian != SampleFormat.nativeIsBigEndian
    var index = 0
    while index < count {
      let word = unsafe Double(source[index]).bitPattern
      unsafe (target + index &* stride).storeBytes(
        of: isSwapped ? word.byteSwapped : word, as: UInt64.self)
      index &+= 1
    }
  }
}
