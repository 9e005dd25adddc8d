// The memory layout of linear PCM: a plain description made from an AudioStreamBasicDescription.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A linear-PCM layout that `SampleConversion` reads and writes.
///
/// Supported are 32-bit and 64-bit floats and integers of 1 to 32 bits, signed or unsigned (offset binary).
/// Integers use 1, 2, 3 or 4 bytes, and are aligned high or low where the bits do not fill these. They are
/// fractions or fixed point (8.24 and others). Both byte orders are read, interleaved or planar.
public struct SampleFormat: BitwiseCopyable, Sendable, Hashable {
  /// The number type of a sample.
  public enum Encoding: UInt8, BitwiseCopyable, Sendable {
    /// A signed or unsigned integer of up to 32 bits.
    case integer
    /// IEEE 754 single precision.
    case float32
    /// IEEE 754 double precision.
    case float64
  }

  /// The number type of a sample.
  public let encoding: Encoding
  /// Channels of a frame.
  public let channelCount: Int
  /// Whether each channel has its own buffer.
  public let isPlanar: Bool
  /// Whether the first byte of a sample is the most significant one.
  public let isBigEndian: Bool
  /// Whether integers are signed; true for floats.
  public let isSigned: Bool
  /// Whether an integer's bits are the high ones of its bytes; true where they fill them.
  public let isAlignedHigh: Bool
  /// Significant bits of a sample.
  public let bitCount: Int
  /// Bytes from one sample of a channel to the next in a planar buffer.
  public let bytesPerSample: Int
  /// Bits after the point of an integer: all but the sign unless the format is fixed point.
  public let fractionBitCount: Int

  /// Reads a stream format; nil if it is no supported linear PCM.
  ///
  /// Sizes left at 0 are filled in: bytes a frame as few as hold the bits, one frame a packet.
  ///
  /// Context: any.
  public init?(_ format: AudioStreamBasicDescription) {
    let flags = format.mFormatFlags
    func has(_ flag: UInt32) -> Bool { flags & flag != 0 }
    guard format.mFormatID == 0x6C70_636D, format.mFramesPerPacket <= 1,
      (1...1024).contains(format.mChannelsPerFrame)
    else { return nil }
    let bits = Int(format.mBitsPerChannel)
    let planar = has(0x20), float = has(0x1)
    let samples = planar ? 1 : Int(format.mChannelsPerFrame)
    guard bits >= 1, bits <= (float ? 64 : 32) else { return nil }
    let frameBytes = format.mBytesPerFrame > 0 ? format.mBytesPerFrame : format.mBytesPerPacket
    let bytes = frameBytes > 0 ? Int(frameBytes) / samples : (bits + 7) / 8
    if frameBytes > 0 {
      guard Int(frameBytes) == bytes * samples,
        format.mBytesPerPacket == 0 || format.mBytesPerPacket == frameBytes
      else { return nil }
    }
    let fraction = Int((flags & 0x1F80) >> 7)
    if float {
      guard bits == 32 || bits == 64, bytes * 8 == bits, fraction == 0, !has(0x4) else {
        return nil
      }
      encoding = bits == 32 ? .float32 : .float64
    } else {
      guard (1...4).contains(bytes), bits <= bytes * 8, fraction <= bits else { return nil }
      // The flag "packed" means that the bits fill the bytes.
      guard !has(0x8) || bits == bytes * 8 else { return nil }
      encoding = .integer
    }
    channelCount = Int(format.mChannelsPerFrame)
    isPlanar = planar
    isBigEndian = has(0x2)
    isSigned = float || has(0x4)
    isAlignedHigh = bits == bytes * 8 || has(0x10)
    bitCount = bits
    bytesPerSample = bytes
    fractionBitCount = float ? 0 : (fraction > 0 ? fraction : bits - 1)
  }

  /// Planar native 32-bit float, the format of units.
  ///
  /// Context: any.
  @_noLocks
  public init(canonicalWithChannelCount channelCount: Int) {
    encoding = .float32
    self.channelCount = channelCount
    isPlanar = true
    isBigEndian = Self.nativeIsBigEndian
    isSigned = true
    isAlignedHigh = true
    bitCount = 32
    bytesPerSample = 4
    fractionBitCount = 0
  }

  /// True for planar native 32-bit float, which needs no conversion.
  ///
  /// Context: any.
  public var isCanonical: Bool {
    @_noLocks get {
      encoding.rawValue == Encoding.float32.rawValue && isBigEndian == Self.nativeIsBigEndian
        && (isPlanar || channelCount == 1)
    }
  }

  /// Whether samples are integers.
  var isInteger: Bool {
    @_noLocks get { encoding.rawValue == Encoding.integer.rawValue }
  }

  /// Buffers of an `AudioBufferList` in this format: one for each channel if planar, otherwise one.
  ///
  /// Context: any.
  public var bufferCount: Int {
    @_noLocks get { isPlanar ? channelCount : 1 }
  }

  /// Channels in each buffer.
  ///
  /// Context: any.
  public var channelsPerBuffer: Int {
    @_noLocks get { isPlanar ? 1 : channelCount }
  }

  /// Returns the number of bytes of each buffer for a number of frames.
  ///
  /// Context: any.
  @_noLocks
  public func byteCount(frameCount: Int) -> Int {
    frameCount &* bytesPerSample &* channelsPerBuffer
  }

  /// Returns the format as Core Audio passes it, with every size filled in.
  ///
  /// - Parameter sampleRate: Frames a second, in Hz.
  ///
  /// Context: any.
  public func description(sampleRate: Double) -> AudioStreamBasicDescription {
    var flags: UInt32 = encoding == .integer ? (isSigned ? 0x4 : 0) : 0x1
    if isBigEndian { flags |= 0x2 }
    if bitCount == bytesPerSample * 8 { flags |= 0x8 } else if isAlignedHigh { flags |= 0x10 }
    if isPlanar { flags |= 0x20 }
    if encoding == .integer && fractionBitCount != bitCount - 1 {
      flags |= UInt32(fractionBitCount) << 7
    }
    let frame = UInt32(bytesPerSample * channelsPerBuffer)
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: 0x6C70_636D,
      mFormatFlags: flags == 0 ? 0x8000_0000 : flags,
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: UInt32(bitCount), mReserved: 0)
  }

  /// Whether this machine stores the most significant byte first.
  static var nativeIsBigEndian: Bool {
    @_noLocks get { 1.bigEndian == 1 }
  }
}
