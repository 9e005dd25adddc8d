// Parts of a unit's saved state beside the parameters.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleSDK
import CAudioToolbox
import Synchronization
import TestUnits
import Testing

/// A unit's own state: bytes, a text, and numbers.
private final class Memory: Sendable {
  struct Contents {
    var bytes: [UInt8] = [1, 2, 3]
    var text = "first"
    var number: Int32 = 7
    var real = 0.25
  }
  let contents = Mutex(Contents())
}

/// A gain that remembers something beside its parameter, and refuses the text "refuse".
private func remembering(_ memory: Memory) throws -> AudioUnit {
  let procedures = unsafe KernelProcedures(
    create: { _ in UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1) },
    destroy: { unsafe $0.deallocate() }, reset: { _ in }, latencyFrames: { _ in 0 },
    tailSeconds: { _ in 0 }, process: { _, _ in })
  var definition = UnitDefinition(parameters: [
    ParameterDefinition(
      id: 3, name: "gain", unit: kAudioUnitParameterUnit_LinearGain, range: 0...4, defaultValue: 1)
  ])
  definition.state = StateDefinition(
    save: { _, state in
      let contents = memory.contents.withLock { $0 }
      if contents.text == "unsayable" { return -77 }
      state.set("own-bytes", data: contents.bytes)
      state.set("own-text", string: contents.text)
      state.set("own") { inner in
        inner.set("number", integer: contents.number)
        inner.set("real", real: contents.real)
      }
      return 0
    },
    restore: { _, state in
      guard let text = state.string("own-text") else { return 0 }
      if text == "refuse" { return -78 }
      memory.contents.withLock {
        $0.text = text
        $0.bytes = state.data("own-bytes") ?? []
        $0.number = state.state("own")?.integer("number") ?? 0
        $0.real = state.state("own")?.real("real") ?? 0
      }
      return 0
    })
  return unsafe try TestUnits.open("remembering", makeAudioUnit(definition, procedures, nil))
}

@Suite struct StateTests {
  @Test func aUnitsOwnStateGoesBothWays() throws {
    let first = Memory()
    first.contents.withLock {
      $0.bytes = [9, 8]
      $0.text = "Grüße"
      $0.number = -5
      $0.real = 1.5
    }
    let unit = try remembering(first)
    try unit.setParameter(3, 2)
    let state = unsafe try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    let second = Memory()
    let other = try remembering(second)
    unsafe try other.setProperty(kAudioUnitProperty_ClassInfo, state)
    let contents = second.contents.withLock { $0 }
    #expect(contents.bytes == [9, 8] && contents.text == "Grüße")
    #expect(contents.number == -5 && contents.real == 1.5)
    #expect(try other.parameter(3) == 2)
  }

  @Test func aStateTheUnitRefusesChangesNothing() throws {
    let memory = Memory()
    let unit = try remembering(memory)
    memory.contents.withLock { $0.text = "refuse" }
    try unit.setParameter(3, 2)
    let state = unsafe try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    try unit.setParameter(3, 4)
    let error = #expect(throws: AuricleError.self) {
      unsafe try unit.setProperty(kAudioUnitProperty_ClassInfo, state)
    }
    #expect(error?.status == -78)
    #expect(try unit.parameter(3) == 4)
  }

  @Test func aStateThatCannotBeSavedIsAnError() throws {
    let memory = Memory()
    let unit = try remembering(memory)
    memory.contents.withLock { $0.text = "unsayable" }
    let error = #expect(throws: AuricleError.self) {
      unsafe _ = try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    }
    #expect(error?.status == -77)
  }
}
