// Units that no chain takes, known by what they are.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension ChainStage {
  /// Why no chain takes a unit, as the end of a sentence; nil where chains take it.
  ///
  /// A chain keeps the length of a file, and these units ask their input for other numbers of frames than they
  /// give. The offline units of the same names are run over a whole sound, and have a length of their own.
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
