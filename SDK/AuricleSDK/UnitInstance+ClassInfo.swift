// The whole state of an instance as a dictionary, the way presets are saved.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension UnitInstance {
  /// The state as a CF dictionary, +1.
  ///
  /// Keys: version, type, subtype, manufacturer, name, data; the data holds, big-endian, scope,
  /// element, count, then pairs of parameter id and value bits.
  func makeClassInfo() -> CFDictionaryRef? {
    guard
      let dictionary = unsafe withUnsafePointer(
        to: kCFTypeDictionaryKeyCallBacks,
        { keys in
          unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
            unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
          }
        })
    else { return nil }
    unsafe set(dictionary, "version", number(0))
    unsafe set(dictionary, "type", number(Int32(bitPattern: description.componentType)))
    unsafe set(dictionary, "subtype", number(Int32(bitPattern: description.componentSubType)))
    unsafe set(
      dictionary, "manufacturer", number(Int32(bitPattern: description.componentManufacturer)))
    unsafe set(dictionary, "name", UnsafeRawPointer(makeCFString(presentPreset.name)))
    if presentPreset.number >= 0 {
      unsafe set(dictionary, "preset-number", number(presentPreset.number))
    }
    let bytes = parameterData()
    unsafe set(
      dictionary, "data",
      UnsafeRawPointer(CFDataCreate(nil, bytes, bytes.count)))
    return unsafe dictionary
  }

  /// Takes a state over; one of another unit or version is refused.
  func restoreClassInfo(_ state: CFDictionaryRef?) -> OSStatus {
    guard let state = unsafe state,
      unsafe CFGetTypeID(UnsafeRawPointer(state)) == CFDictionaryGetTypeID()
    else { return kAudioUnitErr_InvalidPropertyValue }
    guard unsafe integer(state, "version") == 0,
      unsafe integer(state, "type") == Int32(bitPattern: description.componentType),
      unsafe integer(state, "subtype") == Int32(bitPattern: description.componentSubType),
      unsafe integer(state, "manufacturer")
        == Int32(bitPattern: description.componentManufacturer),
      unsafe value(state, "part") == nil
    else { return kAudioUnitErr_InvalidPropertyValue }
    if let data = unsafe value(state, "data") {
      guard unsafe CFGetTypeID(data) == CFDataGetTypeID() else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      let blob = CFDataRef(data)
      let bytes = unsafe UnsafeBufferPointer(
        start: CFDataGetBytePtr(blob), count: Int(CFDataGetLength(blob)))
      guard unsafe restore(Array(bytes)) else { return kAudioUnitErr_InvalidPropertyValue }
    }
    var name = "Untitled"
    if let string = unsafe value(state, "name"), unsafe CFGetTypeID(string) == CFStringGetTypeID() {
      unsafe name = String(cfString: CFStringRef(string)) ?? name
    }
    presentPreset = (unsafe integer(state, "preset-number") ?? -1, name)
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

  /// Sets the values of a blob; those of elements or parameters that no longer exist are skipped.
  ///
  /// A damaged blob changes nothing.
  private func restore(_ bytes: [UInt8]) -> Bool {
    func word(_ place: Int) -> UInt32 {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    var place = 0
    var values: [(id: UInt32, scope: UInt32, element: UInt32, bits: UInt32)] = []
    while place < bytes.count {
      guard bytes.count - place >= 12 else { return false }
      let (scope, element, count) = (word(place), word(place + 4), Int(word(place + 8)))
      place += 12
      guard (bytes.count - place) / 8 >= count else { return false }
      for _ in 0..<count {
        values.append((word(place), scope, element, word(place + 4)))
        place += 8
      }
    }
    for value in values {
      _ = setParameter(value.id, value.scope, value.element, Float(bitPattern: value.bits))
    }
    return true
  }

  private func number(_ value: Int32) -> UnsafeRawPointer? {
    var value = value
    return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &value))
  }

  /// Stores a value under a key and gives up the caller's reference.
  private func set(
    _ dictionary: CFMutableDictionaryRef, _ key: String, _ value: UnsafeRawPointer?
  ) {
    guard let value = unsafe value, let name = unsafe makeCFString(key) else { return }
    unsafe CFDictionarySetValue(dictionary, UnsafeRawPointer(name), value)
    unsafe CFRelease(UnsafeRawPointer(name))
    unsafe CFRelease(value)
  }

  /// The value of a key, not retained.
  private func value(_ dictionary: CFDictionaryRef, _ key: String) -> UnsafeRawPointer? {
    guard let name = unsafe makeCFString(key) else { return nil }
    defer { unsafe CFRelease(UnsafeRawPointer(name)) }
    return unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer(name))
  }

  /// A number of 32 bits under a key.
  private func integer(_ dictionary: CFDictionaryRef, _ key: String) -> Int32? {
    guard let found = unsafe value(dictionary, key),
      unsafe CFGetTypeID(found) == CFNumberGetTypeID()
    else { return nil }
    var result: Int32 = 0
    guard unsafe CFNumberGetValue(CFNumberRef(found), kCFNumberSInt32Type, &result) else {
      return nil
    }
    return result
  }
}
