// The limits of sound that is read, converted or written, and how it is cut into slices.
// SPDX-License-Identifier: Apache-2.0

/// The most channels and the highest sample rate.
package enum SoundLimits {
  /// Channels.
  package static let maximumChannelCount = 1024
  /// Frames a second: 32 times 192 kHz.
  package static let maximumSampleRate = 6_144_000.0
}

/// The frames that are handed over at once: enough to make calls cheap, few enough to stay in the cache.
package func sliceFrames(channelCount: Int) -> Int {
  max(64, 16_384 / channelCount)
}

/// The status codes of failed conversions, as Core Audio's converters return them.
enum ConversionStatus {
  /// `kAudioConverterErr_FormatNotSupported`, 'fmt?'.
  static let formatNotSupported: Int32 = 0x666D_743F
  /// `kAudioConverterErr_UnspecifiedError`, 'what'.
  static let unspecified: Int32 = 0x7768_6174
}
