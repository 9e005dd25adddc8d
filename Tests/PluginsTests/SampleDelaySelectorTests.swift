// The unit in C by its selectors: a list in place, schedules, bypass.
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

  @Test func processesAListInPlace() throws {
    let rig = try UnitRig("sdly", [0: 3])
    let plugIn = unsafe UnsafeMutableRawPointer(rig.unit.instance.pointee.plugIn)
    let process = unsafe try method(
      rig.unit, kAudioUnitProcessSelect, AudioUnitProcessProc.self)
    let list = AudioBuffers(channelCount: 2, frameCapacity: 8)
    list.setFrameCount(8)
    for frame in 0..<8 { unsafe list.channel(1)[frame] = Float(frame) }
    var stamp = AudioTimeStamp(sampleTime: 0)
    #expect(unsafe process(plugIn, nil, &stamp, 8, list.list) == 0)
    #expect(unsafe list.channel(1)[7] == 4)
    #expect(unsafe process(plugIn, nil, &stamp, 9, list.list) == kAudio_ParamError)
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
}
