// How an encoder is set up, and the properties that say so.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// What can be asked of an encoder.
package struct EncoderSettings: Sendable, Equatable {
  /// How an encoder spends bits. The corresponding Core Audio names begin with `kAudioCodecBitRateControlMode_`.
  package enum Mode: UInt32, Sendable {
    case constant = 0
    case average = 1
    case constrained = 2
    case variable = 3
  }

  /// Bits a second; 0 for the usual ones.
  package var bitRate: UInt32 = 0
  /// How they are spent.
  package var mode = Mode.constant
  /// How good a variable rate is, 0 to 127.
  package var quality: UInt32 = 64
  /// The depth of what goes in, for encodings without loss whose format does not tell it.
  package var sourceBits: UInt32 = 24

  /// Settings as a new encoder has them.
  package init() {}

  /// Sets what a property of four bytes says.
  ///
  /// - Returns: 0; -50 for a value that there is not; nil for a property of something else.
  package mutating func set(_ property: AudioCodecPropertyID, _ number: UInt32) -> OSStatus? {
    switch property {
    case kAudioCodecPropertyCurrentTargetBitRate: bitRate = number
    case kAudioCodecPropertyBitRateForVBR: (bitRate, mode) = (number, .constrained)
    case kAudioCodecPropertyBitRateControlMode:
      guard let wanted = Mode(rawValue: number) else { return kAudio_ParamError }
      mode = wanted
    case kAudioCodecPropertyQualitySetting, kAudioCodecPropertySoundQualityForVBR,
      kAudioConverterCodecQuality:
      guard number <= 127 else { return kAudio_ParamError }
      quality = number
    case kAudioCodecPropertyDelayMode:
      // The least delay is the best one, and there is no other.
      guard [Self.delayMode, kAudioCodecDelayMode_Minimum].contains(number) else {
        return kAudio_ParamError
      }
    default: return nil
    }
    return noErr
  }

  /// How late AAC is: 1024 frames.
  package static let delayMode = kAudioCodecDelayMode_Optimal
}
