// Reports made while rendering: a latency that changes, and the states and names of parts.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleSDK
import CAudioToolbox
import Synchronization
import TestUnits
import Testing

/// Passes its input on, and says that it is as late as its parameter says.
private struct LateKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    slice.reportLatency(frames: Int(slice.parameter(0)))
  }
}

/// Counts the calls of a C callback.
private final class Count: Sendable {
  let value = Atomic<Int>(0)
}

@Suite struct RenderReportTests {
  @Test func aLatencyThatChangesIsReportedOnce() throws {
    var definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "late", unit: kAudioUnitParameterUnit_SampleFrames, range: 0...1000,
          defaultValue: 0)
      ])
    definition.maximumLatencySeconds = 0.1
    let unit = unsafe try TestUnits.open(
      "late",
      makeAudioUnit(LateKernel.self, definition, nil) {
        unsafe runKernel(LateKernel.self, $0, $1)
      })
    let count = Count()
    let reference = unsafe Unmanaged.passUnretained(count).toOpaque()
    let listener: AudioUnitPropertyListenerProc = { reference, _, id, scope, element in
      guard let reference = unsafe reference, id == kAudioUnitProperty_Latency, scope == 0,
        element == 0
      else { return }
      let count = unsafe Unmanaged<Count>.fromOpaque(reference).takeUnretainedValue()
      count.value.add(1, ordering: .relaxed)
    }
    let lookUp = unsafe try #require(unsafe unit.instance.pointee.plugIn.pointee.Lookup)
    let plugIn = unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
    let add = unsafe unsafeBitCast(
      lookUp(Int16(kAudioUnitAddPropertyListenerSelect)), to: AudioUnitAddPropertyListenerProc.self)
    let remove = unsafe unsafeBitCast(
      lookUp(Int16(kAudioUnitRemovePropertyListenerSelect)),
      to: AudioUnitRemovePropertyListenerProc.self)
    #expect(unsafe add(plugIn, kAudioUnitProperty_Latency, listener, reference) == 0)
    let player = try UnitPlayer(unit)
    let silence = [[Float]](repeating: [Float](repeating: 0, count: 512), count: 2)
    for (late, reported) in [(0, 0), (240, 1), (240, 1), (100, 2), (0, 3)] as [(Float, Int)] {
      try unit.setParameter(0, late)
      #expect(player.play(silence).status == 0)
      #expect(count.value.load(ordering: .relaxed) == reported, "after \(late) frames")
    }
    #expect(unsafe remove(plugIn, kAudioUnitProperty_Latency, listener) == 0)
    try unit.setParameter(0, 50)
    #expect(player.play(silence).status == 0)
    #expect(count.value.load(ordering: .relaxed) == 3)
  }

  @Test func aPartHasANameOfItsOwn() throws {
    let unit = try TestUnits.mixer()
    try unit.setProperty(
      kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Part, UInt32(2))
    func name(_ part: UInt32) throws -> String? {
      let preset = unsafe try unit.property(
        kAudioUnitProperty_PresentPreset, scope: kAudioUnitScope_Part, element: part,
        initial: AUPreset())
      let text = unsafe try #require(unsafe preset.presetName)
      defer { unsafe CFRelease(UnsafeRawPointer(text)) }
      #expect(unsafe preset.presetNumber == -1)
      return unsafe String(cfString: text)
    }
    func set(_ preset: Int32, _ text: String, _ part: UInt32) throws {
      let string = unsafe try #require(unsafe makeCFString(text))
      defer { unsafe CFRelease(UnsafeRawPointer(string)) }
      unsafe try unit.setProperty(
        kAudioUnitProperty_PresentPreset, scope: kAudioUnitScope_Part, element: part,
        AUPreset(presetNumber: preset, presetName: string))
    }
    #expect(try name(1) == "Untitled")
    try set(-1, "Strings", 1)
    #expect(try name(1) == "Strings" && name(0) == "Untitled")
    #expect(unit.presentPreset?.name != "Strings")
    let beyond = #expect(throws: AuricleError.self) { try set(-1, "x", 2) }
    #expect(beyond?.status == kAudioUnitErr_InvalidElement)
    let factory = #expect(throws: AuricleError.self) { try set(0, "x", 1) }
    #expect(factory?.status == kAudioUnitErr_InvalidPropertyValue)
    // The name goes with the state of the part, to another part as well.
    let state = unsafe try #require(
      unsafe try unit.property(
        kAudioUnitProperty_ClassInfo, scope: kAudioUnitScope_Part, element: 1,
        initial: nil as CFDictionaryRef?))
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    unsafe try unit.setProperty(
      kAudioUnitProperty_ClassInfo, scope: kAudioUnitScope_Part, element: 0,
      state as CFDictionaryRef?)
    #expect(try name(0) == "Strings")
    // A part that went has lost it.
    for count in [1, 2] as [UInt32] {
      try unit.setProperty(kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Part, count)
    }
    #expect(try name(1) == "Untitled")
  }
}
