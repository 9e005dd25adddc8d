// The dictionary of a unit's saved state.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

/// A saved state while it is written, or while it is read: values by key.
///
/// It wraps a property list dictionary that is valid during the call it is passed to. Keys of Core Audio
/// itself ("version", "type", "subtype", "manufacturer", "data", "name", "preset-number", "render-quality",
/// "cpu-load", "element-name", "file-references", "part") belong to the SDK; a unit uses others, such as
/// "vstdata".
///
/// ```swift
/// func save(to state: UnitState) {
///   state.set("path", string: path)
///   state.set("loop", integer: isLooped ? 1 : 0)
/// }
/// init(restoring state: UnitState, version: Int32) {
///   path = state.string("path") ?? ""
///   isLooped = state.boolean("loop") ?? false
/// }
/// ```
///
/// The corresponding property is `kAudioUnitProperty_ClassInfo`. Context: control.
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

  /// Returns the value of a key, not retained; nil if there is none. It is a Core Foundation object of any type.
  public func value(_ key: String) -> UnsafeRawPointer? {
    unsafe withCFString(key) { name in
      unsafe name.flatMap { unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0)) }
    }
  }

  /// Returns the bytes of a key; nil where it has none.
  public func data(_ key: String) -> [UInt8]? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFDataGetTypeID() else {
      return nil
    }
    let data = CFDataRef(found)
    return unsafe Array(
      UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: max(0, CFDataGetLength(data))))
  }

  /// Returns the text of a key; nil where it has none, or a value of another type.
  public func string(_ key: String) -> String? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFStringGetTypeID() else {
      return nil
    }
    return unsafe String(cfString: CFStringRef(found))
  }

  /// Returns the whole number of a key; nil where it has none of at most 32 bits.
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

  /// Returns the number of a key, which may be NaN or infinite; nil where it has none.
  public func real(_ key: String) -> Double? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFNumberGetTypeID() else {
      return nil
    }
    var result: Double = 0
    unsafe _ = CFNumberGetValue(CFNumberRef(found), kCFNumberFloat64Type, &result)
    return result
  }

  /// Returns the dictionary of a key; nil where it has none. It is valid as long as this one.
  public func state(_ key: String) -> UnitState? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFDictionaryGetTypeID()
    else { return nil }
    return unsafe UnitState(reading: CFDictionaryRef(found))
  }

  /// Returns the truth value or whole number of a key as a truth value; nil where it has neither.
  public func boolean(_ key: String) -> Bool? {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFBooleanGetTypeID() else {
      return integer(key).map { $0 != 0 }
    }
    return unsafe CFBooleanGetValue(CFBooleanRef(found))
  }

  /// Returns the dictionaries in the array of a key; empty where it has none. They are valid as long as
  /// this one.
  ///
  /// ```swift
  /// points = state.states("points").map { ($0.real("x") ?? 0, $0.real("y") ?? 0) }
  /// ```
  public func states(_ key: String) -> [UnitState] {
    guard let found = unsafe value(key), unsafe CFGetTypeID(found) == CFArrayGetTypeID() else {
      return []
    }
    let array = CFArrayRef(found)
    var states: [UnitState] = []
    for index in 0..<max(0, unsafe CFArrayGetCount(array)) {
      guard let item = unsafe CFArrayGetValueAtIndex(array, index),
        unsafe CFGetTypeID(item) == CFDictionaryGetTypeID()
      else { continue }
      states.append(unsafe UnitState(reading: CFDictionaryRef(item)))
    }
    return states
  }

  /// Stores bytes under a key. Does nothing in a state that is read.
  public func set(_ key: String, data bytes: [UInt8]) {
    unsafe set(key, handingOver: UnsafeRawPointer(CFDataCreate(nil, bytes, bytes.count)))
  }

  /// Stores a text under a key. Does nothing in a state that is read.
  public func set(_ key: String, string text: String) {
    unsafe set(key, handingOver: UnsafeRawPointer(makeCFString(text)))
  }

  /// Stores an integer under a key. Does nothing in a state that is read.
  public func set(_ key: String, integer number: Int32) {
    var number = number
    unsafe set(
      key, handingOver: UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &number)))
  }

  /// Stores a number under a key. Does nothing in a state that is read.
  public func set(_ key: String, real number: Double) {
    var number = number
    unsafe set(
      key, handingOver: UnsafeRawPointer(CFNumberCreate(nil, kCFNumberFloat64Type, &number)))
  }

  /// Stores a dictionary under a key, filled by `fill`. Does nothing in a state that is read.
  ///
  /// ```swift
  /// state.set("filter") { filter in filter.set("gain", real: gain) }
  /// ```
  public func set(_ key: String, state fill: (UnitState) -> Void) {
    guard unsafe writable != nil, let made = unsafe Self.makeDictionary() else { return }
    fill(unsafe UnitState(writing: made))
    unsafe set(key, handingOver: UnsafeRawPointer(made))
  }

  /// Stores a Core Foundation object under a key and consumes the caller's reference.
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

  /// Returns an empty dictionary, +1.
  static func makeDictionary() -> CFMutableDictionaryRef? {
    unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
        unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
      }
    }
  }
}

extension UnitState {
  /// Keeps texts under a key. Does nothing in a state that is read.
  public func set(_ key: String, strings texts: [String]) {
    unsafe set(key, handingOver: makeCFArray(texts).map { unsafe UnsafeRawPointer($0) })
  }
}
