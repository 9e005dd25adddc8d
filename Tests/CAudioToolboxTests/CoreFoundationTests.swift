// Core Foundation called from Swift through the headers: strings, numbers, dictionaries.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Testing

@Suite struct CoreFoundationTests {
  @Test("A string made in Swift comes back the same")
  func strings() throws {
    let made = unsafe CFStringCreateWithCString(
      kCFAllocatorDefault, "Ätherwelle", kCFStringEncodingUTF8)
    let string: CFStringRef = try unsafe #require(made)
    defer { unsafe CFRelease(CFTypeRef(string)) }
    let length = unsafe CFStringGetLength(string)
    #expect(length == 10)
    var bytes = [CChar](repeating: 0, count: 32)
    let fits = unsafe CFStringGetCString(
      string, &bytes, CFIndex(bytes.count), kCFStringEncodingUTF8)
    #expect(fits)
    let text = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #expect(text == "Ätherwelle")
  }

  @Test("A dictionary keeps a number under a key")
  func dictionaries() throws {
    var value: Int32 = -7
    let key = unsafe CFStringCreateWithCString(nil, "version", kCFStringEncodingUTF8)
    let number = unsafe CFNumberCreate(nil, kCFNumberSInt32Type, &value)
    let made = unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
        unsafe CFDictionaryCreateMutable(nil, 0, keys, values)
      }
    }
    let dictionary = try unsafe #require(made)
    unsafe CFDictionarySetValue(dictionary, CFTypeRef(key), CFTypeRef(number))
    unsafe CFRelease(CFTypeRef(number))
    let found = unsafe CFDictionaryGetValue(dictionary, CFTypeRef(key))
    var read: Int32 = 0
    let isExact = unsafe CFNumberGetValue(OpaquePointer(found), kCFNumberSInt32Type, &read)
    #expect(isExact && read == -7)
    unsafe CFRelease(CFTypeRef(key))
    unsafe CFRelease(CFTypeRef(dictionary))
  }
}
