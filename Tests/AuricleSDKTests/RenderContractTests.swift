// Rendering by the rules: several outputs, observers, errors, caller's and unit's memory.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport
import TestSupport
import TestUnits
import Testing

@Suite struct RenderContractTests {
  @Test func aTimeIsRenderedOnceForAllOutputs() throws {
    let unit = try TestUnits.twoOutputs()
    let source = SignalSource([[1, 2, 3, 4], [5, 6, 7, 8]])
    try source.connect(to: unit)
    try unit.initialize()
    let call = UnitSelectors(unit)
    let first = ListMemory(2, bytes: 8)
    let second = ListMemory(2, bytes: 8)
    #expect(unsafe call.render(second.list, 2, at: 0, bus: 1) == 0)
    #expect(unsafe call.render(first.list, 2, at: 0, bus: 0) == 0)
    #expect(second.signal == [[-1, -2], [-5, -6]])
    #expect(first.signal == [[1, 2], [5, 6]])
    #expect(try unit.parameter(0) == 1)
    #expect(source.pulls == 1)
    #expect(unsafe call.render(first.list, 2, at: 2, bus: 0) == 0)
    #expect(unsafe call.render(second.list, 2, at: 2, bus: 1) == 0)
    #expect(second.signal == [[-3, -4], [-7, -8]])
    #expect(try unit.parameter(0) == 2)
    #expect(unsafe call.render(first.list, 2, at: 4, bus: 2) == kAudioUnitErr_InvalidElement)
  }

  @Test func anErrorOfTheSourceComesBackAndIsReportedToObservers() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[1, 2, 3, 4]])
    try source.connect(to: unit)
    try unit.initialize()
    let observer = FlagObserver()
    unsafe try unit.addRenderNotification(
      observeFlags, refCon: Unmanaged.passUnretained(observer).toOpaque())
    let call = UnitSelectors(unit)
    let memory = ListMemory(2, bytes: 8)
    var flags: AudioUnitRenderActionFlags = 0
    #expect(unsafe call.render(memory.list, 2, at: 0, flags: &flags) == 0)
    #expect(
      observer.flags == [kAudioUnitRenderAction_PreRender, kAudioUnitRenderAction_PostRender])
    // They are the observers' flags: the caller's do not show them.
    #expect(flags == 0)
    source.status = -4711
    observer.flags = []
    #expect(unsafe call.render(memory.list, 2, at: 2) == -4711)
    #expect(
      observer.flags == [
        kAudioUnitRenderAction_PreRender,
        kAudioUnitRenderAction_PostRender | kAudioUnitRenderAction_PostRenderError,
      ])
    #expect(try unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == -4711)
    #expect(try unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == 0)
    // A render that cannot begin is not observed.
    observer.flags = []
    #expect(
      unsafe call.render(memory.list, 5000, at: 4) == kAudioUnitErr_TooManyFramesToProcess)
    #expect(observer.flags.isEmpty)
    unsafe try unit.removeRenderNotification(
      observeFlags, refCon: Unmanaged.passUnretained(observer).toOpaque())
  }

  @Test func aRefusedRenderIsReportedAndLeavesTheThreadAsItWas() throws {
    let unit = try TestUnits.gain()
    try unit.initialize()
    let notify: AudioUnitPropertyListenerProc = { counter, _, _, _, _ in
      unsafe counter?.assumingMemoryBound(to: Int.self).pointee += 1
    }
    let reported = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    unsafe reported.initialize(to: 0)
    defer { unsafe reported.deallocate() }
    unsafe try unit.addPropertyListener(
      kAudioUnitProperty_LastRenderError, notify, refCon: reported)
    let memory = ListMemory(2, bytes: 8)
    let status = unsafe UnitSelectors(unit).render(memory.list, 5000, at: 0)
    #expect(status == kAudioUnitErr_TooManyFramesToProcess)
    #expect(unsafe reported.pointee == 1)
    #expect(!DenormalGuard.isActive)
    unsafe try unit.removePropertyListener(
      kAudioUnitProperty_LastRenderError, notify, refCon: reported)
  }

  @Test func parametersScheduledBeforeASliceApplyInIt() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[1, 1, 1, 1]])
    try source.connect(to: unit)
    try unit.initialize()
    unsafe try unit.addRenderNotification(
      { refCon, flags, _, _, _, _ in
        guard let refCon = unsafe refCon, let flags = unsafe flags,
          unsafe flags.pointee & kAudioUnitRenderAction_PreRender != 0
        else { return 0 }
        let unit = unsafe Unmanaged<AudioUnit>.fromOpaque(refCon).takeUnretainedValue()
        var event = AudioUnitParameterEvent()
        event.eventType = kParameterEvent_Immediate
        unsafe event.eventValues.immediate.bufferOffset = 3
        unsafe event.eventValues.immediate.value = 4
        try? unit.scheduleParameters([event])
        return 0
      }, refCon: Unmanaged.passUnretained(unit).toOpaque())
    let memory = ListMemory(2, bytes: 16)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 4, at: 0) == 0)
    #expect(memory.signal[0] == [1, 1, 1, 4])
  }

  @Test func nothingIsAskedForInNoFrames() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[1]])
    try source.connect(to: unit)
    try unit.initialize()
    let memory = ListMemory(2, bytes: 16)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 0, at: 0) == 0)
    #expect(source.pulls == 0)
    #expect(unsafe UnitSelectors(unit).render(nil, 4, at: 0) == kAudio_ParamError)
  }

  @Test func someBuffersMayLackMemory() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[1, 2], [3, 4]])
    try source.connect(to: unit)
    try unit.initialize()
    let memory = ListMemory(2, bytes: 8)
    unsafe memory.buffer(1).pointee.mData = nil
    #expect(unsafe UnitSelectors(unit).render(memory.list, 2, at: 0) == 0)
    #expect(memory.signal[0] == [1, 2])
    #expect(unsafe memory.list.samples(1)?[1] == 4)
  }

  @Test func parametersChangeOnOtherThreadsWhileRendering() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[Float](repeating: 1, count: 1 << 20)])
    try source.connect(to: unit)
    try unit.initialize()
    let record = unsafe unit.instance.pointee
    let set = unsafe try #require(unsafe record.setParameter)
    let address = unsafe UInt(bitPattern: record.plugIn)
    var isWhole = true
    var slice = 0
    let memory = ListMemory(2, bytes: 64)
    withSenders(2) { thread in
      for index in 0..<20_000 {
        // Two bit patterns without a bit in common: a torn value would be neither.
        let value: Float = (index + thread) % 2 == 0 ? 1.0 : 2.0
        unsafe _ = set(UnsafeMutableRawPointer(bitPattern: address), 0, 0, 0, value, 0)
      }
    } whileSending: {
      let status = unsafe UnitSelectors(unit).render(memory.list, 16, at: Double(slice * 16))
      if status != 0 || !memory.signal[0].allSatisfy({ $0 == 1 || $0 == 2 }) { isWhole = false }
      slice = (slice + 1) % 65_536
    }
    #expect(isWhole)
  }
}

/// Flags that an observer saw.
private final class FlagObserver {
  var flags: [AudioUnitRenderActionFlags] = []
}

private let observeFlags: AURenderCallback = { refCon, flags, _, _, _, _ in
  guard let refCon = unsafe refCon, let flags = unsafe flags else { return -1 }
  unsafe Unmanaged<FlagObserver>.fromOpaque(refCon).takeUnretainedValue()
    .flags.append(flags.pointee)
  return 0
}
