// A stream format that can be compared, hashed, validated and printed.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The format of one bus: sample rate, channels and how a sample is stored.
///
/// The corresponding Core Audio type is `AudioStreamBasicDescription`.
public struct AudioStreamFormat: Sendable {
  /// The format as Core Audio passes it.
  public var asbd: AudioStreamBasicDescription

  /// Wraps a format.
  public init(_ asbd: AudioStreamBasicDescription) {
    self.asbd = asbd
  }

  /// The canonical format of audio units: planar, native-endian, 32-bit float.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames a second, in Hz.
  ///   - channelCount: Number of channels; a number out of 0...4294967295 counts as 0.
  public init(sampleRate: Double, channelCount: Int) {
    asbd = AudioStreamBasicDescription()
    asbd.mSampleRate = sampleRate
    asbd.mFormatID = Self.linearPCM
    asbd.mFormatFlags = Flag.canonical
    asbd.mBytesPerPacket = 4
    asbd.mFramesPerPacket = 1
    asbd.mBytesPerFrame = 4
    asbd.mChannelsPerFrame = UInt32(exactly: channelCount) ?? 0
    asbd.mBitsPerChannel = 32
  }

  /// Frames a second, in Hz; 0 if unspecified.
  public var sampleRate: Double {
    get { asbd.mSampleRate }
    set { asbd.mSampleRate = newValue }
  }

  /// Number of channels.
  public var channelCount: Int {
    get { Int(asbd.mChannelsPerFrame) }
    set { asbd.mChannelsPerFrame = UInt32(exactly: newValue) ?? 0 }
  }

  /// Kind of data: `'lpcm'` for uncompressed sound.
  public var formatID: FourCharacterCode {
    FourCharacterCode(rawValue: asbd.mFormatID)
  }

  /// True for uncompressed sound.
  public var isLinearPCM: Bool { asbd.mFormatID == Self.linearPCM }

  /// Whether each channel has its own buffer.
  public var isPlanar: Bool { asbd.mFormatFlags & Flag.nonInterleaved != 0 }

  /// True for planar, native-endian, packed 32-bit float of any rate and number of channels.
  public var isCanonical: Bool {
    let ignored = Flag.nonMixable | Flag.allClear
    return isLinearPCM && asbd.mFormatFlags & ~ignored == Flag.canonical
      && asbd.mBitsPerChannel == 32 && asbd.mBytesPerFrame == 4 && asbd.mBytesPerPacket == 4
      && asbd.mFramesPerPacket == 1
  }

  /// Number of buffers in a buffer list of this format: one for each channel if planar, otherwise one.
  public var bufferCount: Int { isPlanar ? channelCount : 1 }

  static let linearPCM: UInt32 = 0x6C70_636D

  enum Flag {
    static let float: UInt32 = 0x1
    static let bigEndian: UInt32 = 0x2
    static let signedInteger: UInt32 = 0x4
    static let packed: UInt32 = 0x8
    static let alignedHigh: UInt32 = 0x10
    static let nonInterleaved: UInt32 = 0x20
    static let nonMixable: UInt32 = 0x40
    static let allClear: UInt32 = 0x8000_0000
    #if _endian(little)
      static let nativeEndian: UInt32 = 0
    #else
      static let nativeEndian: UInt32 = bigEndian
    #endif
    static let canonical = float | nativeEndian | packed | nonInterleaved
  }
}

extension AudioStreamFormat: Hashable {
  /// Compares all fields but the reserved one.
  public static func == (left: AudioStreamFormat, right: AudioStreamFormat) -> Bool {
    let (a, b) = (left.asbd, right.asbd)
    return a.mSampleRate == b.mSampleRate && a.mFormatID == b.mFormatID
      && a.mFormatFlags == b.mFormatFlags && a.mBytesPerPacket == b.mBytesPerPacket
      && a.mFramesPerPacket == b.mFramesPerPacket && a.mBytesPerFrame == b.mBytesPerFrame
      && a.mChannelsPerFrame == b.mChannelsPerFrame && a.mBitsPerChannel == b.mBitsPerChannel
  }

  /// Hashes the same fields that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(asbd.mSampleRate)
    hasher.combine(asbd.mFormatID)
    hasher.combine(asbd.mFormatFlags)
    hasher.combine(asbd.mBytesPerPacket)
    hasher.combine(asbd.mFramesPerPacket)
    hasher.combine(asbd.mBytesPerFrame)
    hasher.combine(asbd.mChannelsPerFrame)
    hasher.combine(asbd.mBitsPerChannel)
  }
}
