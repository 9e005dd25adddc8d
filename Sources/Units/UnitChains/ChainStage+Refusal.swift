// Units that no chain accepts, known by their descriptions.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension ChainStage {
  /// The reason why no chain accepts a unit, as the end of a sentence; nil where chains accept it.
  ///
  /// A chain keeps the length of a file, and these units ask their input for other numbers of frames than they
  /// return. The offline units of the same names are run over a whole sound, and may change its length.
  /// Context: any.
  public static func refusal(of description: AudioComponentDescription) -> String? {
    let tempos = [
      kAudioUnitSubType_Varispeed, kAudioUnitSubType_TimePitch, kAudioUnitSubType_NewTimePitch,
      kAudioUnitSubType_AUiPodTimeOther, kAudioUnitSubType_AUiPodTime,
    ]
    guard description.componentType == kAudioUnitType_FormatConverter,
      tempos.contains(description.componentSubType)
    else { return nil }
    return "it plays its input faster or slower, and a chain keeps the length of a file"
  }
}
