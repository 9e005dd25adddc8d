// Factory presets and the preset that is in force.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitInstance {
  /// The factory presets as a CF array of pointers to `AUPreset`, +1; the presets live as long as
  /// the instance.
  func factoryPresetArray() -> CFArrayRef? {
    if unsafe presetStorage == nil {
      let count = definition.factoryPresets.count
      let storage = UnsafeMutablePointer<AUPreset>.allocate(capacity: max(count, 1))
      for (number, preset) in definition.factoryPresets.enumerated() {
        unsafe (storage + number).initialize(
          to: AUPreset(presetNumber: Int32(number), presetName: names.string(preset.name)))
      }
      unsafe presetStorage = storage
    }
    guard let storage = unsafe presetStorage else { return nil }
    var pointers: [UnsafeRawPointer?] = unsafe definition.factoryPresets.indices.map {
      unsafe UnsafeRawPointer(storage + $0)
    }
    return unsafe CFArrayCreate(nil, &pointers, pointers.count, nil)
  }

  /// Puts a preset in force: a factory preset by its number, or a name for the state as it is.
  func setPresentPreset(_ preset: AUPreset) -> OSStatus {
    let number = unsafe Int(preset.presetNumber)
    if number < 0 {
      guard let name = unsafe String(cfString: preset.presetName) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      presentPreset = (Int32(number), name)
    } else {
      guard number < definition.factoryPresets.count else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      let chosen = definition.factoryPresets[number]
      if let select = definition.selectPreset {
        let status = select(self, number)
        guard status == 0 else { return status }
      } else {
        setDefaults()
        for (id, value) in chosen.values {
          _ = setParameter(id, kAudioUnitScope_Global, 0, value)
        }
      }
      presentPreset = (Int32(number), chosen.name)
    }
    propertyChanged(kAudioUnitProperty_PresentPreset)
    return 0
  }

  /// A CF array of strings, +1.
  func makeCFArray(_ texts: [String]) -> CFArrayRef? {
    var strings: [UnsafeRawPointer?] = unsafe texts.map {
      unsafe UnsafeRawPointer(makeCFString($0))
    }
    defer {
      unsafe strings.forEach { if let string = unsafe $0 { unsafe CFRelease(string) } }
    }
    return unsafe withUnsafePointer(to: kCFTypeArrayCallBacks) {
      unsafe CFArrayCreate(nil, &strings, strings.count, $0)
    }
  }
}
