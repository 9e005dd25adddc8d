// Processing lists a caller brings, packets, and output units: results and codes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Synchronization
import TestUnits
import Testing

@Suite struct ProcessTests {
  @Test(
    arguments: [
      (kAudioUnitType_Effect, [19, 20, 21]), (kAudioUnitType_MusicEffect, [19, 20, 21]),
      (kAudioUnitType_Mixer, [19, 20, 21]), (kAudioUnitType_MusicDevice, []),
      (kAudioUnitType_Generator, []),
    ] as [(OSType, [Int16])])
  func typesAnswerTheirSelectors(_ type: OSType, _ selectors: [Int16]) throws {
    let unit = try TestUnits.midi(type: type)
    #expect((19...30).filter { unit.implements($0) } == selectors)
    #expect([8, 12, 13].allSatisfy { !unit.implements($0) })
  }

  @Test func processesInPlace() throws {
    let unit = try TestUnits.gain()
    try unit.setParameter(0, 0.5)
    let call = UnitSelectors(unit)
    let memory = ListMemory([[1, -1, 0.25, 8], [0, 2, 4, -8]])
    #expect(unsafe call.process(memory.list, 4) == kAudioUnitErr_Uninitialized)
    try unit.initialize()
    #expect(unsafe call.process(memory.list, 4) == 0)
    #expect(memory.signal == [[0.5, -0.5, 0.125, 4], [0, 1, 2, -4]])
    // The same time is no reason not to process: the caller brings other samples.
    #expect(unsafe call.process(memory.list, 4) == 0)
    #expect(memory.signal[0] == [0.25, -0.25, 0.0625, 2])
  }

