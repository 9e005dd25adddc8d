// The formats that a sending unit has by number, and as Core Audio describes them.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import NetworkSound

/// The transmission formats. The corresponding Core Audio names begin with `kAUNetSendPresetFormat_`.
enum SendFormats {
  /// The words by which presets choose them.
  static let words = [
    "float", "s24", "s16", "alac24", "alac16", "ulaw", "ima4", "aac128", "aac96", "aac80", "aac64",
    "aac48", "aac40", "aac32", "aac-ld64", "aac-ld48", "aac-ld40", "aac-ld32",
  ]

  /// Bits a second and channel of the AAC formats, from number 7 on.
  private static let aacRates = [128_000, 96_000, 80_000, 64_000, 48_000, 40_000, 32_000]

  /// The format of a number.
  ///
  /// - Throws: A refusal of a number that is none, and of AAC of low delay, which nobody here encodes.
  static func format(
    _ index: Int, sampleRate: Double, channelCount: Int
  ) throws(UnitRefusal) -> SoundFormat {
    let plain: [SoundEncoding] = [
      .float32, .linear24, .linear16, .lossless24, .lossless16, .muLaw, .ima4,
    ]
    if plain.indices.contains(index) {
      return SoundFormat(
        plain[index], sampleRate: Int(sampleRate), channelCount: channelCount)
    }
    guard aacRates.indices.contains(index - plain.count) else {
      throw UnitRefusal(
        status: words.indices.contains(index)
          ? kAudioUnitErr_FormatNotSupported : kAudioUnitErr_InvalidPropertyValue,
        reason: words.indices.contains(index)
          ? "AAC of low delay has no encoder here: choose one of the formats 0 to 13"
          : "the transmission formats are 0 to 13, not \(index)")
    }
    return SoundFormat(
      .aac, sampleRate: Int(sampleRate), channelCount: channelCount,
      bitRate: aacRates[index - plain.count] * channelCount)
  }

  /// The number of a format that a host describes; nil for one that is none of them. A description of AAC has no rate: the
  /// present number remains if it is one of AAC.
  static func index(of description: AudioStreamBasicDescription, present: Int) -> Int? {
    switch description.mFormatID {
    case kAudioFormatLinearPCM:
      if description.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
        return description.mBitsPerChannel == 32 ? 0 : nil
      }
      return [24: 1, 16: 2][description.mBitsPerChannel]
    case kAudioFormatAppleLossless:
      return [
        kAppleLosslessFormatFlag_24BitSourceData: 3, kAppleLosslessFormatFlag_16BitSourceData: 4,
      ][description.mFormatFlags]
    case kAudioFormatULaw: return 5
    case kAudioFormatAppleIMA4: return 6
    case kAudioFormatMPEG4AAC: return max(present, 7)
    default: return nil
    }
  }
}
