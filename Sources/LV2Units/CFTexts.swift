// Core Foundation arrays and dictionaries of texts.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import CAudioToolbox

/// Makes and reads collections of texts. Context: control.
enum CFTexts {
  /// A CF array of strings, +1.
  static func makeArray(_ texts: [String]) -> CFArrayRef? {
    unsafe makeArray(texts.map { unsafe UnsafeRawPointer(makeCFString($0)) })
  }

  /// A CF array of dictionaries of strings, +1.
  static func makeArray(_ entries: [[String: String]]) -> CFArrayRef? {
    unsafe makeArray(entries.map { unsafe UnsafeRawPointer(makeDictionary($0)) })
  }

  /// A CF array that takes over its values' references, +1.
  private static func makeArray(_ objects: [UnsafeRawPointer?]) -> CFArrayRef? {
    var objects = unsafe objects
    defer {
      unsafe objects.forEach { unsafe $0.map { unsafe CFRelease($0) } }
    }
    return unsafe withUnsafePointer(to: kCFTypeArrayCallBacks) {
      unsafe CFArrayCreate(nil, &objects, objects.count, $0)
    }
  }

  /// A CF dictionary of strings, +1.
  static func makeDictionary(_ values: [String: String]) -> CFDictionaryRef? {
    guard
      let dictionary = unsafe withUnsafePointer(
        to: kCFTypeDictionaryKeyCallBacks,
        { keys in
          unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) {
            unsafe CFDictionaryCreateMutable(nil, 0, keys, $0)
          }
        })
    else { return nil }
    for (key, value) in values {
      guard let name = unsafe makeCFString(key) else { continue }
      defer { unsafe CFRelease(UnsafeRawPointer(name)) }
      guard let text = unsafe makeCFString(value) else { continue }
      unsafe CFDictionarySetValue(dictionary, UnsafeRawPointer(name), UnsafeRawPointer(text))
      unsafe CFRelease(UnsafeRawPointer(text))
    }
    return unsafe dictionary
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
