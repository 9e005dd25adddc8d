// Silence on its way through a unit, numbers that are none, and the floating-point control word.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport
import TestUnits
import Testing

@Suite struct SilenceTests {
  private let silent = kAudioUnitRenderAction_OutputIsSilence

  @Test func aUnitThatMayIsNotCalledOnceItsTailIsOver() throws {
    let unit = try TestUnits.ringing()
    try unit.setProperty(kAudioUnitProperty_SampleRate, scope: kAudioUnitScope_Input, 48_000.0)
    try unit.setProperty(kAudioUnitProperty_SampleRate, scope: kAudioUnitScope_Output, 48_000.0)
    let source = SignalSource([[Float](repeating: 1, count: 64)])
    try source.connect(to: unit)
    try unit.initialize()
    let call = UnitSelectors(unit)
    func render(_ slice: Int) throws -> (calls: Float, isSilent: Bool, sum: Float) {
      let memory = ListMemory(1, bytes: 256)
      var flags: AudioUnitRenderActionFlags = 0
      #expect(unsafe call.render(memory.list, 64, at: Double(slice * 64), flags: &flags) == 0)
      return (try unit.parameter(0), flags & silent != 0, memory.signal[0].reduce(0, +))
    }
    #expect(try render(0) == (1, false, 64))
    source.isSilent = true
    // 64 frames came in; they ring for 100 frames: two slices, of which the unit must make both.
    #expect(try render(1).sum == 28)
    let third = try render(2)
    #expect(third.calls == 3)
    #expect(third.sum == 36)
    #expect(try render(3) == (3, true, 0))
    #expect(try render(4) == (3, true, 0))
    source.isSilent = false
    source.samples = [[Float](repeating: 1, count: 10_000)]
    #expect(try render(5) == (4, false, 64))
    // After a reset it is asked anew.
    source.isSilent = true
    try unit.reset()
    #expect(try render(6).calls == 5)
  }

  @Test func aUnitThatDidNotSaySoIsAlwaysCalled() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([])
    source.isSilent = true
    try source.connect(to: unit)
    try unit.initialize()
    var flags: AudioUnitRenderActionFlags = silent
    let memory = ListMemory(2, bytes: 256)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 64, at: 0, flags: &flags) == 0)
    #expect(flags & silent == 0)
    #expect(memory.signal == [[Float]](repeating: [Float](repeating: 0, count: 64), count: 2))
  }

  @Test func aSourceThatSaysSilenceIsSilent() throws {
    let unit = try TestUnits.gain()
    // It says that it is silent, and leaves noise in its buffers.
    unsafe try unit.setInputCallback(
      element: 0,
      { _, flags, _, _, frames, list in
        unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
        for frame in 0..<Int(frames) { unsafe list?.samples(0)?[frame] = 9 }
        return 0
      }, refCon: nil)
    try unit.initialize()
    let memory = ListMemory(2, bytes: 64)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 16, at: 0) == 0)
    #expect(memory.signal[0] == [Float](repeating: 0, count: 16))
  }

  @Test func processReceivesFlagsOfSilence() throws {
    let unit = try TestUnits.ringing()
    try unit.initialize()
    let call = UnitSelectors(unit)
    let memory = ListMemory([[Float](repeating: 0, count: 256)])
    var flags: AudioUnitRenderActionFlags = silent
    #expect(unsafe call.process(memory.list, 256, flags: &flags) == 0)
    #expect(flags & silent == 0)
    let sound = ListMemory([[Float](repeating: 0.5, count: 256)])
    #expect(unsafe call.process(sound.list, 256, at: 256, flags: nil) == 0)
    flags = silent
    #expect(unsafe call.process(memory.list, 256, at: 512, flags: &flags) == 0)
    flags = silent
    #expect(unsafe call.process(memory.list, 256, at: 768, flags: &flags) == 0)
    #expect(flags & silent != 0)
    #expect(try unit.parameter(0) == 3)
  }

  @Test func theGuardTurnsWhatIsNoNumberIntoSilenceAndAnError() throws {
    let unit = try TestUnits.broken()
    let source = SignalSource([[0.25, 0.5, 0.75, 0.25, 0.25]])
    try source.connect(to: unit)
    try unit.initialize()
    let call = UnitSelectors(unit)
    #expect(try unit.property(kAuricleProperty_NaNGuard, as: UInt32.self) == 0)
    let memory = ListMemory(2, bytes: 16)
    #expect(unsafe call.render(memory.list, 4, at: 0) == 0)
    #expect(memory.signal[0][2].isNaN)
    try unit.setProperty(kAuricleProperty_NaNGuard, UInt32(1))
    source.position = 0
    #expect(unsafe call.render(memory.list, 4, at: 4) == OSStatus(kAuricleErr_NotFinite))
    #expect(memory.signal == [[0, 0, 0, 0], [0, 0, 0, 0]])
    #expect(
      try unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self)
        == OSStatus(kAuricleErr_NotFinite))
    source.position = 3
    let rest = ListMemory(2, bytes: 8)
    #expect(unsafe call.render(rest.list, 2, at: 8) == 0)
    #expect(rest.signal[0] == [0.25, 0.25])
  }

  @Test func denormalsStayOffWhateverIsCalled() throws {
    let unit = try TestUnits.rude()
    unsafe try unit.setInputCallback(
      element: 0,
      { _, _, _, _, _, _ in
        // A plug-in's idea of good manners.
        let denormals = DenormalGuard(saved: 0x1F80)
        denormals.restore()
        return 0
      }, refCon: nil)
    try unit.initialize()
    var change = AudioUnitParameterEvent()
    change.parameter = 2
    change.eventType = kParameterEvent_Immediate
    unsafe change.eventValues.immediate.bufferOffset = 32
    try unit.scheduleParameters([change])
    let memory = ListMemory(2, bytes: 256)
    let outer = DenormalGuard()
    let wasActive = DenormalGuard.isActive
    let status = unsafe UnitSelectors(unit).render(memory.list, 64, at: 0)
    let isActive = DenormalGuard.isActive
    // Rounding is as it was as well: a third of 1 rounds up, two thirds down.
    let third = ParameterStore(count: 1, initialValue: 3)
    let ratio = 2 / third.value(at: 0)
    third.deallocate()
    outer.restore()
    #expect(status == 0)
    #expect(isActive == wasActive)
    #expect(ratio == Float(2.0 / 3.0))
    #expect(try unit.parameter(0) == 0)
    #expect(try unit.parameter(1) == 2)
  }
}
