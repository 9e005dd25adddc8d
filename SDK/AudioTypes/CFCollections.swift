// Arrays and dictionaries of Core Foundation, without Foundation.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Makes a CF array of strings; the caller releases it with `CFRelease`.
///
/// - Returns: nil only if memory is exhausted.
public func makeCFArray(_ texts: [String]) -> CFArrayRef? {
  unsafe makeCFArray(takingOver: texts.map { unsafe UnsafeRawPointer(makeCFString($0)) })
}

/// Makes a CF array that owns its values' references; the caller releases it with `CFRelease`.
///
/// - Returns: nil only if memory is exhausted.
public func makeCFArray(takingOver objects: [UnsafeRawPointer?]) -> CFArrayRef? {
  var objects = unsafe objects
  defer { unsafe objects.forEach { unsafe $0.map { unsafe CFRelease($0) } } }
  return unsafe withUnsafePointer(to: kCFTypeArrayCallBacks) {
    unsafe CFArrayCreate(nil, &objects, objects.count, $0)
  }
}

/// Makes a CF dictionary that owns its values' references; the caller releases it with `CFRelease`.
///
/// - Parameter entries: Keys and values; nil values are left out.
/// - Returns: nil only if memory is exhausted.
public func makeCFDictionary(takingOver entries: [String: UnsafeRawPointer?]) -> CFDictionaryRef? {
  let made = unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
    unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
      unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
    }
  }
  unsafe entries.forEach { entry in
    guard let object = unsafe entry.value else { return }
    unsafe withCFString(entry.key) { key in
      if let made = unsafe made, let key = unsafe key {
        unsafe CFDictionarySetValue(made, UnsafeRawPointer(key), object)
      }
    }
    unsafe CFRelease(object)
  }
  return unsafe made
}
