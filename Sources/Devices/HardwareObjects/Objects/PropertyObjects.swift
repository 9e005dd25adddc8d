// Values of properties that are objects of Core Foundation.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension PropertyValue {
  /// Bytes of a value as C has it. Context: any.
  package var byteCount: Int {
    if case .bytes(let bytes) = self { return bytes.count }
    return MemoryLayout<UInt>.size
  }

  /// The object, +1, as an address; nil for plain bytes. Context: control.
  package func makeObject() -> UInt? {
    switch self {
    case .bytes: nil
    case .text(let text): unsafe UInt(bitPattern: makeCFString(text))
    case .texts(let texts): unsafe UInt(bitPattern: makeCFArray(texts))
    case .aggregate(let description): unsafe UInt(bitPattern: description.makeDictionary())
    }
  }

  /// The text of the string that a value points at; nil for another object.
  func stringValue() -> String? {
    guard let address = loaded(as: UInt.self),
      let object = unsafe UnsafeRawPointer(bitPattern: address)
    else { return nil }
    return unsafe CFObjects.text(object)
  }

  /// The texts of the array that a value points at; nil for another object.
  func stringValues() -> [String]? {
    guard let address = loaded(as: UInt.self),
      let object = unsafe UnsafeRawPointer(bitPattern: address)
    else { return nil }
    return unsafe CFObjects.list(object)?.compactMap { unsafe CFObjects.text($0) }
  }
}

/// Reading objects whose types are not known.
package enum CFObjects {
  /// The text of a string; nil for another object. Context: any.
  package static func text(_ object: UnsafeRawPointer) -> String? {
    guard unsafe CFGetTypeID(object) == CFStringGetTypeID() else { return nil }
    return unsafe String(cfString: CFStringRef(object))
  }

  /// A number, or whether something is true as 1 and 0.
  static func number(_ object: UnsafeRawPointer) -> Double? {
    if unsafe CFGetTypeID(object) == CFBooleanGetTypeID() {
      return unsafe CFBooleanGetValue(CFBooleanRef(object)) ? 1 : 0
    }
    guard unsafe CFGetTypeID(object) == CFNumberGetTypeID() else { return nil }
    var value = 0.0
    unsafe _ = CFNumberGetValue(CFNumberRef(object), kCFNumberFloat64Type, &value)
    return value.isNaN ? nil : value
  }

  static func list(_ object: UnsafeRawPointer) -> [UnsafeRawPointer]? {
    guard unsafe CFGetTypeID(object) == CFArrayGetTypeID() else { return nil }
    let array = CFArrayRef(object)
    return unsafe (0..<CFArrayGetCount(array)).compactMap {
      unsafe CFArrayGetValueAtIndex(array, $0)
    }
  }

  /// The value of a key; nil for none, or where the object is no dictionary.
  static func value(_ object: UnsafeRawPointer, _ key: String) -> UnsafeRawPointer? {
    guard unsafe CFGetTypeID(object) == CFDictionaryGetTypeID() else { return nil }
    return unsafe withCFString(key) { key in
      unsafe key.flatMap {
        unsafe CFDictionaryGetValue(CFDictionaryRef(object), UnsafeRawPointer($0))
      }
    }
  }
}
