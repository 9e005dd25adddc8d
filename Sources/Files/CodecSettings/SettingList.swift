// The choices of an encoder or a filter, as the dictionaries of AudioCodec.h contain them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The settings of one part of a converter.
package struct SettingList: Sendable {
  /// A setting: a property, and the numbers that it accepts.
  package struct Setting: Sendable {
    /// The property.
    package let code: UInt32
    /// Its name for people.
    package let name: String
    /// The effect, in a sentence.
    package let summary: String
    /// The unit of the numbers; empty for none.
    package let unit: String
    /// The numbers to choose from.
    package let available: [UInt32]
    /// The number that is set.
    package let current: UInt32

    /// Describes a setting.
    package init(
      _ code: UInt32, _ name: String, _ summary: String, unit: String = "", available: [UInt32],
      current: UInt32
    ) {
      self.code = code
      self.name = name
      self.summary = summary
      self.unit = unit
      self.available = available
      self.current = current
    }
  }

  /// The name of the part.
  package let name: String
  /// Its settings.
  package let settings: [Setting]

  /// Describes a part.
  package init(name: String, settings: [Setting]) {
    self.name = name
    self.settings = settings
  }

  private static let qualities = [
    kAudioCodecQuality_Min, kAudioCodecQuality_Low, kAudioCodecQuality_Medium,
    kAudioCodecQuality_High, kAudioCodecQuality_Max,
  ]

  /// The settings of an encoder with bit rates to choose from; none for another.
  ///
  /// - Parameter quality: The property of its quality, and the number that is set.
  package static func encoder(
    _ name: String, bitRates: [UInt32], bitRate: UInt32, mode: UInt32,
    quality: (code: UInt32, number: UInt32)
  ) -> SettingList {
    guard !bitRates.isEmpty else { return SettingList(name: name, settings: []) }
    return SettingList(
      name: name,
      settings: [
        Setting(
          kAudioCodecPropertyBitRateControlMode, "Bit Rate Strategy",
          "Whether bits are spent constantly, on average, or as the sound needs them.",
          available: [0, 1, 2, 3], current: mode),
        Setting(
          kAudioCodecPropertyCurrentTargetBitRate, "Target Bit Rate",
          "Bits that a second of sound takes.", unit: "bps", available: bitRates, current: bitRate),
        Setting(
          quality.code, "Quality", "How good a variable bit rate sounds.", available: qualities,
          current: quality.number),
      ])
  }

  /// The settings of a filter between two sample rates.
  package static func sampleRateConverter(complexity: UInt32, quality: UInt32) -> SettingList {
    SettingList(
      name: "Sample Rate Converter",
      settings: [
        Setting(
          kAudioConverterSampleRateConverterComplexity, "Complexity", "The kind of filter.",
          available: [
            kAudioConverterSampleRateConverterComplexity_Linear,
            kAudioConverterSampleRateConverterComplexity_Normal,
            kAudioConverterSampleRateConverterComplexity_Mastering,
            kAudioConverterSampleRateConverterComplexity_MinimumPhase,
          ], current: complexity),
        Setting(
          kAudioConverterSampleRateConverterQuality, "Quality",
          "How steep the filter is, and how much it attenuates.", available: qualities,
          current: quality),
      ])
  }
}
