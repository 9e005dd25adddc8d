// CF strings that an instance returns repeatedly, made once and released with it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// A store of CF strings by their text. Context: control, under the instance's lock.
@safe struct CFNames {
  private var strings: [String: CFStringRef] = unsafe [:]

  /// Returns the CF string of a text; valid as long as the store.
  mutating func string(_ text: String) -> CFStringRef? {
    if let known = unsafe strings[text] { return unsafe known }
    guard let made = unsafe makeCFString(text) else { return nil }
    unsafe strings[text] = made
    return unsafe made
  }

  /// Releases all.
  mutating func releaseAll() {
    unsafe strings.values.forEach { unsafe CFRelease(UnsafeRawPointer($0)) }
    unsafe strings.removeAll()
  }
}
