// Names and texts: of the place in the host, of elements, of parameters and their values.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite("Contract: names and texts")
struct NameConformanceTests {
  /// Sets a name; nil removes it.
  private func set(
    _ test: UnitUnderTest, _ id: UInt32, _ name: String?, _ scope: UInt32 = 0,
    _ element: UInt32 = 0
  ) throws -> OSStatus {
    guard let name else {
      return unsafe AudioUnitSetProperty(test.handle, id, scope, element, nil, 0)
    }
    let text = unsafe try #require(unsafe makeCFString(name))
    defer { unsafe CFRelease(UnsafeRawPointer(text)) }
    return unsafe test.set(id, text, scope, element)
  }

  /// The text of a pointer that came with a reference; nil for null.
  private func consume(_ address: UInt) -> String? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    defer { unsafe CFRelease(pointer) }
    return unsafe String(cfString: CFStringRef(pointer))
  }

  private func name(
    _ test: UnitUnderTest, _ id: UInt32, _ scope: UInt32 = 0, _ element: UInt32 = 0
  ) -> (status: OSStatus, name: String?) {
    let (status, address) = test.get(id, UInt.self, scope, element)
    return (status, address.flatMap(consume))
  }

  @Test(
    "names that a host sets for the place and the unit are kept, and removed",
    arguments: Subject.everyKind)
  func ofUnits(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    for id in [kAudioUnitProperty_ContextName, kAudioUnitProperty_NickName]
    where test.info(id).status == 0 {
      let place = "\(subject.rawValue), property \(id)"
      oneOf(name(test, id).status, [0, kAudioUnitErr_PropertyNotInUse], place)
      same(name(test, id).name, nil, place)
      for text in ["Spur 7", "ピアノ 🎹"] {
        same(try set(test, id, text), 0, place)
        same(name(test, id).name, text, place)
      }
      same(try set(test, id, nil), 0, place)
      same(name(test, id).name, nil, place)
    }
  }

  @Test("elements have names, which a host may change", arguments: Subject.everyKind)
  func ofElements(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let id = kAudioUnitProperty_ElementName
    for scope: UInt32 in 0...5 {
      let count = test.get(kAudioUnitProperty_ElementCount, UInt32.self, scope).value ?? 0
      for element in Set([0, count - min(count, 1)]) where element < count {
        guard test.info(id, scope, element).status == 0 else { continue }
        let place = "\(subject.rawValue), scope \(scope), element \(element)"
        let own = name(test, id, scope, element).name
        #expect(own?.isEmpty == false, "\(place)")
        same(try set(test, id, "Mine", scope, element), 0, place)
        same(name(test, id, scope, element).name, "Mine", place)
        same(try set(test, id, nil, scope, element), 0, place)
        same(name(test, id, scope, element).name, own, place)
        oneOf(
          try set(test, id, "x", scope, count), [kAudioUnitErr_InvalidElement], "\(place), beyond")
      }
    }
  }

  @Test("a value is read with a unit of its kind, and nonsense is refused")
  func units() throws {
    let test = try UnitUnderTest(.shipped)
    for (text, status, value) in [
      ("800", 0, 800), ("800 Hz", 0, 800), ("2.5 kHz", 0, 2500), ("2.5kHz", 0, 2500),
      (" 1e3", 0, 1000),
      ("1e9", 0, 22_050), ("nan", kAudioUnitErr_InvalidParameterValue, 0),
      ("low", kAudioUnitErr_InvalidParameterValue, 0), ("", kAudioUnitErr_InvalidParameterValue, 0),
    ] as [(String, OSStatus, Float)] {
      var asked = unsafe AudioUnitParameterValueFromString()
      unsafe asked.inString = unsafe makeCFString(text)
      defer { unsafe asked.inString.map { unsafe CFRelease(UnsafeRawPointer($0)) } }
      var size = unsafe UInt32(MemoryLayout<AudioUnitParameterValueFromString>.size)
      same(
        unsafe AudioUnitGetProperty(
          test.handle, kAudioUnitProperty_ParameterValueFromString, 0, 0, &asked, &size),
        status, "'\(text)'")
      if status == 0 { same(unsafe asked.outValue, value, "'\(text)'") }
    }
  }

  @Test("parameters have names of any length, and values have texts", arguments: Subject.allCases)
  func ofParameters(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let parameter = try test.firstParameter()
    let (scope, element) = (parameter.scope, parameter.element)
    if test.info(kAudioUnitProperty_ParameterIDName, scope, element).status == 0 {
      for length: Int32 in [1, 3, 1000, -1] {
        var asked = unsafe AudioUnitParameterIDName()
        unsafe asked.inID = parameter.id
        unsafe asked.inDesiredLength = length
        var size = unsafe UInt32(MemoryLayout<AudioUnitParameterIDName>.size)
        same(
          unsafe AudioUnitGetProperty(
            test.handle, kAudioUnitProperty_ParameterIDName, scope, element, &asked, &size), 0)
        let found = consume(UInt(bitPattern: unsafe asked.outName)) ?? ""
        if length > 0 {
          #expect((1...Int(length)).contains(found.count), "\(subject.rawValue): '\(found)'")
        }
        if length < 0 || length == 1000 { same(found, parameter.name, subject.rawValue) }
      }
    }
    guard test.info(kAudioUnitProperty_ParameterStringFromValue, scope, element).status == 0,
      test.info(kAudioUnitProperty_ParameterValueFromString, scope, element).status == 0
    else { return }
    for value in [parameter.minimum, parameter.maximum, parameter.defaultValue] {
      var number = value
      var asked = unsafe AudioUnitParameterStringFromValue()
      unsafe asked.inParamID = parameter.id
      var size = unsafe UInt32(MemoryLayout<AudioUnitParameterStringFromValue>.size)
      let status = unsafe withUnsafePointer(to: &number) { pointer in
        unsafe asked.inValue = unsafe pointer
        return unsafe AudioUnitGetProperty(
          test.handle, kAudioUnitProperty_ParameterStringFromValue, scope, element, &asked, &size)
      }
      same(status, 0, subject.rawValue)
      let text = unsafe try #require(unsafe asked.outString)
      defer { unsafe CFRelease(UnsafeRawPointer(text)) }
      var back = unsafe AudioUnitParameterValueFromString()
      unsafe back.inParamID = parameter.id
      unsafe back.inString = unsafe text
      size = unsafe UInt32(MemoryLayout<AudioUnitParameterValueFromString>.size)
      same(
        unsafe AudioUnitGetProperty(
          test.handle, kAudioUnitProperty_ParameterValueFromString, scope, element, &back, &size),
        0, subject.rawValue)
      let found = unsafe back.outValue
      #expect(abs(found - value) <= 1e-3 * max(1, abs(value)), "\(subject.rawValue): \(found)")
    }
  }
}
