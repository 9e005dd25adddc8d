// Units that no chain takes, known by what they are.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension ChainStage {
  /// Why no chain takes a unit, as the end of a sentence; nil where chains take it.
  ///
  /// A chain keeps the length of a file, and these units ask their input for other numbers of frames than they
  /// give. Context: any.
  public static func refusal(of description: AudioComponentDescription) -> String? {
    let tempos = [
      kAudioUnitSubType_Varispeed, kAudioUnitSubType_TimePitch, kAudioUnitSubType_NewTimePitch,
      kAudioUnitSubType_AUiPodTimeOther, kAudioUnitSubType_AUiPodTime,
    ]
    let isOffline = description.componentType == kAudioUnitType_OfflineEffect
    if isOffline, !tempos.contains(description.componentSubType) {
      return "it works on a whole sound, and a chain passes a sound on from its start"
    }
    guard
      description.componentType == kAudioUnitType_FormatConverter
        || isOffline, tempos.contains(description.componentSubType)
    else { return nil }
    return "it plays its input faster or slower, and a chain keeps the length of a file"
  }
}
