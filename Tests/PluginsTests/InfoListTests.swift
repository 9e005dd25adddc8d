// The Info.plist of a built-in unit matches the declarations in its source.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite("Info.plist and declaration")
struct InfoListTests {
  @Test(
    "are the same",
    arguments: [
      "lpas", "hpas", "pmeq", "lmtr", "dely", "bpas", "lshf", "hshf", "nbeq", "greq", "ipeq",
      "filt",
      "dcmp", "mcmp", "dist", "rogr", "rvb2",
    ])
  func same(_ subtype: String) throws {
    let component = try Shipped.registry.get().resolve("aufx:\(subtype):appl")
    let unit = try component.instantiate()
    let number = try unit.property(kAuricleProperty_ComponentEntry, as: UInt.self)
    let pointer = unsafe try #require(UnsafeRawPointer(bitPattern: number))
    defer { unsafe CFRelease(pointer) }
    func value(_ key: String) -> UnsafeRawPointer? {
      unsafe withCFString(key) {
        unsafe CFDictionaryGetValue(CFDictionaryRef(pointer), UnsafeRawPointer($0))
      }
    }
    func text(_ key: String) -> String? {
      unsafe value(key).flatMap { unsafe String(cfString: CFStringRef($0)) }
    }
    let triple = ["type", "subtype", "manufacturer"].map { text($0) ?? "" }
    #expect(triple.joined(separator: ":") == component.triple)
    #expect(text("name") == component.name)
    #expect(text("description") == component.summary)
    var version: Int32 = 0
    unsafe _ = value("version").map {
      unsafe CFNumberGetValue(CFNumberRef($0), kCFNumberSInt32Type, &version)
    }
    #expect(UInt32(version) == component.version)
    let tags = unsafe value("tags").map { CFArrayRef($0) }
    let count = unsafe tags.map { unsafe CFArrayGetCount($0) } ?? 0
    let names = (0..<count).compactMap { index in
      unsafe tags.flatMap { unsafe CFArrayGetValueAtIndex($0, index) }.flatMap {
        unsafe String(cfString: CFStringRef($0))
      }
    }
    #expect(names == component.tags)
  }
}
