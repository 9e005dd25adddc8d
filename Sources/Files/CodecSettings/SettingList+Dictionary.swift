// Settings as dictionaries of Core Foundation, and the programs' changes in them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import CAudioToolbox

extension SettingList {
  /// The dictionary of a part; the caller releases it.
  ///
  /// - Returns: nil only if memory is exhausted.
  package func makeDictionary() -> CFDictionaryRef? {
    let parameters = unsafe makeCFArray(
      takingOver: settings.map { unsafe UnsafeRawPointer($0.makeDictionary()) })
    return unsafe makeCFDictionary(takingOver: [
      kAudioSettings_TopLevelKey: UnsafeRawPointer(makeCFString(name)),
      kAudioSettings_Version: Self.number(1),
      kAudioSettings_Parameters: UnsafeRawPointer(parameters),
    ])
  }

  /// The dictionaries of several parts in an array; the caller releases it.
  package static func makeArray(_ parts: [SettingList]) -> CFArrayRef? {
    unsafe makeCFArray(takingOver: parts.map { unsafe UnsafeRawPointer($0.makeDictionary()) })
  }

  fileprivate static func number(_ value: UInt32) -> UnsafeRawPointer? {
    var value = Int64(value)
    return unsafe CFNumberCreate(nil, kCFNumberSInt64Type, &value).map {
      unsafe UnsafeRawPointer($0)
    }
  }

  /// The properties whose numbers in a dictionary differ from these, in its order.
  ///
  /// - Returns: nil for another dictionary, or one that names other settings.
  package func changes(in object: UnsafeRawPointer) -> [(code: UInt32, number: UInt32)]? {
    guard let parameters = unsafe Self.objects(Self.value(kAudioSettings_Parameters, of: object))
    else { return nil }
    var changes: [(code: UInt32, number: UInt32)] = []
    for index in unsafe parameters.indices {
      let parameter = unsafe parameters[index]
      guard let key = unsafe Self.text(Self.value(kAudioSettings_SettingKey, of: parameter)),
        let setting = settings.first(where: { $0.key == key }),
        let number = unsafe Self.number(Self.value(kAudioSettings_CurrentValue, of: parameter))
      else { return nil }
      if number != setting.current { changes.append((setting.code, number)) }
    }
    return changes
  }

  /// The changes in an array of dictionaries, each of the part whose name it has.
  ///
  /// - Returns: nil for another array, or one that names other parts.
  package static func changes(
    of parts: [SettingList], in array: UnsafeRawPointer
  ) -> [(code: UInt32, number: UInt32)]? {
    guard let dictionaries = unsafe objects(array) else { return nil }
    var all: [(code: UInt32, number: UInt32)] = []
    for index in unsafe dictionaries.indices {
      let dictionary = unsafe dictionaries[index]
      guard let name = unsafe text(value(kAudioSettings_TopLevelKey, of: dictionary)),
        let part = parts.first(where: { $0.name == name }),
        let changes = unsafe part.changes(in: dictionary)
      else { return nil }
      all += changes
    }
    return all
  }

  private static func value(_ key: String, of object: UnsafeRawPointer) -> UnsafeRawPointer? {
    guard unsafe CFGetTypeID(object) == CFDictionaryGetTypeID() else { return nil }
    return unsafe withCFString(key) { key in
      unsafe key.flatMap {
        unsafe CFDictionaryGetValue(CFDictionaryRef(object), UnsafeRawPointer($0))
      }
    }
  }

  private static func objects(_ object: UnsafeRawPointer?) -> [UnsafeRawPointer]? {
    guard let object = unsafe object, unsafe CFGetTypeID(object) == CFArrayGetTypeID() else {
      return nil
    }
    let array = CFArrayRef(object)
    return unsafe (0..<CFArrayGetCount(array)).compactMap {
      unsafe CFArrayGetValueAtIndex(array, $0)
    }
  }

  private static func text(_ object: UnsafeRawPointer?) -> String? {
    guard let object = unsafe object, unsafe CFGetTypeID(object) == CFStringGetTypeID() else {
      return nil
    }
    return unsafe String(cfString: CFStringRef(object))
  }

  private static func number(_ object: UnsafeRawPointer?) -> UInt32? {
    guard let object = unsafe object, unsafe CFGetTypeID(object) == CFNumberGetTypeID() else {
      return nil
    }
    var value: Int64 = 0
    guard unsafe CFNumberGetValue(CFNumberRef(object), kCFNumberSInt64Type, &value) else {
      return nil
    }
    return UInt32(exactly: value)
  }
}

extension SettingList.Setting {
  /// The text that names the property in a dictionary.
  fileprivate var key: String { FourCharacterCode(rawValue: code).description }

  fileprivate func makeDictionary() -> CFDictionaryRef? {
    let values = unsafe makeCFArray(
      takingOver: available.map { unsafe SettingList.number($0) })
    return unsafe makeCFDictionary(takingOver: [
      kAudioSettings_SettingKey: UnsafeRawPointer(makeCFString(key)),
      kAudioSettings_SettingName: UnsafeRawPointer(makeCFString(name)),
      kAudioSettings_Summary: UnsafeRawPointer(makeCFString(summary)),
      kAudioSettings_Unit: unit.isEmpty ? nil : UnsafeRawPointer(makeCFString(unit)),
      kAudioSettings_Hint: SettingList.number(0),
      kAudioSettings_ValueType: SettingList.number(UInt32(kCFNumberSInt64Type)),
      kAudioSettings_AvailableValues: UnsafeRawPointer(values),
      kAudioSettings_CurrentValue: SettingList.number(current),
    ])
  }
}
