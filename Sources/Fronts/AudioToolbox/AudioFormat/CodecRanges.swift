// The abilities of encoders, as lists of ranges and tags.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFormats
import CAudioToolbox

/// Lists of the abilities of encoders.
enum CodecRanges {
  /// Single values as ranges.
  static func values(_ values: [Double]) -> [AudioValueRange] {
    values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
  }

  /// The sample rates of an encoder.
  static func sampleRates(_ codec: KnownCodec?) -> [AudioValueRange] {
    guard let codec else { return [] }
    return codec.sampleRates.isEmpty
      ? [AudioValueRange(mMinimum: 1, mMaximum: 655_350)] : values(codec.sampleRates)
  }

  /// The layouts of an encoder for so many channels; for 0, of all numbers that it accepts.
  static func layoutTags(
    _ codec: KnownCodec?, channelCount: UInt32
  ) -> [AudioChannelLayoutTag] {
    guard let codec else { return [] }
    return codec.channelCounts.filter { channelCount == 0 || $0 == channelCount }.map {
      FormatCompletion.usualTag(channelCount: $0, of: codec.id)
    }
  }
}
