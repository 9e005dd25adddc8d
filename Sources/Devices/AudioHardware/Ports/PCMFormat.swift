// The formats of a device's samples.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
package import RealtimeSupport

/// A linear sample format of devices, by the name that ALSA has for it.
package enum PCMFormat: String, Sendable, Hashable, CaseIterable {
  /// 32-bit float, least significant byte first.
  case float32Little = "FLOAT_LE"
  /// 32-bit integer.
  case signed32Little = "S32_LE"
  /// 24 bits in three bytes.
  case packed24Little = "S24_3LE"
  /// 24 bits in the low three of four bytes.
  case signed24Little = "S24_LE"
  /// 16-bit integer.
  case signed16Little = "S16_LE"
  /// 32-bit float, most significant byte first.
  case float32Big = "FLOAT_BE"
  /// 32-bit integer, most significant byte first.
  case signed32Big = "S32_BE"
  /// 24 bits in three bytes, most significant first.
  case packed24Big = "S24_3BE"
  /// 24 bits in the low three of four bytes, most significant first.
  case signed24Big = "S24_BE"
  /// 16-bit integer, most significant byte first.
  case signed16Big = "S16_BE"

  /// All, the best first: those of this machine's byte order before the others.
  package static var preferred: [PCMFormat] {
    1.bigEndian == 1
      ? allCases.filter(\.isBigEndian) + allCases.filter { !$0.isBigEndian }
      : allCases
  }

  /// Whether the first byte is the most significant.
  package var isBigEndian: Bool { rawValue.hasSuffix("BE") }
  /// Whether samples are floats.
  package var isFloat: Bool { self == .float32Little || self == .float32Big }

  /// Significant bits.
  package var bitCount: Int {
    switch self {
    case .signed16Little, .signed16Big: 16
    case .packed24Little, .packed24Big, .signed24Little, .signed24Big: 24
    default: 32
    }
  }

  /// Bytes of a sample.
  package var byteCount: Int {
    switch self {
    case .signed16Little, .signed16Big: 2
    case .packed24Little, .packed24Big: 3
    default: 4
    }
  }

  /// The format for conversions.
  ///
  /// Context: control.
  package func sampleFormat(channelCount: Int, isPlanar: Bool) -> SampleFormat {
    SampleFormat(description(sampleRate: 48_000, channelCount: channelCount, isPlanar: isPlanar))
      ?? SampleFormat(canonicalWithChannelCount: channelCount)
  }

  /// The format as Core Audio describes it.
  ///
  /// Context: any.
  package func description(
    sampleRate: Double, channelCount: Int, isPlanar: Bool = false
  ) -> AudioStreamBasicDescription {
    var flags: UInt32 = isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
    if bitCount == byteCount * 8 { flags |= kAudioFormatFlagIsPacked }
    if isPlanar { flags |= kAudioFormatFlagIsNonInterleaved }
    let frame = UInt32(byteCount * (isPlanar ? 1 : channelCount))
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: UInt32(bitCount), mReserved: 0)
  }
}
