// The target of panning: loudspeakers, or the channels of a sound field.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The channels of an output and how a direction becomes their gains.
///
/// Context: render; made and freed on a control thread.
@safe struct PanTarget: BitwiseCopyable {
  let channelCount: Int
  private let ring: SpeakerRing
  private let isBFormat: Bool
  private let isField: Bool

  /// Makes the target for a layout of `SpeakerLayout`; of any other, the first two channels are a
  /// stereo pair.
  init(_ tag: AudioChannelLayoutTag, channelCount: Int) {
    self.channelCount = channelCount
    isBFormat = tag == kAudioChannelLayoutTag_Ambisonic_B_Format
    isField = SpeakerLayout.soundFieldTags.contains(tag)
    let stereo = SpeakerLayout(kAudioChannelLayoutTag_Stereo)
    ring = SpeakerRing(SpeakerLayout(tag) ?? stereo ?? SpeakerLayout.none)
  }

  /// Frees the memory. Context: control.
  func deallocate() { ring.deallocate() }

  /// Sets the gains of all channels for a direction (radians).
  @_noLocks func fill(
    _ gains: UnsafeMutablePointer<Float>, _ law: PanLaw, azimuth: Double, elevation: Double,
    gain: Double
  ) {
    for channel in 0..<channelCount { unsafe gains[channel] = 0 }
    if isBFormat {
      unsafe SoundField.encodeBFormat(gains, azimuth: azimuth, elevation: elevation, gain: gain)
    } else if isField {
      unsafe SoundField.encode(
        gains, channelCount, azimuth: azimuth, elevation: elevation, gain: gain)
    } else {
      unsafe ring.fill(gains, law, azimuth: azimuth, elevation: elevation, gain: gain)
    }
  }
}
