// Keys of settings, and numbers that a client may have put in them as any type.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The format, an AudioFormatID.
public let AVFormatIDKey = "AVFormatIDKey"
/// The sample rate, Hz.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// Bits of a linear sample: 8, 16, 24, 32.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether linear samples have their high byte first.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether linear samples are floats.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether channels have buffers of their own.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleavedKey"
/// Whether channels have buffers of their own.
public let AVLinearPCMIsNonInterleavedKey = "AVLinearPCMIsNonInterleavedKey"
/// The kind of file, an AudioFileTypeID.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// The quality of an encoder, an AVAudioQuality.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// The quality of an encoder with a variable bit rate.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"
/// Bits a second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits a second of a channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The strategy by which an encoder chooses its bit rate.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Bits of the samples that a lossless encoder receives.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// The algorithm of a sample rate converter.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The quality of a sample rate converter.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// The layout of channels: data of an AudioChannelLayout.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

/// One bit rate throughout.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// One bit rate on average.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// A variable bit rate within limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// A variable bit rate.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The usual algorithm of a sample rate converter.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The best algorithm of a sample rate converter.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// An algorithm with nothing before its peak.
public let AVSampleRateConverterAlgorithm_MinimumPhase =
  "AVSampleRateConverterAlgorithm_MinimumPhase"

/// The quality of encoders and converters.
public enum AVAudioQuality: Int, Sendable {
  /// The least.
  case min = 0
  /// A low one.
  case low = 0x20
  /// A medium one.
  case medium = 0x40
  /// A high one.
  case high = 0x60
  /// The best.
  case max = 0x7F
}

extension [String: Any] {
  /// Returns a number of settings, of any type.
  package func auricleNumber(_ key: String) -> Double? {
    switch self[key] {
    case let value as NSNumber: value.doubleValue
    case let value as Bool: value ? 1 : 0
    case let value as any BinaryInteger: Double(value)
    case let value as any BinaryFloatingPoint: Double(value)
    case let value as AVAudioQuality: Double(value.rawValue)
    default: nil
    }
  }
  /// Returns a Boolean of settings, of any type.
  package func auricleClaim(_ key: String) -> Bool? { auricleNumber(key).map { $0 != 0 } }
}

/// An error of a function of C, in the domain of AVFAudio.
package func auricleError(_ status: OSStatus) -> NSError {
  NSError(domain: "com.apple.coreaudio.avfaudio", code: Int(status))
}

/// Throws the error of a function of C.
package func auricleCheck(_ status: OSStatus) throws {
  if status != noErr { throw auricleError(status) }
}
