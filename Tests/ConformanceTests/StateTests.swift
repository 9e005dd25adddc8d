// ClassInfo: its keys, its binary parameters, setting it again, and refusing another unit's.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import Testing

@Suite("Contract: state")
struct StateConformanceTests {
  /// The state as Foundation sees it: property list objects are the same in both.
  private func classInfo(_ test: UnitUnderTest) throws -> [String: Any] {
    let (status, value) = test.get(kAudioUnitProperty_ClassInfo, UInt.self)
    same(status, 0, "\(test.subject.rawValue), ClassInfo")
    let address = try #require(value)
    let pointer = unsafe try #require(unsafe UnsafeRawPointer(bitPattern: address))
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
    return try #require(object as? NSDictionary as? [String: Any])
  }

  private func restore(_ test: UnitUnderTest, _ state: [String: Any]) -> OSStatus {
    let dictionary = state as NSDictionary
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(dictionary).toOpaque())
    return withExtendedLifetime(dictionary) {
      test.set(kAudioUnitProperty_ClassInfo, address)
    }
  }

  @Test("the keys that every state has", arguments: Subject.allCases)
  func keys(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let state = try classInfo(test)
    let description = test.unit.description
    for (key, expected) in [
      ("version", 0), ("type", description.componentType),
      ("subtype", description.componentSubType),
      ("manufacturer", description.componentManufacturer),
    ] {
      let number = state[key] as? NSNumber
      same(
        number.map { UInt32(bitPattern: $0.int32Value) }, expected, "\(subject.rawValue), \(key)")
    }
    #expect((state["name"] as? String)?.isEmpty == false, "\(subject.rawValue), name")
  }

  @Test(
    "the parameters in `data`: scope, element, count, pairs of id and value",
    arguments: Subject.allCases)
  func data(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let parameter = try test.firstParameter()
    same(
      unsafe AudioUnitSetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, parameter.minimum, 0), 0)
    let state = try classInfo(test)
    let data = try #require(state["data"] as? Data)
    var words: [UInt32] = []
    #expect(data.count % 4 == 0, "\(subject.rawValue): whole words")
    for start in stride(from: 0, to: data.count - 3, by: 4) {
      words.append(
        data[data.startIndex + start..<data.startIndex + start + 4].reduce(0) {
          $0 << 8 | UInt32($1)
        })
    }
    var found = false
    var place = 0
    while place + 3 <= words.count {
      let (scope, element, count) = (words[place], words[place + 1], Int(words[place + 2]))
      place += 3
      try #require(place + 2 * count <= words.count, "\(subject.rawValue): pairs are cut off")
      for pair in 0..<count where scope == parameter.scope && element == parameter.element {
        guard words[place + 2 * pair] == parameter.id else { continue }
        found = true
        same(Float(bitPattern: words[place + 2 * pair + 1]), parameter.minimum, subject.rawValue)
      }
      place += 2 * count
    }
    same(place, words.count, "\(subject.rawValue): ends with the last pair")
    #expect(found, "\(subject.rawValue): the parameter is not in its state")
  }

  @Test("a state set in another instance makes it the same", arguments: Subject.allCases)
  func roundTrip(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let parameter = try test.firstParameter()
    let value = (parameter.minimum + parameter.maximum) / 2
    same(
      unsafe AudioUnitSetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, value, 0), 0)
    var kept: Float = 0
    same(
      unsafe AudioUnitGetParameter(
        test.handle, parameter.id, parameter.scope, parameter.element, &kept), 0)
    let state = try classInfo(test)
    let other = try UnitUnderTest(subject)
    same(restore(other, state), 0, subject.rawValue)
    var restored: Float = 0
    same(
      unsafe AudioUnitGetParameter(
        other.handle, parameter.id, parameter.scope, parameter.element, &restored), 0)
    same(restored, kept, subject.rawValue)
    #expect(
      (try classInfo(other)["data"] as? Data) == state["data"] as? Data, "\(subject.rawValue)")
  }

  @Test(
    "a state of another unit, or of none, is refused and changes nothing",
    arguments: Subject.allCases)
  func refusals(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let state = try classInfo(test)
    for (key, value) in [
      ("subtype", 1_818_321_516 as Any), ("manufacturer", 7), ("version", 99),
      ("subtype", "text"), ("manufacturer", Data()),
    ] {
      var wrong = state
      wrong[key] = value
      oneOf(
        restore(test, wrong), [kAudioUnitErr_InvalidPropertyValue],
        "\(subject.rawValue), \(key) = \(value)")
    }
    for key in ["version", "subtype", "manufacturer"] {
      var wrong = state
      wrong[key] = nil
      same(
        restore(test, wrong), kAudioUnitErr_InvalidPropertyValue, "\(subject.rawValue), no \(key)")
    }
    // Parameters cut off in the middle, and counts that cannot be true, must not be read beyond.
    for bytes in [[UInt8]([0, 0, 0]), [0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0]] {
      var wrong = state
      wrong["data"] = Data(bytes)
      oneOf(
        restore(test, wrong), [0, kAudioUnitErr_InvalidPropertyValue],
        "\(subject.rawValue), cut off")
    }
    #expect((try classInfo(test)["data"] as? Data) == state["data"] as? Data, "\(subject.rawValue)")
  }
}
