// A unit made with the SDK, seen through the C interface: properties, formats, errors, presets.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct UnitInstanceTests {
  @Test func rendersWhatTheKernelMakes() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    try unit.setParameter(0, 0.5)
    let (output, status) = player.play([[1, -1, 0.25], [0, 2, 4]])
    #expect(status == 0)
    #expect(output == [[0.5, -0.5, 0.125], [0, 1, 2]])
    #expect(try unit.parameter(1000) == 0.5)
  }

  @Test func reportsItsParameters() throws {
    let unit = try TestUnits.gain()
    let parameters = try unit.parameters()
    #expect(parameters.map(\.id) == [0, 1000, 7])
    #expect(parameters.map(\.name) == ["gain", "level", "mode"])
    #expect(parameters[0].maximum == 4)
    #expect(!parameters[1].isWritable)
    #expect(parameters[2].valueNames == ["soft", "medium", "hard"])
    #expect(parameters[2].defaultValue == 1)
  }

  @Test func bringsValuesIntoTheirRangeAndRefusesWhatIsNoNumber() throws {
    let unit = try TestUnits.gain()
    try unit.setParameter(0, 9)
    #expect(try unit.parameter(0) == 4)
    #expect(throws: AuricleError.self) { try unit.setParameter(0, .nan) }
    #expect(throws: AuricleError.self) { try unit.setParameter(1000, 1) }
    #expect(throws: AuricleError.self) { try unit.setParameter(99, 1) }
    #expect(try unit.parameter(0) == 4)
  }

  @Test(
    arguments: [
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, kAudioUnitErr_InvalidElement),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Global, 1, kAudioUnitErr_InvalidElement),
      (kAudioUnitProperty_StreamFormat, kAudioUnitScope_Part, 0, kAudioUnitErr_InvalidScope),
      (kAudioUnitProperty_Latency, kAudioUnitScope_Input, 0, kAudioUnitErr_InvalidScope),
      (60_000, kAudioUnitScope_Global, 0, kAudioUnitErr_InvalidProperty),
      (kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, 5, kAudioUnitErr_InvalidParameter),
      (
        kAudioUnitProperty_SupportedNumChannels, kAudioUnitScope_Global, 0,
        kAudioUnitErr_InvalidProperty
      ),
    ] as [(AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, OSStatus)])
  func refusesWithTheCodesOfTheABI(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ code: OSStatus
  ) throws {
    let unit = try TestUnits.gain()
    let error = #expect(throws: AuricleError.self) {
      try unit.propertyInfo(id, scope: scope, element: element)
    }
    #expect(error?.status == code)
  }

  @Test func keepsFormatsWhileInitialised() throws {
    let unit = try TestUnits.gain()
    _ = try UnitPlayer(unit)
    let error = #expect(throws: AuricleError.self) {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 44_100, channelCount: 1), scope: kAudioUnitScope_Input,
        element: 0)
    }
    #expect(error?.status == kAudioUnitErr_Initialized)
    try unit.uninitialize()
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: 44_100, channelCount: 1), scope: kAudioUnitScope_Input,
      element: 0)
    #expect(
      try unit.streamFormat(scope: kAudioUnitScope_Input, element: 0).channelCount == 1)
  }

  @Test func refusesChannelCountsItCannotDo() throws {
    let unit = try TestUnits.shape(1, 2)
    let error = #expect(throws: AuricleError.self) {
      try UnitPlayer(unit, inputs: 2, outputs: 2)
    }
    #expect(error?.status == kAudioUnitErr_FormatNotSupported)
    let good = try TestUnits.shape(1, 2)
    let (output, status) = try UnitPlayer(good, inputs: 1, outputs: 2).play([[0.5, 0.25]])
    #expect(status == 0)
    #expect(output == [[0.5, 0.25], [1, 0.5]])
  }

  @Test func rendersOnlyWhenInitialisedAndWithinItsSlice() throws {
    let unit = try TestUnits.gain()
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 2048)
    buffers.setFrameCount(2048)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 0)
    #expect(
      unsafe unit.render(flags: &flags, timeStamp: &time, frameCount: 64, buffers: buffers.list)
        == kAudioUnitErr_Uninitialized)
    _ = try UnitPlayer(unit, maximumFrames: 1024)
    #expect(
      unsafe unit.render(flags: &flags, timeStamp: &time, frameCount: 2048, buffers: buffers.list)
        == kAudioUnitErr_TooManyFramesToProcess)
    #expect(
      unsafe unit.render(
        flags: &flags, timeStamp: &time, outputElement: 1, frameCount: 64, buffers: buffers.list)
        == kAudioUnitErr_InvalidElement)
    let mono = AudioBuffers(channelCount: 1, frameCapacity: 64)
    mono.setFrameCount(64)
    #expect(
      unsafe unit.render(flags: &flags, timeStamp: &time, frameCount: 64, buffers: mono.list)
        == kAudio_ParamError)
    #expect(
      try unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == kAudio_ParamError)
    #expect(try unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == 0)
  }

  @Test func returnsAnErrorOfItsInputUnchanged() throws {
    let player = try UnitPlayer(try TestUnits.gain())
    player.inputStatus = -12345
    #expect(player.play([[1], [1]]).status == -12345)
  }

  @Test func asksForASource() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    try unsafe unit.setInputCallback(element: 0, nil, refCon: nil)
    #expect(player.play([[1], [1]]).status == kAudioUnitErr_NoConnection)
  }

  @Test func suppliesBuffersWhereTheCallerHasNone() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    _ = player.play([[1], [1]])
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 16)
    buffers.setFrameCountWithoutMemory(16)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 4096)
    #expect(
      unsafe unit.render(flags: &flags, timeStamp: &time, frameCount: 16, buffers: buffers.list)
        == 0)
    #expect(unsafe buffers.list.pointee.mBuffers.mData != nil)
    #expect(unsafe buffers.list.pointee.mBuffers.mDataByteSize == 64)
  }

  @Test func rendersOnceForASampleTime() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 16)
    var flags: AudioUnitRenderActionFlags = 0
    for time in [0.0, 0.0, 16.0] {
      buffers.setFrameCount(16)
      var stamp = AudioTimeStamp(sampleTime: time)
      #expect(
        unsafe unit.render(flags: &flags, timeStamp: &stamp, frameCount: 16, buffers: buffers.list)
          == 0)
    }
    #expect(player.pulls == 2)
  }

  @Test func acceptsPresetsByNumber() throws {
    let unit = try TestUnits.gain()
    #expect(unit.factoryPresets.map(\.name) == ["Half", "Double"])
    try unit.selectPreset(number: 1)
    #expect(try unit.parameter(0) == 2)
    #expect(unit.presentPreset?.name == "Double")
    #expect(throws: AuricleError.self) { try unit.selectPreset(number: 2) }
  }

  @Test func readsLatencyAndTailOfTheKernel() throws {
    let unit = try TestUnits.lookAhead()
    _ = try UnitPlayer(unit)
    #expect(abs(unit.latency * 48_000 - 240) < 1e-9)
    #expect(unit.tailTime == 0.25)
  }

  @Test func savesAndRestoresItsState() throws {
    let first = try TestUnits.gain()
    try first.setParameter(0, 3)
    try first.setParameter(7, 2)
    let state = unsafe try first.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    let second = try TestUnits.gain()
    unsafe try second.setProperty(kAudioUnitProperty_ClassInfo, state)
    #expect(try second.parameter(0) == 3)
    #expect(try second.parameter(7) == 2)
    if let state = unsafe state { unsafe CFRelease(UnsafeRawPointer(state)) }
  }

  @Test func bypassFadesToTheInputAndBack() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    try unit.setParameter(0, 0)
    let ones = [[Float]](repeating: [Float](repeating: 1, count: 2048), count: 2)
    #expect(player.play(ones).output[0].allSatisfy { $0 == 0 })
    try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(1))
    let bypassed = player.play(ones).output[0]
    #expect(bypassed.last == 1)
    let steps = zip(bypassed, bypassed.dropFirst()).map { $1 - $0 }
    #expect((steps.max() ?? 1) < 0.01)
    try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(0))
    #expect(player.play(ones).output[0].last == 0)
  }

  @Test func scheduledChangesHappenAtTheirFrame() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    var event = AudioUnitParameterEvent()
    event.parameter = 0
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate.bufferOffset = 100
    unsafe event.eventValues.immediate.value = 2
    try unit.scheduleParameters([event])
    let (output, _) = player.play([[Float](repeating: 1, count: 256)], slice: 256)
    #expect(output[0][..<100].allSatisfy { $0 == 1 })
    #expect(output[0][100...].allSatisfy { $0 == 2 })
    #expect(try unit.parameter(0) == 2)
  }
}
