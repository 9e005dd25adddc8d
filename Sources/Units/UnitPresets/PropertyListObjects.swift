// Property lists as Core Foundation objects for units, and back.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import PropertyLists

extension PropertyListValue {
  /// The value as a Core Foundation object, +1; nil only if memory is exhausted.
  ///
  /// Whole numbers that fit into 32 bits become numbers of 32 bits, as units expect them.
  func makeObject() -> UnsafeRawPointer? {
    switch self {
    case .string(let text): return unsafe UnsafeRawPointer(makeCFString(text))
    case .data(let bytes): return unsafe UnsafeRawPointer(CFDataCreate(nil, bytes, bytes.count))
    case .boolean(let flag):
      let object = unsafe flag ? kCFBooleanTrue : kCFBooleanFalse
      return unsafe object.map { unsafe CFRetain(UnsafeRawPointer($0)) }
    case .integer(let number):
      if var small = Int32(exactly: number) {
        return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &small))
      }
      var large = Int64(truncatingIfNeeded: number)
      return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt64Type, &large))
    case .real(var number):
      return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberFloat64Type, &number))
    case .date(let seconds): return unsafe UnsafeRawPointer(CFDateCreate(nil, seconds))
    case .array(let elements):
      var objects = unsafe elements.map { unsafe $0.makeObject() }
      defer { unsafe objects.forEach { unsafe $0.map { unsafe CFRelease($0) } } }
      return unsafe withUnsafePointer(to: kCFTypeArrayCallBacks) {
        unsafe UnsafeRawPointer(CFArrayCreate(nil, &objects, objects.count, $0))
      }
    case .dictionary(let entries):
      guard
        let made = unsafe withUnsafePointer(
          to: kCFTypeDictionaryKeyCallBacks,
          { keys in
            unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
              unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
            }
          })
      else { return nil }
      for (key, value) in entries {
        guard let object = unsafe value.makeObject() else { continue }
        unsafe withCFString(key) { name in
          if let name = unsafe name {
            unsafe CFDictionarySetValue(made, UnsafeRawPointer(name), object)
          }
        }
        unsafe CFRelease(object)
      }
      return unsafe UnsafeRawPointer(made)
    }
  }

  /// Copies a Core Foundation object; nil for one that no property list holds, or is nested too deep.
  init?(object: UnsafeRawPointer, depth: Int = 0) {
    guard depth < 64 else { return nil }
    let type = unsafe CFGetTypeID(object)
    switch type {
    case CFStringGetTypeID():
      guard let text = unsafe String(cfString: CFStringRef(object)) else { return nil }
      self = .string(text)
    case CFBooleanGetTypeID(): self = unsafe .boolean(CFBooleanGetValue(CFBooleanRef(object)))
    case CFNumberGetTypeID():
      let number = CFNumberRef(object)
      if unsafe CFNumberIsFloatType(number) {
        var value = 0.0
        unsafe _ = CFNumberGetValue(number, kCFNumberFloat64Type, &value)
        self = .real(value)
      } else {
        var value: Int64 = 0
        unsafe _ = CFNumberGetValue(number, kCFNumberSInt64Type, &value)
        self = .integer(Int128(value))
      }
    case CFDataGetTypeID():
      let data = CFDataRef(object)
      self = unsafe .data(
        Array(
          UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: max(0, CFDataGetLength(data)))))
    case CFDateGetTypeID(): self = unsafe .date(CFDateGetAbsoluteTime(CFDateRef(object)))
    case CFArrayGetTypeID():
      let array = CFArrayRef(object)
      var elements: [PropertyListValue] = []
      for index in 0..<(unsafe max(0, CFArrayGetCount(array))) {
        guard let element = unsafe CFArrayGetValueAtIndex(array, index),
          let value = unsafe PropertyListValue(object: element, depth: depth + 1)
        else { return nil }
        elements.append(value)
      }
      self = .array(elements)
    case CFDictionaryGetTypeID():
      guard let entries = unsafe Self.entries(of: CFDictionaryRef(object), depth) else {
        return nil
      }
      self = .dictionary(entries)
    default: return nil
    }
  }

  private static func entries(
    of dictionary: CFDictionaryRef, _ depth: Int
  ) -> [String: PropertyListValue]? {
    let count = unsafe max(0, CFDictionaryGetCount(dictionary))
    var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
    var values = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
    unsafe CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
    var entries: [String: PropertyListValue] = [:]
    for index in 0..<count {
      guard let key = unsafe keys[index], unsafe CFGetTypeID(key) == CFStringGetTypeID(),
        let name = unsafe String(cfString: CFStringRef(key)), let object = unsafe values[index],
        let value = unsafe PropertyListValue(object: object, depth: depth + 1)
      else { return nil }
      entries[name] = value
    }
    return entries
  }
}
