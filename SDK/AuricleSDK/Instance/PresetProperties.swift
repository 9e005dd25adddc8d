// The properties of presets and saved state.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitProperty {
  /// Rows of the properties of presets.
  static let ofPresets: [AudioUnitPropertyID: UnitProperty] = unsafe [
    kAudioUnitProperty_ClassInfo: classInfo,
    kAudioUnitProperty_ClassInfoFromDocument: classInfo,
    kAudioUnitProperty_FactoryPresets: .value(
      .global, CFArrayRef?.self, exists: { !$0.unit.factoryPresetNames.isEmpty },
      get: { unsafe $0.unit.factoryPresetArray() }),
    kAudioUnitProperty_PresentPreset: .value(
      .state, AUPreset.self,
      get: { place in
        let preset = place.unit.presetName(part: place.part)
        return unsafe AUPreset(
          presetNumber: preset.number, presetName: makeCFString(preset.name))
      },
      set: { unsafe $0.unit.setPresentPreset($1, part: $0.part) }),
    // The old form of the same, whose name stays the unit's.
    kAudioUnitProperty_CurrentPreset: .value(
      .global, AUPreset.self,
      get: { place in
        let preset = place.unit.presentPreset
        return unsafe AUPreset(
          presetNumber: preset.number, presetName: place.unit.names.string(preset.name))
      },
      set: { unsafe $0.unit.setPresentPreset($1) }),
  ]

  private static let classInfo = unsafe UnitProperty(
    .state, info: { _ in PropertyInfo(size: pointerSize, isWritable: true) },
    read: { place, data, _ in
      let (status, state) = unsafe place.unit.makeClassInfo(part: place.part)
      unsafe data.storeBytes(of: state, as: CFDictionaryRef?.self)
      return status
    },
    write: { place, data, size in
      guard size == pointerSize else { return kAudioUnitErr_InvalidPropertyValue }
      return unsafe place.unit.restoreClassInfo(
        data.loadUnaligned(as: CFDictionaryRef?.self), part: place.part)
    })
}

extension PropertyPlace {
  /// The part of the state; nil for the whole unit.
  fileprivate var part: AudioUnitElement? { scope == kAudioUnitScope_Part ? element : nil }
}
