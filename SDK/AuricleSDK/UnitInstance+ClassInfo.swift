// The whole state of an instance as a dictionary, the way presets are saved.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension UnitInstance {
  /// The state as a CF dictionary, +1.
  ///
  /// Keys: version, type, subtype, manufacturer, name, data; the data holds, big-endian, scope,
  /// element, count, then pairs of parameter id and value bits. The unit's own keys follow.
  func makeClassInfo() -> (status: OSStatus, state: CFDictionaryRef?) {
    guard let dictionary = unsafe UnitState.makeDictionary() else {
      return (kAudio_MemFullError, nil)
    }
    let state = unsafe UnitState(writing: dictionary)
    state.set("version", integer: 0)
    state.set("type", integer: Int32(bitPattern: description.componentType))
    state.set("subtype", integer: Int32(bitPattern: description.componentSubType))
    state.set("manufacturer", integer: Int32(bitPattern: description.componentManufacturer))
    state.set("name", string: presentPreset.name)
    if presentPreset.number >= 0 { state.set("preset-number", integer: presentPreset.number) }
    state.set("data", data: parameterData())
    if let own = definition.state {
      let status = own.save(self, state)
      guard status == 0 else {
        unsafe CFRelease(UnsafeRawPointer(dictionary))
        return (status, nil)
      }
    }
    return unsafe (0, dictionary)
  }

  /// Takes a state over; one of another unit or version is refused.
  ///
  /// The type is not compared: an effect and an offline effect may be the same unit.
  func restoreClassInfo(_ dictionary: CFDictionaryRef?) -> OSStatus {
    guard let dictionary = unsafe dictionary,
      unsafe CFGetTypeID(UnsafeRawPointer(dictionary)) == CFDictionaryGetTypeID()
    else { return kAudioUnitErr_InvalidPropertyValue }
    let state = unsafe UnitState(reading: dictionary)
    guard state.integer("version") == 0,
      state.integer("subtype") == Int32(bitPattern: description.componentSubType),
      state.integer("manufacturer") == Int32(bitPattern: description.componentManufacturer),
      unsafe state.value("part") == nil
    else { return kAudioUnitErr_InvalidPropertyValue }
    var values: [SavedValue] = []
    if unsafe state.value("data") != nil {
      guard let bytes = state.data("data"), let parsed = Self.parse(bytes) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      values = parsed
    }
    if let own = definition.state {
      let status = own.restore(self, state)
      guard status == 0 else { return status }
    }
    for value in values {
      _ = setParameter(value.id, value.scope, value.element, Float(bitPattern: value.bits))
    }
    presentPreset = (state.integer("preset-number") ?? -1, state.string("name") ?? "Untitled")
    propertyChanged(kAudioUnitProperty_ClassInfo)
    propertyChanged(kAudioUnitProperty_PresentPreset)
    return 0
  }

  /// The values of all parameters but the meters.
  private func parameterData() -> [UInt8] {
    let written = definition.parameters.enumerated().filter { !$0.element.isMeter }
    guard !written.isEmpty else { return [] }
    var words: [UInt32] = [kAudioUnitScope_Global, 0, UInt32(written.count)]
    for (place, parameter) in written {
      words += [parameter.id, values.value(at: place).bitPattern]
    }
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  /// The values of a blob, in its order; nil for a damaged one.
  private static func parse(_ bytes: [UInt8]) -> [SavedValue]? {
    func word(_ place: Int) -> UInt32 {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    var place = 0
    var values: [SavedValue] = []
    while place < bytes.count {
      guard bytes.count - place >= 12 else { return nil }
      let (scope, element, count) = (word(place), word(place + 4), Int(word(place + 8)))
      place += 12
      guard (bytes.count - place) / 8 >= count else { return nil }
      for _ in 0..<count {
        values.append(
          SavedValue(id: word(place), scope: scope, element: element, bits: word(place + 4)))
        place += 8
      }
    }
    return values
  }
}

/// One value of the parameters' blob.
private struct SavedValue {
  var id: AudioUnitParameterID
  var scope: AudioUnitScope
  var element: AudioUnitElement
  var bits: UInt32
}
