// The dictionary that a unit's saved state is: what a unit keeps there of its own.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

/// A saved state while it is written, or while it is read: values by key.
///
/// It wraps a property list dictionary that lives as long as the call it is given to. Keys of Core
/// Audio itself ("version", "type", "subtype", "manufacturer", "data", "name", "preset-number",
/// "render-quality", "cpu-load", "element-name", "file-references", "part") are the SDK's; a unit
/// chooses others, such as "vstdata".
///
/// Context: control.
@safe public struct UnitState {
  /// The Core Foundation dictionary behind it, for values that no method here covers.
  public let dictionary: CFDictionaryRef
  private let writable: CFMutableDictionaryRef?

  /// Wraps a dictionary to read from.
  init(reading dictionary: CFDictionaryRef) {
    unsafe self.dictionary = unsafe dictionary
    unsafe writable = nil
  }

  /// Wraps a dictionary to write to.
  init(writing dictionary: CFMutableDictionaryRef) {
    unsafe self.dictionary = unsafe dictionary
    unsafe writable = unsafe dictionary
  }

  /// The value of a key, not retained; nil where there is none.
  public func value(_ key: String) -> UnsafeRawPointer? {
    unsafe withCFString(key) { name in
      unsafe name.flatMap { unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0)) }
    }
  }

  /// The bytes of a key; nil where it has none.
  public func data(_ key: String) -> [UInt8]? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFDataGetTypeID() else {
      return nil
    }
    let data = CFDataRef(found)
    return unsafe Array(
      UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: max(0, CFDataGetLength(data))))
  }

  /// The text of a key; nil where it has none.
  public func string(_ key: String) -> String? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFStringGetTypeID() else {
      return nil
    }
    return unsafe String(cfString: CFStringRef(found))
  }

  /// The whole number of a key; nil where it has none of at most 32 bits.
  public func integer(_ key: String) -> Int32? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFNumberGetTypeID() else {
      return nil
    }
    var result: Int32 = 0
    guard unsafe CFNumberGetValue(CFNumberRef(found), kCFNumberSInt32Type, &result) else {
      return nil
    }
    return result
  }

  /// The number of a key; nil where it has none.
  public func real(_ key: String) -> Double? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFNumberGetTypeID() else {
      return nil
    }
    var result: Double = 0
    unsafe _ = CFNumberGetValue(CFNumberRef(found), kCFNumberFloat64Type, &result)
    return result
  }

  /// The dictionary of a key; nil where it has none. It is valid as long as this one.
  public func state(_ key: String) -> UnitState? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFDictionaryGetTypeID()
    else { return nil }
    return unsafe UnitState(reading: CFDictionaryRef(found))
  }

  /// Keeps bytes under a key. Does nothing in a state that is read.
  public func set(_ key: String, data bytes: [UInt8]) {
    unsafe set(key, handingOver: UnsafeRawPointer(CFDataCreate(nil, bytes, bytes.count)))
  }

  /// Keeps a text under a key. Does nothing in a state that is read.
  public func set(_ key: String, string text: String) {
    unsafe set(key, handingOver: UnsafeRawPointer(makeCFString(text)))
  }

  /// Keeps a whole number under a key. Does nothing in a state that is read.
  public func set(_ key: String, integer number: Int32) {
    var number = number
    unsafe set(
      key, handingOver: UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &number)))
  }

  /// Keeps a number under a key. Does nothing in a state that is read.
  public func set(_ key: String, real number: Double) {
    var number = number
    unsafe set(
      key, handingOver: UnsafeRawPointer(CFNumberCreate(nil, kCFNumberFloat64Type, &number)))
  }

  /// Keeps a dictionary under a key, filled by `fill`. Does nothing in a state that is read.
  public func set(_ key: String, state fill: (UnitState) -> Void) {
    guard unsafe writable != nil, let made = unsafe Self.makeDictionary() else { return }
    fill(unsafe UnitState(writing: made))
    unsafe set(key, handingOver: UnsafeRawPointer(made))
  }

  /// Keeps a Core Foundation object under a key and gives up the caller's reference to it.
  func set(_ key: String, handingOver value: UnsafeRawPointer?) {
    guard let value = unsafe value else { return }
    if let writable = unsafe writable {
      unsafe withCFString(key) { name in
        if let name = unsafe name {
          unsafe CFDictionarySetValue(writable, UnsafeRawPointer(name), value)
        }
      }
    }
    unsafe CFRelease(value)
  }

  /// An empty dictionary, +1.
  static func makeDictionary() -> CFMutableDictionaryRef? {
    unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
        unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
      }
    }
  }
}
