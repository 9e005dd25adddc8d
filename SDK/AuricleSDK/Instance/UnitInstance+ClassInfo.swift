// The whole state of an instance as a dictionary, the form of saved presets.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension UnitInstance {
  /// Returns the state as a CF dictionary, +1; of the whole unit, or of one part.
  ///
  /// Keys: version, type, subtype, manufacturer, name, data, and if present render-quality, element-name,
  /// preset-number and part; the data holds, big-endian, for each element with parameters scope, element,
  /// count, then pairs of parameter id and value bits. The unit's own keys follow.
  func makeClassInfo(part: AudioUnitElement?) -> (status: OSStatus, state: CFDictionaryRef?) {
    guard let dictionary = unsafe UnitState.makeDictionary() else {
      return (kAudio_MemFullError, nil)
    }
    let state = unsafe UnitState(writing: dictionary)
    state.set("version", integer: 0)
    state.set("type", integer: Int32(bitPattern: description.componentType))
    state.set("subtype", integer: Int32(bitPattern: description.componentSubType))
    state.set("manufacturer", integer: Int32(bitPattern: description.componentManufacturer))
    state.set("name", string: presetName(part: part).name)
    state.set("data", data: parameterData(part: part))
    if let part {
      state.set("part", integer: Int32(part))
      return unsafe (0, dictionary)
    }
    if presentPreset.number >= 0 { state.set("preset-number", integer: presentPreset.number) }
    state.set("render-quality", integer: Int32(settings.renderQuality))
    saveElementNames(to: state)
    if let own = definition.state {
      let status = own.save(self, state)
      guard status == 0 else {
        unsafe CFRelease(UnsafeRawPointer(dictionary))
        return (status, nil)
      }
    }
    return unsafe (0, dictionary)
  }

  /// Restores a state; one of another unit or version is refused, and that of a part for the whole unit.
  ///
  /// The type is not compared: an effect and an offline effect may be the same unit.
  func restoreClassInfo(_ dictionary: CFDictionaryRef?, part: AudioUnitElement?) -> OSStatus {
    guard let dictionary = unsafe dictionary,
      unsafe CFGetTypeID(UnsafeRawPointer(dictionary)) == CFDictionaryGetTypeID()
    else { return kAudioUnitErr_InvalidPropertyValue }
    let state = unsafe UnitState(reading: dictionary)
    guard state.integer("version") == 0,
      state.integer("subtype") == Int32(bitPattern: description.componentSubType),
      state.integer("manufacturer") == Int32(bitPattern: description.componentManufacturer),
      unsafe (state.value("part") == nil) == (part == nil)
    else { return kAudioUnitErr_InvalidPropertyValue }
    var values: [SavedValue] = []
    if unsafe state.value("data") != nil {
      guard let bytes = state.data("data"), let parsed = Self.parse(bytes) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      values = parsed
    }
    if part == nil, let own = definition.state {
      let status = own.restore(self, state)
      guard status == 0 else { return status }
    }
    for value in values where part == nil || value.scope == kAudioUnitScope_Part {
      // A part's state may be restored in another part.
      _ = setParameter(
        value.id, value.scope, part ?? value.element, Float(bitPattern: value.bits))
    }
    if let part {
      partPresets[Int(part)] = (-1, state.string("name") ?? "Untitled")
      for property in [kAudioUnitProperty_ClassInfo, kAudioUnitProperty_PresentPreset] {
        propertyChanged(property, scope: kAudioUnitScope_Part, element: part)
      }
      return 0
    }
    if let quality = state.integer("render-quality"), (0...Int32(kRenderQuality_Max)) ~= quality {
      settings.renderQuality = UInt32(quality)
    }
    restoreElementNames(of: state)
    let number = state.integer("preset-number") ?? -1
    let isFactory = definition.factoryPresets.indices.contains(Int(number))
    presentPreset = (isFactory ? number : -1, state.string("name") ?? "Untitled")
    propertyChanged(kAudioUnitProperty_ClassInfo)
    propertyChanged(kAudioUnitProperty_PresentPreset)
    return 0
  }

  /// Returns the values of all parameters of all elements, except meters and those omitted from presets.
  private func parameterData(part: AudioUnitElement?) -> [UInt8] {
    var words: [UInt32] = []
    for scope in 0..<AudioUnitScope(ParameterTable.scopeCount) {
      if part != nil, scope != kAudioUnitScope_Part { continue }
      let written = parameters(of: scope).enumerated().filter {
        !$0.element.isMeter && !$0.element.isOmittedFromPresets
      }
      guard !written.isEmpty else { continue }
      for (element, row) in table.rows(scope) {
        if let part, part != element { continue }
        words += [scope, element, UInt32(written.count)]
        for (place, parameter) in written {
          words += [parameter.id, value(scope, row, place).bitPattern]
        }
      }
    }
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  /// Saves the names that a host has set for elements, by scope and element in decimal.
  private func saveElementNames(to state: UnitState) {
    guard !elementNames.isEmpty else { return }
    let scopes = Dictionary(grouping: elementNames) { $0.key.scope }
    state.set("element-name") { inner in
      for (scope, names) in scopes {
        inner.set("\(scope)") { elements in
          for (address, name) in names { elements.set("\(address.element)", string: name) }
        }
      }
    }
  }

  /// Restores the names of existing elements; others get their default names.
  private func restoreElementNames(of state: UnitState) {
    elementNames = [:]
    guard let names = state.state("element-name") else { return }
    for scope in 0..<AudioUnitScope(ParameterTable.scopeCount) {
      guard let elements = names.state("\(scope)") else { continue }
      for element in 0..<(elementCount(scope) ?? 0) {
        if let name = elements.string("\(element)") {
          setElementName(scope, AudioUnitElement(element), name)
        }
      }
    }
  }

  /// Returns the values of a blob, in order; nil for a damaged one.
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
