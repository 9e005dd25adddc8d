// Converts between buffer lists of any linear PCM and planar double: exact for integers of 32 bits.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
package import CAudioToolbox

extension SampleConversion {
  /// Channel pointers of doubles.
  package typealias DoubleChannels = UnsafeMutablePointer<UnsafeMutablePointer<Double>>

  /// Reads frames of a list into planar double; arguments as for `read`.
  @_noLocks
  package static func readDoubles(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ format: SampleFormat, from firstFrame: Int,
    into channels: DoubleChannels, at offset: Int, frameCount: Int
  ) {
    let coding = SampleCoding(format)
    var channel = 0
    while channel < format.channelCount {
      let target = unsafe channels[channel] + offset
      if let source = unsafe Self.samples(list, format, channel, firstFrame) {
        unsafe coding.decodeDoubles(source, into: target, frameCount)
      } else {
        var frame = 0
        while frame < frameCount {
          unsafe target[frame] = 0
          frame &+= 1
        }
      }
      channel += 1
    }
  }

  /// Writes planar double into frames of a list, rounded and clipped; arguments as for `write`.
  @_noLocks
  package static func writeDoubles(
    _ channels: DoubleChannels, from offset: Int, to list: UnsafeMutablePointer<AudioBufferList>,
    _ format: SampleFormat, at firstFrame: Int, frameCount: Int
  ) {
    let coding = SampleCoding(format)
    var channel = 0
    while channel < format.channelCount {
      if let target = unsafe Self.samples(list, format, channel, firstFrame) {
        unsafe coding.encodeDoubles(channels[channel] + offset, into: target, frameCount)
      }
      channel += 1
    }
  }
}

extension SampleCoding {
  /// Reads samples of any kind.
  @_noLocks
  fileprivate func decodeDoubles(
    _ source: UnsafeMutableRawPointer, into target: UnsafeMutablePointer<Double>, _ count: Int
  ) {
    let isSwapped = format.isBigEndian != SampleFormat.nativeIsBigEndian
    var index = 0
    switch format.encoding {
    case .float32:
      while index < count {
        let word = unsafe (source + index &* stride).loadUnaligned(as: UInt32.self)
        unsafe target[index] = Double(Float(bitPattern: isSwapped ? word.byteSwapped : word))
        index &+= 1
      }
    case .float64:
      while index < count {
        let word = unsafe (source + index &* stride).loadUnaligned(as: UInt64.self)
        unsafe target[index] = Double(bitPattern: isSwapped ? word.byteSwapped : word)
        index &+= 1
      }
    case .integer:
      switch SampleWord.kind(bytes: format.bytesPerSample, isBigEndian: format.isBigEndian) {
      case 2: unsafe decodeDoubles(2, source, into: target, count)
      case 4: unsafe decodeDoubles(4, source, into: target, count)
      case 5: unsafe decodeDoubles(5, source, into: target, count)
      case 6: unsafe decodeDoubles(6, source, into: target, count)
      case 7: unsafe decodeDoubles(7, source, into: target, count)
      case 8: unsafe decodeDoubles(8, source, into: target, count)
      default: unsafe decodeDoubles(9, source, into: target, count)
      }
    }
  }

  @inline(__always) @_noLocks
  private func decodeDoubles(
    _ kind: Int, _ source: UnsafeMutableRawPointer, into target: UnsafeMutablePointer<Double>,
    _ count: Int
  ) {
    let (shift, mask, flip, scale) = (lowShift, self.mask, self.flip, Double(decodeScale))
    var index = 0
    while index < count {
      let loaded = unsafe SampleWord.load(kind, source + index &* stride)
      unsafe target[index] = Double(((loaded &<< shift) & mask) ^ flip) * scale
      index &+= 1
    }
  }

  /// Writes samples of any kind: integers rounded to the nearest (ties to even) and clipped, not-a-number
  /// as 0.
  @_noLocks
  fileprivate func encodeDoubles(
    _ source: UnsafePointer<Double>, into target: UnsafeMutableRawPointer, _ count: Int
  ) {
    let isSwapped = format.isBigEndian != SampleFormat.nativeIsBigEndian
    var index = 0
    switch format.encoding {
    case .float32:
      while index < count {
        let word = unsafe Float(source[index]).bitPattern
        unsafe (target + index &* stride).storeBytes(
          of: isSwapped ? word.byteSwapped : word, as: UInt32.self)
        index &+= 1
      }
    case .float64:
      while index < count {
        let word = unsafe source[index].bitPattern
        unsafe (target + index &* stride).storeBytes(
          of: isSwapped ? word.byteSwapped : word, as: UInt64.self)
        index &+= 1
      }
    case .integer:
      switch SampleWord.kind(bytes: format.bytesPerSample, isBigEndian: format.isBigEndian) {
      case 2: unsafe encodeDoubles(2, source, into: target, count)
      case 4: unsafe encodeDoubles(4, source, into: target, count)
      case 5: unsafe encodeDoubles(5, source, into: target, count)
      case 6: unsafe encodeDoubles(6, source, into: target, count)
      case 7: unsafe encodeDoubles(7, source, into: target, count)
      case 8: unsafe encodeDoubles(8, source, into: target, count)
      default: unsafe encodeDoubles(9, source, into: target, count)
      }
    }
  }

  @inline(__always) @_noLocks
  private func encodeDoubles(
    _ kind: Int, _ source: UnsafePointer<Double>, into target: UnsafeMutableRawPointer,
    _ count: Int
  ) {
    // One and a half times 2 to the power of 52: the sum has the rounded integer in its low bits.
    let (fill, flip, low) = (self.fill, self.flip, lowShift)
    let isSigned = flip == 0
    let (scale, least, most) = (Double(encodeScale), Double(minimum), Double(maximum))
    var index = 0
    while index < count {
      let scaled = unsafe source[index] * scale
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
