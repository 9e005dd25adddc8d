// Channel maps of ports as channel layouts.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

/// The channel layouts for maps of CLAP's surround extension.
enum CLAPLayouts {
  /// Places of speakers as CLAP numbers them, in the order of each layout.
  private static let known: [(places: [UInt8], tag: UInt32)] = [
    ([2], kAudioChannelLayoutTag_Mono),
    ([0, 1], kAudioChannelLayoutTag_Stereo),
    ([0, 1, 2], kAudioChannelLayoutTag_MPEG_3_0_A),
    ([0, 1, 8], kAudioChannelLayoutTag_ITU_2_1),
    ([0, 1, 4, 5], kAudioChannelLayoutTag_Quadraphonic),
    ([0, 1, 9, 10], kAudioChannelLayoutTag_ITU_2_2),
    ([0, 1, 2, 8], kAudioChannelLayoutTag_MPEG_4_0_A),
    ([0, 1, 2, 9, 10], kAudioChannelLayoutTag_MPEG_5_0_A),
    ([0, 1, 2, 4, 5], kAudioChannelLayoutTag_WAVE_5_0_B),
    ([0, 1, 2, 3, 9, 10], kAudioChannelLayoutTag_MPEG_5_1_A),
    ([0, 1, 2, 3, 4, 5], kAudioChannelLayoutTag_WAVE_5_1_B),
    ([0, 1, 2, 3, 9, 10, 8], kAudioChannelLayoutTag_MPEG_6_1_A),
    ([0, 1, 2, 3, 8, 9, 10], kAudioChannelLayoutTag_WAVE_6_1),
    ([0, 1, 2, 3, 9, 10, 4, 5], kAudioChannelLayoutTag_MPEG_7_1_C),
    ([0, 1, 2, 3, 4, 5, 9, 10], kAudioChannelLayoutTag_WAVE_7_1),
    ([0, 1, 2, 3, 9, 10, 6, 7], kAudioChannelLayoutTag_MPEG_7_1_A),
    ([0, 1, 2, 3, 9, 10, 4, 5, 12, 14, 15, 17], kAudioChannelLayoutTag_Atmos_7_1_4),
  ]

  /// The tag of a map; channels without a place where there is no such layout.
  static func tag(ofMap map: [UInt8]) -> UInt32 {
    known.first { $0.places == map }?.tag
      ?? kAudioChannelLayoutTag_DiscreteInOrder | UInt32(map.count & 0xFFFF)
  }

  /// The tag of ambisonic channels by their order (1: ACN) and normalization (1: SN3D, 2: N3D).
  static func tag(ordering: UInt32, normalization: UInt32, channelCount: UInt32) -> UInt32 {
    switch (ordering, normalization) {
    case (1, 1): kAudioChannelLayoutTag_HOA_ACN_SN3D | channelCount
    case (1, 2): kAudioChannelLayoutTag_HOA_ACN_N3D | channelCount
    default: kAudioChannelLayoutTag_DiscreteInOrder | channelCount
    }
  }
}
