// An effect written in a page: its declarations as a host sees them, and their effect on its sound.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct PageEffectTests {
  @Test func aHostSeesEveryParameterAsDeclared() throws {
    let unit = try TestUnits.tremolo()
    #expect(try unit.parameters().map(\.id) == [1, 2, 7, 4, 100])
    let rate = try unit.parameterInfo(1)
    #expect(rate.name == "rate" && rate.minimum == 0.1 && rate.maximum == 20)
    #expect(rate.defaultValue == 5 && rate.unit == kAudioUnitParameterUnit_Hertz)
    #expect(
      rate.flags & kAudioUnitParameterFlag_DisplayMask == kAudioUnitParameterFlag_DisplayLogarithmic
    )
    #expect(rate.clumpName == "Motion")
    let shape = try unit.parameterInfo(7)
    #expect(shape.unit == kAudioUnitParameterUnit_Indexed && shape.maximum == 2)
    #expect(shape.valueNames == ["sine", "triangle", "hard square"])
    #expect(try unit.parameterInfo(4).unit == kAudioUnitParameterUnit_Boolean)
    let level = try unit.parameterInfo(100)
    #expect(level.flags & kAudioUnitParameterFlag_IsWritable == 0)
    #expect(try unit.parameterInfo(2).flags & kAudioUnitParameterFlag_CanRamp != 0)
  }

  @Test func presetsSetWhatTheySayAndDefaultsElsewhere() throws {
    let unit = try TestUnits.tremolo()
    #expect(unit.factoryPresets.map(\.name) == ["Slow swell", "Helicopter"])
    try unit.selectPreset(number: 1)
    #expect(try [1, 2, 7, 4].map { try unit.parameter($0) } == [12, 100, 2, 1])
    try unit.selectPreset(number: 0)
    #expect(try [1, 2, 7, 4].map { try unit.parameter($0) } == [0.5, 80, 0, 0])
  }

  @Test func theEntryForAnInfoListIsTheDeclaration() throws {
    let unit = try TestUnits.tremolo()
    let pointer = try unit.property(kAuricleProperty_ComponentEntry, as: UInt.self)
    let entry = unsafe try #require(UnsafeRawPointer(bitPattern: pointer))
    defer { unsafe CFRelease(entry) }
    func text(_ key: String) -> String? {
      unsafe withCFString(key) { key in
        let value = unsafe CFDictionaryGetValue(
          CFDictionaryRef(entry), UnsafeRawPointer(key))
        return unsafe value.flatMap { unsafe String(cfString: CFStringRef($0)) }
      }
    }
    #expect(text("type") == "aufx" && text("subtype") == "trem" && text("manufacturer") == "Test")
    #expect(text("name") == "Test: Tremolo")
    #expect(text("description") == "Loudness that swells and fades.")
    #expect(text("CFBundleShortVersionString") == "1.2.3")
    let version = unsafe withCFString("version") { key in
      var number: Int32 = 0
      let value = unsafe CFDictionaryGetValue(CFDictionaryRef(entry), UnsafeRawPointer(key))
      unsafe _ = value.map {
        unsafe CFNumberGetValue(CFNumberRef($0), kCFNumberSInt32Type, &number)
      }
      return number
    }
    #expect(version == 0x01_0203)
  }

  /// A smoothed parameter moves in a line along its own time, for any slices, and without a jump.
  @Test func smoothingDoesNotDependOnSlices() throws {
    func play(_ slice: Int) throws -> [Float] {
      let player = try UnitPlayer(TestUnits.tremolo())
      let unit = player.unit
      try unit.setParameter(1, 0.1)
      try unit.setParameter(7, 2)
      try unit.setParameter(4, 1)
      try unit.setParameter(2, 0)
      let ones = [[Float](repeating: 1, count: 2048), [Float](repeating: 1, count: 2048)]
      var output = player.play(ones, slice: slice).output[0]
      try unit.setParameter(2, 100)
      output += player.play(ones, slice: slice).output[0]
      return output
    }
    let whole = try play(1024)
    #expect(try play(64) == whole)
    #expect(try play(517) == whole)
    #expect(whole[..<2048].allSatisfy { $0 == 1 })
    // 10 ms at 48 kHz.
    #expect(whole[2048] == 1 && whole[2048 + 480] == 0 && whole[2048 + 479] > 0)
    #expect(abs(whole[2048 + 240] - 0.5) < 1e-5)
    let steps = zip(whole, whole.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max() ?? 1 < 1.001 / 480)
  }

  @Test func scheduledChangesAndRampsAreMetAtTheirFrames() throws {
    let player = try UnitPlayer(TestUnits.tremolo())
    let unit = player.unit
    try unit.setParameter(1, 0.1)
    try unit.setParameter(7, 2)
    try unit.setParameter(4, 1)
    try unit.setParameter(2, 0)
    let ones = [[Float](repeating: 1, count: 512), [Float](repeating: 1, count: 512)]
    #expect(player.play(ones).output[0] == ones[0])
    var change = AudioUnitParameterEvent()
    change.parameter = 2
    change.eventType = kParameterEvent_Immediate
    unsafe change.eventValues.immediate.bufferOffset = 100
    unsafe change.eventValues.immediate.value = 50
    var ramp = AudioUnitParameterEvent()
    ramp.parameter = 2
    ramp.eventType = kParameterEvent_Ramped
    unsafe ramp.eventValues.ramp.startBufferOffset = 200
    unsafe ramp.eventValues.ramp.durationInFrames = 100
    unsafe ramp.eventValues.ramp.startValue = 50
    unsafe ramp.eventValues.ramp.endValue = 100
    try unit.scheduleParameters([change, ramp])
    let output = player.play(ones).output[0]
    #expect(output[99] == 1 && output[100] == 0.5 && output[199] == 0.5)
    for frame in 200...300 {
      #expect(abs(output[frame] - (0.5 - 0.005 * Float(frame - 200))) < 1e-5, "frame \(frame)")
    }
    #expect(output[511] == 0)
  }
}

