// The settings of an encoder, and their properties.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The choices of an encoder.
package struct EncoderSettings: Sendable, Equatable {
  /// The use of bits by an encoder. The corresponding Core Audio names begin with
  /// `kAudioCodecBitRateControlMode_`.
  package enum Mode: UInt32, Sendable {
    case constant = 0
    case average = 1
    case constrained = 2
    case variable = 3
  }

  /// Bits a second; 0 for the usual ones.
  package var bitRate: UInt32 = 0
  /// The use of bits.
  package var mode = Mode.constant
  /// The quality of a variable rate, 0 to 127.
  package var quality: UInt32 = 64
  /// The depth of the source, for encodings without loss whose format does not contain it.
  package var sourceBits: UInt32 = 24

  /// Settings as a new encoder has them.
  package init() {}

  /// Applies the value of a four-byte property.
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

  /// The delay of AAC: 1024 frames.
  package static let delayMode = kAudioCodecDelayMode_Optimal
}
