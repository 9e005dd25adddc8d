// The weights of a layout's channels in loudness.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The weights of ITU-R BS.1770: 1.41 for loudspeakers at 60 to 120 degrees, 0 for low frequencies, 1 for all others.
enum SurroundWeights {
  /// The channels at the sides, and the one for low frequencies, of layouts that have any.
  private static let places: [(tag: AudioChannelLayoutTag, sides: [Int], low: Int?)] = [
    (kAudioChannelLayoutTag_Quadraphonic, [2, 3], nil),
    (kAudioChannelLayoutTag_AudioUnit_4, [2, 3], nil),
    (kAudioChannelLayoutTag_MPEG_5_0_A, [3, 4], nil),
    (kAudioChannelLayoutTag_AudioUnit_5_0, [2, 3], nil),
    (kAudioChannelLayoutTag_AudioUnit_5, [0, 1], nil),
    (kAudioChannelLayoutTag_MPEG_5_1_A, [4, 5], 3),
    (kAudioChannelLayoutTag_MPEG_5_1_B, [2, 3], 5),
    (kAudioChannelLayoutTag_MPEG_5_1_C, [3, 4], 5),
    (kAudioChannelLayoutTag_MPEG_5_1_D, [3, 4], 5),
    (kAudioChannelLayoutTag_AudioUnit_6_0, [2, 3], nil),
    (kAudioChannelLayoutTag_AudioUnit_6, [0, 1, 2, 3], nil),
    (kAudioChannelLayoutTag_MPEG_6_1_A, [4, 5], 3),
    (kAudioChannelLayoutTag_AudioUnit_7_0, [2, 3], nil),
    (kAudioChannelLayoutTag_AudioUnit_7_0_Front, [2, 3], nil),
    (kAudioChannelLayoutTag_MPEG_7_1_A, [4, 5], 3),
    (kAudioChannelLayoutTag_MPEG_7_1_C, [4, 5], 3),
    (kAudioChannelLayoutTag_AudioUnit_8, [6, 7], nil),
  ]

  /// The weights of all channels; those of a layout that is not known are 1. Context: control.
  static func weights(channelCount: Int, layoutTag: AudioChannelLayoutTag) -> [Double] {
    var weights = [Double](repeating: 1, count: channelCount)
    guard let layout = places.first(where: { $0.tag == layoutTag }),
      Int(layoutTag & 0xFFFF) == channelCount
    else { return weights }
    for channel in layout.sides { weights[channel] = 1.41 }
    if let low = layout.low { weights[low] = 0 }
    return weights
  }
}