/// Values that a unit keeps beside its parameters.
@Suite struct PageStateTests {
  private func state(_ title: String, version: Int32, key: String) -> CFDictionaryRef? {
    func number(_ value: UInt32) -> UnsafeRawPointer? {
      var value = Int32(bitPattern: value)
      return unsafe UnsafeRawPointer(CFNumberCreate(nil, kCFNumberSInt32Type, &value))
    }
    let inner = unsafe makeCFDictionary(takingOver: [key: UnsafeRawPointer(makeCFString(title))])
    return unsafe makeCFDictionary(takingOver: [
      "version": number(0), "type": number(0x6175_6678), "subtype": number(0x7472_656D),
      "manufacturer": number(0x5465_7374), "unit-state-version": number(UInt32(version)),
      "unit-state": unsafe UnsafeRawPointer(inner),
    ])
  }

  private func restore(_ unit: AudioUnit, _ state: CFDictionaryRef?) throws {
    let state = unsafe try #require(state)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    unsafe try unit.setProperty(
      kAudioUnitProperty_ClassInfo, UInt(bitPattern: UnsafeRawPointer(state)))
  }

  @Test func anOlderStateIsBroughtUpToDateAndANewerOneRefused() throws {
    let unit = try TestUnits.tremolo()
    #expect(try unit.stringProperty(64100) == "untitled")
    unsafe try restore(unit, state("old song", version: 1, key: "name"))
    #expect(try unit.stringProperty(64100) == "old song")
    unsafe try restore(unit, state("new song", version: 2, key: "title"))
    #expect(try unit.stringProperty(64100) == "new song")
    #expect(throws: AuricleError.self) {
      unsafe try self.restore(unit, self.state("future", version: 3, key: "title"))
    }
    #expect(unit.failureReason?.contains("newer version of the unit: form 3") == true)
    #expect(try unit.stringProperty(64100) == "new song")
    // A damaged one is refused by the unit itself, and changes nothing.
    #expect(throws: AuricleError.self) {
      unsafe try self.restore(unit, self.state("lost", version: 2, key: "other"))
    }
    #expect(unit.failureReason == "the state has no title")
    #expect(try unit.stringProperty(64100) == "new song")
  }

  @Test func whatIsSavedComesBackInAnotherInstance() throws {
    let unit = try TestUnits.tremolo()
    try unit.setStringProperty(64100, "kept")
    try unit.setParameter(1, 7)
    let saved = try unit.property(kAudioUnitProperty_ClassInfo, as: UInt.self)
    let other = try TestUnits.tremolo()
    try other.setProperty(kAudioUnitProperty_ClassInfo, saved)
    if let saved = unsafe UnsafeRawPointer(bitPattern: saved) { unsafe CFRelease(saved) }
    #expect(try other.stringProperty(64100) == "kept")
    #expect(try other.parameter(1) == 7)
    #expect(try other.property(64101, as: Double.self) == 420)
    #expect(throws: AuricleError.self) { try other.setStringProperty(64100, "") }
    #expect(other.failureReason == "a title has at least one letter")
  }

  /// The unit that renders is replaced between slices, and the sound shows which one plays.
  @Test func aNewStateAppliesAtTheNextSlice() throws {
    let player = try UnitPlayer(TestUnits.tremolo())
    try player.unit.setParameter(2, 0)
    let ones = [[Float](repeating: 1, count: 256), [Float](repeating: 1, count: 256)]
    #expect(player.play(ones).output[0] == ones[0])
    for round in 0..<20 {
      try player.unit.setStringProperty(64100, round % 2 == 0 ? "loud" : "soft")
      // Several before a slice: the last one counts.
      if round % 3 == 0 { try player.unit.setStringProperty(64100, round % 2 == 0 ? "loud" : "x") }
      let output = player.play(ones).output[0]
      #expect(output.allSatisfy { $0 == (round % 2 == 0 ? 2 : 1) }, "round \(round)")
    }
  }
}
