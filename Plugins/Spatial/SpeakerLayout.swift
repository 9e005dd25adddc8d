// The places of the loudspeakers in channel layouts, and the known layouts.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The azimuths of the channels of a layout, in degrees, positive to the right; nil for one without
/// a place (low frequencies).
struct SpeakerLayout {
  let azimuths: [Double?]

  private static let known: [(tag: AudioChannelLayoutTag, azimuths: [Double?])] = [
    (kAudioChannelLayoutTag_Stereo, [-30, 30]),
    (kAudioChannelLayoutTag_AudioUnit_4, [-45, 45, -135, 135]),
    (kAudioChannelLayoutTag_MPEG_5_0_A, [-30, 30, 0, -110, 110]),
    (kAudioChannelLayoutTag_AudioUnit_5_0, [-30, 30, -110, 110, 0]),
    (kAudioChannelLayoutTag_AudioUnit_5, [-72, 72, -144, 144, 0]),
    (kAudioChannelLayoutTag_AudioUnit_5_1, [-30, 30, 0, nil, -110, 110]),
    (kAudioChannelLayoutTag_AudioUnit_6_0, [-30, 30, -110, 110, 0, 180]),
    (kAudioChannelLayoutTag_AudioUnit_6, [-60, 60, -120, 120, 0, 180]),
    (kAudioChannelLayoutTag_AudioUnit_6_1, [-30, 30, 0, nil, -110, 110, 180]),
    (kAudioChannelLayoutTag_AudioUnit_7_0, [-30, 30, -90, 90, 0, -150, 150]),
    (kAudioChannelLayoutTag_AudioUnit_7_0_Front, [-30, 30, -110, 110, 0, -15, 15]),
    (kAudioChannelLayoutTag_AudioUnit_7_1, [-30, 30, 0, nil, -90, 90, -150, 150]),
    (kAudioChannelLayoutTag_AudioUnit_7_1_Front, [-30, 30, 0, nil, -110, 110, -15, 15]),
    (kAudioChannelLayoutTag_AudioUnit_8, [-45, 45, -135, 135, 0, 180, -90, 90]),
  ]

  /// No loudspeakers.
  static let none = SpeakerLayout()

  private init() { azimuths = [] }

  /// Layouts of loudspeakers.
  static let tags = known.map(\.tag)

  /// Layouts of a sound field: of first order in B-format, and of first to third order.
  static let soundFieldTags =
    [kAudioChannelLayoutTag_Ambisonic_B_Format]
    + [4, 9, 16].map { kAudioChannelLayoutTag_HOA_ACN_SN3D | AudioChannelLayoutTag($0) }

  /// The loudspeakers of a layout; nil for a sound field.
  init?(_ tag: AudioChannelLayoutTag) {
    guard let found = Self.known.first(where: { $0.tag == tag }) else { return nil }
    azimuths = found.azimuths
  }
}
