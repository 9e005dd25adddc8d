// Factory presets and the current preset.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitInstance {
  /// Names of the factory presets, by number: those declared, then those found at run time.
  var factoryPresetNames: [String] {
    definition.factoryPresets.map(\.name) + (definition.furtherPresetNames?(self) ?? [])
  }

  /// Returns the factory presets as a CF array of pointers to `AUPreset`, +1; the presets are valid as
  /// long as the instance.
  func factoryPresetArray() -> CFArrayRef? {
    let texts = factoryPresetNames
    for number in texts.indices where unsafe number >= presetStorage.count {
      let preset = UnsafeMutablePointer<AUPreset>.allocate(capacity: 1)
      unsafe preset.initialize(
        to: AUPreset(presetNumber: Int32(number), presetName: names.string(texts[number])))
      unsafe presetStorage.append(preset)
    }
    var pointers: [UnsafeRawPointer?] = unsafe presetStorage.prefix(texts.count).map {
      UnsafeRawPointer($0)
    }
    return unsafe CFArrayCreate(nil, &pointers, pointers.count, nil)
  }

  /// Returns the number and name of the current preset of the unit or one of its parts.
  func presetName(part: AudioUnitElement?) -> (number: Int32, name: String) {
    guard let part else { return presentPreset }
    return partPresets[Int(part)] ?? (-1, "Untitled")
  }

  /// Sets the current preset: a factory preset by its number, or a name for the current state.
  ///
  /// Factory presets are of the whole unit; a part has none.
  func setPresentPreset(_ preset: AUPreset, part: AudioUnitElement? = nil) -> OSStatus {
    let number = unsafe Int(preset.presetNumber)
    if let part {
      guard number < 0, let name = unsafe String(cfString: preset.presetName) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      partPresets[Int(part)] = (Int32(number), name)
      propertyChanged(
        kAudioUnitProperty_PresentPreset, scope: kAudioUnitScope_Part, element: part)
      return 0
    }
    if number < 0 {
      guard let name = unsafe String(cfString: preset.presetName) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      presentPreset = (Int32(number), name)
    } else {
      let all = factoryPresetNames
      guard number < all.count else { return kAudioUnitErr_InvalidPropertyValue }
      if let select = definition.selectPreset {
        let status = select(self, number)
        guard status == 0 else { return status }
      } else {
        setDefaults()
        for (id, value) in definition.factoryPresets[number].values {
          _ = setParameter(id, kAudioUnitScope_Global, 0, value)
        }
      }
      presentPreset = (Int32(number), all[number])
    }
    propertyChanged(kAudioUnitProperty_PresentPreset)
    return 0
  }
}
