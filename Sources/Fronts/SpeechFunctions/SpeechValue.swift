// Values of speech properties between Core Foundation and Swift.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// A value of a property.
enum SpeechValue {
  case number(Double)
  /// An address, or an id.
  case address(UInt)
  case text(String)
  case table([String: SpeechValue])
  case list([SpeechValue])

  /// Its number; nil for another value.
  var number: Double? {
    switch self {
    case .number(let number): number
    case .address(let address): Double(address)
    default: nil
    }
  }

  /// Its address; nil for another value.
  var address: UInt? { if case .address(let address) = self { address } else { nil } }

  /// Its text; nil for another value.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// Reads an object; nil for one of another type, and for null.
  ///
  /// Whole numbers are addresses, URLs of files their paths, dictionaries and arrays are read by `init(entry:of:)` and
  /// `list(_:)`.
  init?(_ object: UnsafeRawPointer?) {
    guard let object = unsafe object else { return nil }
    let type = unsafe CFGetTypeID(object)
    if type == CFStringGetTypeID() {
      guard let text = unsafe String(cfString: CFStringRef(object)) else { return nil }
      self = .text(text)
    } else if type == CFBooleanGetTypeID() {
      self = unsafe .address(CFBooleanGetValue(CFBooleanRef(object)) ? 1 : 0)
    } else if type == CFNumberGetTypeID() {
      let number = CFNumberRef(object)
      if unsafe CFNumberIsFloatType(number) {
        var value = 0.0
        unsafe _ = CFNumberGetValue(number, CFNumberType(kCFNumberFloat64Type), &value)
        self = .number(value)
      } else {
        var value: Int64 = 0
        unsafe _ = CFNumberGetValue(number, CFNumberType(kCFNumberSInt64Type), &value)
        self = value < 0 ? .number(Double(value)) : .address(UInt(value))
      }
    } else {
      return nil
    }
  }

  /// The value of a key of a dictionary; nil where there is none.
  init?(entry key: String, of dictionary: CFDictionaryRef?) {
    guard let dictionary = unsafe dictionary,
      unsafe CFGetTypeID(UnsafeRawPointer(dictionary)) == CFDictionaryGetTypeID()
    else { return nil }
    let found = unsafe withCFString(key) { name in
      unsafe name.flatMap { unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0)) }
    }
    unsafe self.init(found)
  }

  /// The dictionaries of an array under a key of a dictionary.
  static func tables(_ key: String, of dictionary: CFDictionaryRef) -> [CFDictionaryRef] {
    let found = unsafe withCFString(key) { name in
      unsafe name.flatMap { unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0)) }
    }
    guard let found = unsafe found, unsafe CFGetTypeID(found) == CFArrayGetTypeID() else {
      return unsafe []
    }
    return unsafe tables(CFArrayRef(found))
  }

  /// The dictionaries of an array.
  static func tables(_ array: CFArrayRef) -> [CFDictionaryRef] {
    unsafe (0..<max(0, CFArrayGetCount(array))).compactMap { index in
      guard let entry = unsafe CFArrayGetValueAtIndex(array, index),
        unsafe CFGetTypeID(entry) == CFDictionaryGetTypeID()
      else { return nil }
      return CFDictionaryRef(entry)
    }
  }

  /// An object, +1; nil where there is no memory.
  func made() -> UnsafeRawPointer? {
    switch self {
    case .number(var number):
      let isWhole = number == number.rounded() && number.magnitude < 1e15
      guard isWhole else {
        return unsafe UnsafeRawPointer(
          CFNumberCreate(nil, CFNumberType(kCFNumberFloat64Type), &number))
      }
      var whole = Int64(number)
      return unsafe UnsafeRawPointer(
        CFNumberCreate(nil, CFNumberType(kCFNumberSInt64Type), &whole))
    case .address(let address):
      var whole = Int64(bitPattern: UInt64(address))
      return unsafe UnsafeRawPointer(
        CFNumberCreate(nil, CFNumberType(kCFNumberSInt64Type), &whole))
    case .text(let text): return unsafe UnsafeRawPointer(makeCFString(text))
    case .table(let values):
      return unsafe UnsafeRawPointer(
        makeCFDictionary(takingOver: values.mapValues { unsafe $0.made() }))
    case .list(let values):
      return unsafe UnsafeRawPointer(makeCFArray(takingOver: values.map { unsafe $0.made() }))
    }
  }
}
