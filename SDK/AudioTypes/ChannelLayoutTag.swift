// Channel layout tags: their channel counts, and the default tag of a channel count.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A named arrangement of channels; the low 16 bits are the number of channels.
///
/// The corresponding Core Audio type is `AudioChannelLayoutTag`.
public struct ChannelLayoutTag: RawRepresentable, Hashable, Sendable {
  /// The tag as Core Audio passes it.
  public var rawValue: AudioChannelLayoutTag

  /// Wraps a tag.
  public init(rawValue: AudioChannelLayoutTag) {
    self.rawValue = rawValue
  }

  /// One channel (`kAudioChannelLayoutTag_Mono`).
  public static let mono = ChannelLayoutTag(rawValue: 0x64_0001)
  /// Left and right (`kAudioChannelLayoutTag_Stereo`).
  public static let stereo = ChannelLayoutTag(rawValue: 0x65_0002)
  /// Front left, front right, back left, back right (`kAudioChannelLayoutTag_Quadraphonic`).
  public static let quadraphonic = ChannelLayoutTag(rawValue: 0x6C_0004)
  /// L R C Ls Rs (`kAudioChannelLayoutTag_MPEG_5_0_A`).
  public static let surround5_0 = ChannelLayoutTag(rawValue: 0x75_0005)
  /// L R C LFE Ls Rs (`kAudioChannelLayoutTag_MPEG_5_1_A`).
  public static let surround5_1 = ChannelLayoutTag(rawValue: 0x79_0006)
  /// L R C LFE Ls Rs Cs (`kAudioChannelLayoutTag_MPEG_6_1_A`).
  public static let surround6_1 = ChannelLayoutTag(rawValue: 0x7D_0007)
  /// L R C LFE Ls Rs Rls Rrs (`kAudioChannelLayoutTag_MPEG_7_1_C`).
  public static let surround7_1 = ChannelLayoutTag(rawValue: 0x80_0008)

  /// Channels without a position (`kAudioChannelLayoutTag_DiscreteInOrder` and the number).
  public static func discrete(channelCount: Int) -> ChannelLayoutTag {
    ChannelLayoutTag(rawValue: 0x93_0000 | (UInt32(exactly: channelCount) ?? 0) & 0xFFFF)
  }

  /// Returns the default tag of files and devices for a number of channels, or discrete channels.
  public static func usual(channelCount: Int) -> ChannelLayoutTag {
    switch channelCount {
    case 1: .mono
    case 2: .stereo
    case 4: .quadraphonic
    case 5: .surround5_0
    case 6: .surround5_1
    case 7: .surround6_1
    case 8: .surround7_1
    default: .discrete(channelCount: channelCount)
    }
  }

  /// Number of channels; nil if the layout's descriptions or bitmap define it.
  public var channelCount: Int? {
    switch rawValue {
    case 0, 0x1_0000: nil
    case 0xF000_0000...: nil
    default: Int(rawValue & 0xFFFF)
    }
  }
}
