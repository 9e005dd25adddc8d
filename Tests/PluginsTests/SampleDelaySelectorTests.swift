// The unit in C by its selectors: lists, packets, schedules, bypass, silence, and the guard.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite("The unit in C keeps the contract of rendering")
struct SampleDelaySelectorTests {
  private func method<Procedure>(
    _ unit: AudioUnit, _ selector: Int16, _ type: Procedure.Type
  ) throws -> Procedure {
    let plugIn = unsafe unit.instance.pointee.plugIn
    let lookUp = unsafe try #require(unsafe plugIn?.pointee.Lookup)
    let found = unsafe try #require(unsafe lookUp(selector))
    return unsafe unsafeBitCast(found, to: type)
  }

  private func event(_ frame: UInt32, _ value: Float) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate.bufferOffset = frame
    unsafe event.eventValues.immediate.value = value
    return event
  }

  @Test func processesListsAndPackets() throws {
    let rig = try UnitRig("sdly", [0: 0])
    let plugIn = unsafe UnsafeMutableRawPointer(rig.unit.instance.pointee.plugIn)
    let multiple = unsafe try method(
      rig.unit, kAudioUnitProcessMultipleSelect, AudioUnitProcessMultipleProc.self)
    let input = AudioBuffers(channelCount: 2, frameCapacity: 8)
    let output = AudioBuffers(channelCount: 2, frameCapacity: 8)
    input.setFrameCount(8)
    output.setFrameCount(8)
    for frame in 0..<8 { unsafe input.channel(1)[frame] = Float(frame) }
    var stamp = AudioTimeStamp(sampleTime: 0)
    var given: [UnsafePointer<AudioBufferList>?] = unsafe [UnsafePointer(input.list)]
    var wanted: [UnsafeMutablePointer<AudioBufferList>?] = unsafe [output.list]
    #expect(unsafe multiple(plugIn, nil, &stamp, 8, 1, &given, 1, &wanted) == 0)
    #expect(unsafe output.channel(1)[7] == 7)
    #expect(unsafe multiple(plugIn, nil, &stamp, 8, 1, &given, 0, &wanted) == kAudio_ParamError)
    #expect(unsafe multiple(plugIn, nil, &stamp, 9, 1, &given, 1, &wanted) == kAudio_ParamError)
    let packets = unsafe try method(
      rig.unit, kAudioUnitComplexRenderSelect, AudioUnitComplexRenderProc.self)
    var produced: UInt32 = 0
    let status = unsafe packets(
      plugIn, nil, &stamp, 0, 8, &produced, nil, output.list, nil, nil)
    #expect(status == 0)
    #expect(produced == 8)
  }

  @Test func schedulesAllOrNothingAndDropsWhatIsOutside() throws {
    let rig = try UnitRig("sdly", [0: 0])
    let signal = [[Float](repeating: 1, count: 64)]
    #expect(throws: AuricleError.self) {
      try rig.unit.scheduleParameters([event(0, 9), event(0, .nan)])
    }
    try rig.unit.scheduleParameters([event(64, 9)])
    _ = try rig.render(signal, slices: [64])
    #expect(try rig.unit.parameter(0) == 0)
    var ramp = AudioUnitParameterEvent()
    ramp.eventType = kParameterEvent_Ramped
    unsafe ramp.eventValues.ramp.durationInFrames = 128
    unsafe ramp.eventValues.ramp.endValue = 10
    try rig.unit.scheduleParameters([ramp])
    _ = try rig.render(signal, slices: [64])
    #expect(try rig.unit.parameter(0) == 5)
  }

  @Test func bypassMakesNoClick() throws {
    let rig = try UnitRig("sdly", [0: 10_000])
    let ones = [[Float]](repeating: [Float](repeating: 1, count: 2048), count: 2)
    _ = try rig.render(ones, slices: [512])
    try rig.unit.setBypassed(true)
    let output = try rig.render(ones, slices: [512])[0]
    let steps = zip(output, output.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.01)
    #expect(output.last == 1)
  }

  @Test func theGuardSilencesWhatIsNoNumber() throws {
    let rig = try UnitRig("sdly", [0: 0])
    try rig.unit.setProperty(kAuricleProperty_NaNGuard, UInt32(1))
    unsafe try rig.unit.setInputCallback(
      { _, _, _, _, frames, list in
        for frame in 0..<Int(frames) { unsafe list?.samples(0)?[frame] = .nan }
        return 0
      }, refCon: nil)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 16)
    buffers.setFrameCount(16)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 1e6)
    let status = unsafe rig.unit.render(
      flags: &flags, timeStamp: &time, frameCount: 16, buffers: buffers.list)
    #expect(status == OSStatus(kAuricleErr_NotFinite))
    #expect(unsafe buffers.channel(0)[3] == 0)
  }
}