  @Test func refusesListsThatAreWrong() throws {
    let unit = try TestUnits.gain()
    try unit.setMaximumFramesPerSlice(64)
    try unit.initialize()
    let call = UnitSelectors(unit)
    let memory = ListMemory(2, bytes: 4 * 32)
    #expect(unsafe call.process(memory.list, 65) == kAudioUnitErr_TooManyFramesToProcess)
    #expect(unsafe call.process(memory.list, 33) == kAudio_ParamError)
    #expect(unsafe call.process(nil, 32) == kAudio_ParamError)
    unsafe memory.buffer(1).pointee.mData = nil
    #expect(unsafe call.process(memory.list, 32) == kAudio_ParamError)
    memory.prepare()
    unsafe memory.list.pointee.mNumberBuffers = 1
    #expect(unsafe call.process(memory.list, 32) == kAudio_ParamError)
    #expect(
      try unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == kAudio_ParamError)
    let shape = try TestUnits.shape(1, 2)
    try shape.initialize()
    #expect(
      unsafe UnitSelectors(shape).process(ListMemory(1, bytes: 64).list, 16)
        == kAudioUnitErr_FormatNotSupported)
  }

  @Test func aUnitWithSeparateBuffersProcessesToo() throws {
    let unit = try TestUnits.shape(2, 2)
    try unit.initialize()
    let memory = ListMemory([[1, 2, 3], [4, 5, 6]])
    #expect(unsafe UnitSelectors(unit).process(memory.list, 3) == 0)
    #expect(memory.signal == [[1, 2, 3], [8, 10, 12]])
  }

  @Test func processesSeveralBuses() throws {
    let unit = try TestUnits.twoOutputs()
    try unit.initialize()
    let call = UnitSelectors(unit)
    let main = ListMemory([[1, 2], [3, 4]])
    let key = ListMemory([[10, 20], [30, 40]])
    let first = ListMemory(2, bytes: 8)
    let second = ListMemory(2, bytes: 8)
    #expect(
      unsafe call.processMultiple([main.list, key.list], [first.list, second.list], 2) == 0)
    #expect(first.signal == [[11, 22], [33, 44]])
    #expect(second.signal == [[-11, -22], [-33, -44]])
    #expect(main.signal == [[1, 2], [3, 4]])
    // An optional input may be left out; an output without memory gets the unit's.
    second.prepare(withMemory: false)
    #expect(unsafe call.processMultiple([main.list, nil], [first.list, second.list], 2) == 0)
    #expect(first.signal == [[1, 2], [3, 4]])
    #expect(unsafe second.list.samples(1)?[1] == -4)
    #expect(unsafe call.processMultiple([main.list], [first.list, second.list], 2) == -50)
    #expect(unsafe call.processMultiple([main.list, nil], [first.list], 2) == -50)
    #expect(unsafe call.processMultiple([nil, nil], [first.list, second.list], 2) == -50)
    #expect(unsafe call.processMultiple([main.list, nil], [first.list, nil], 2) == -50)
    #expect(unsafe call.processMultiple([main.list, nil], [first.list, second.list], 3) == -50)
  }

  @Test func anOutputMayBeWhereAnInputIs() throws {
    let unit = try TestUnits.twoOutputs()
    try unit.initialize()
    let main = ListMemory([[1, 2], [3, 4]])
    let key = ListMemory([[10, 20], [30, 40]])
    #expect(
      unsafe UnitSelectors(unit).processMultiple(
        [main.list, key.list], [key.list, main.list], 2) == 0)
    #expect(key.signal == [[11, 22], [33, 44]])
    #expect(main.signal == [[-11, -22], [-33, -44]])
    let gain = try TestUnits.gain()
    try gain.setParameter(0, 2)
    try gain.initialize()
    let output = ListMemory(2, bytes: 8)
    #expect(unsafe UnitSelectors(gain).processMultiple([main.list], [output.list], 2) == 0)
    #expect(output.signal == [[-22, -44], [-66, -88]])
    #expect(main.signal == [[-11, -22], [-33, -44]])
  }

  @Test func scheduledChangesApplyWhileProcessing() throws {
    let unit = try TestUnits.gain()
    try unit.initialize()
    var event = AudioUnitParameterEvent()
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate.bufferOffset = 2
    unsafe event.eventValues.immediate.value = 3
    try unit.scheduleParameters([event])
    let memory = ListMemory([[1, 1, 1, 1], [1, 1, 1, 1]])
    #expect(unsafe UnitSelectors(unit).process(memory.list, 4) == 0)
    #expect(memory.signal[1] == [1, 1, 3, 3])
  }

  @Test func packetsOfLinearPCMAreFrames() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[1, 2, 3, 4], [5, 6, 7, 8]])
    try source.connect(to: unit)
    try unit.initialize()
    let memory = ListMemory(2, bytes: 16)
    var produced: UInt32 = 99
    let call = UnitSelectors(unit)
    #expect(unsafe call.complexRender(memory.list, 4, at: 0, &produced) == 0)
    #expect(produced == 4)
    #expect(memory.signal == [[1, 2, 3, 4], [5, 6, 7, 8]])
    #expect(unsafe call.complexRender(memory.list, 5, at: 4, &produced) == kAudio_ParamError)
    #expect(produced == 0)
    #expect(unsafe call.complexRender(memory.list, 4, at: 8, nil) == kAudio_ParamError)
  }

  @Test func anOutputUnitStartsAndStops() throws {
    let log = OutputLog()
    let unit = try TestUnits.output(log: log)
    let call = UnitSelectors(unit)
    let running = kAudioOutputUnitProperty_IsRunning
    #expect(call.output(kAudioOutputUnitStartSelect) == kAudioUnitErr_Uninitialized)
    try unit.initialize()
    #expect(call.output(kAudioOutputUnitStopSelect) == 0)
    #expect(call.output(kAudioOutputUnitStartSelect) == 0)
    #expect(call.output(kAudioOutputUnitStartSelect) == 0)
    #expect(try unit.property(running, as: UInt32.self) == 1)
    #expect(call.output(kAudioOutputUnitStopSelect) == 0)
    #expect(try unit.property(running, as: UInt32.self) == 0)
    #expect(call.output(kAudioOutputUnitStartSelect) == 0)
    try unit.uninitialize()
    #expect(log.starts.load(ordering: .relaxed) == 2)
    #expect(log.stops.load(ordering: .relaxed) == 2)
    #expect(
      UnitSelectors(try TestUnits.gain()).output(kAudioOutputUnitStartSelect)
        == kAudio_UnimplementedError)
  }
}
