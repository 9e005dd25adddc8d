// Core Foundation arrays and dictionaries of texts.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import CAudioToolbox
internal import LV2Bundles

/// Makes and reads collections of texts. Context: control.
enum CFTexts {
  /// A CF array of dictionaries of strings, +1.
  static func makeArray(_ entries: [[String: String]]) -> CFArrayRef? {
    unsafe makeCFArray(
      takingOver: entries.map { unsafe UnsafeRawPointer(makeDictionary($0)) })
  }

  /// A CF dictionary of strings, +1.
  static func makeDictionary(_ values: [String: String]) -> CFDictionaryRef? {
    unsafe makeCFDictionary(
      takingOver: values.mapValues { unsafe UnsafeRawPointer(makeCFString($0)) })
  }

  /// The strings of a dictionary by their keys; nil when it has anything else.
  static func dictionary(_ dictionary: CFDictionaryRef?) -> [String: String]? {
    guard let dictionary = unsafe dictionary,
      unsafe CFGetTypeID(UnsafeRawPointer(dictionary)) == CFDictionaryGetTypeID()
    else { return nil }
    let count = unsafe Int(CFDictionaryGetCount(dictionary))
    var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
    var values = unsafe keys
    unsafe CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
    var found: [String: String] = [:]
    for index in 0..<count {
      guard let key = unsafe keys[index], let value = unsafe values[index],
        unsafe CFGetTypeID(key) == CFStringGetTypeID(),
        unsafe CFGetTypeID(value) == CFStringGetTypeID(),
        let name = unsafe String(cfString: CFStringRef(key)),
        let text = unsafe String(cfString: CFStringRef(value))
      else { return nil }
      found[name] = text
    }
    return found
  }
}
