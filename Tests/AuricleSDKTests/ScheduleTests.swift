// Scheduled parameters: each sample of a ramp on its line, each change at its frame.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct ScheduleTests {
  private func ramp(
    _ id: AudioUnitParameterID, start: Int32, duration: UInt32, from: Float, to: Float
  ) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.parameter = id
    event.eventType = kParameterEvent_Ramped
    unsafe event.eventValues.ramp.startBufferOffset = start
    unsafe event.eventValues.ramp.durationInFrames = duration
    unsafe event.eventValues.ramp.startValue = from
    unsafe event.eventValues.ramp.endValue = to
    return event
  }

  private func change(
    _ id: AudioUnitParameterID, _ frame: UInt32, _ value: Float
  ) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.parameter = id
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate.bufferOffset = frame
    unsafe event.eventValues.immediate.value = value
    return event
  }

  /// Renders slices of 256 frames with the events of each, and returns both channels.
  private func play(
    _ unit: AudioUnit, _ slices: [[AudioUnitParameterEvent]], frames: Int = 256
  ) throws -> [[Float]] {
    if !unit.isInitialized { try unit.initialize() }
    var output: [[Float]] = [[], []]
    for (index, events) in slices.enumerated() {
      try unit.scheduleParameters(events)
      let memory = ListMemory(2, bytes: 4 * frames)
      let time = Double(index * frames)
      #expect(unsafe UnitSelectors(unit).render(memory.list, frames, at: time) == 0)
      output = zip(output, memory.signal).map { $0 + $1 }
    }
    return output
  }

  @Test(arguments: [AudioUnitParameterID(0), 1])
  func aRampOverManySlicesIsALine(_ id: AudioUnitParameterID) throws {
    let unit = try TestUnits.ramps()
    // 700 frames from frame 100 on: three slices and a part, announced anew for each slice.
    let slices = (0..<5).map { index -> [AudioUnitParameterEvent] in
      let start = Int32(100 - 256 * index)
      return start + 700 > 0 ? [ramp(id, start: start, duration: 700, from: -3, to: 8)] : []
    }
    let output = try play(unit, slices)[Int(id)]
    for (frame, sample) in output.enumerated() {
      let place = Double(frame - 100) / 700
      let wanted = frame < 100 ? 0 : frame >= 800 ? 8 : -3 + 11 * place
      #expect(abs(Double(sample) - wanted) < 2e-6, "frame \(frame)")
    }
    #expect(try unit.parameter(id) == 8)
  }

  @Test func aRampThatIsNotReportedAgainStaysWhereItWas() throws {
    let unit = try TestUnits.ramps()
    let output = try play(unit, [[ramp(0, start: 0, duration: 512, from: 0, to: 1)], []])[0]
    #expect(output[255] == Float(255) / 512)
    #expect(output[256...].allSatisfy { $0 == 0.5 })
  }

  @Test func changesInAnyOrderApplyInTheOrderOfTime() throws {
    let unit = try TestUnits.ramps()
    let output = try play(
      unit, [[change(0, 200, 3), change(0, 10, 1), change(1, 10, 5), change(0, 100, 2)]])
    let steps = (0..<256).map { frame -> Float in
      frame < 10 ? 0 : frame < 100 ? 1 : frame < 200 ? 2 : 3
    }
    #expect(output[0] == steps)
    #expect(output[1] == (0..<256).map { $0 < 10 ? 0 : 5 })
  }

  @Test func ofTwoChangesAtOneFrameTheLaterOneCounts() throws {
    let unit = try TestUnits.ramps()
    let output = try play(unit, [[change(0, 10, 1), change(0, 10, 2), change(0, 10, -1)]])
    #expect(output[0][10...].allSatisfy { $0 == -1 })
  }

  @Test func aLaterEventEndsARamp() throws {
    let unit = try TestUnits.ramps()
    let events = [
      ramp(0, start: 0, duration: 200, from: 0, to: 2),
      ramp(0, start: 50, duration: 50, from: 5, to: 6), change(1, 0, 1),
    ]
    let output = try play(unit, [events])[0]
    #expect(output[49] == Float(49) / 100)
    #expect(output[50] == 5)
    #expect(abs(output[99] - 5.98) < 1e-5)
    #expect(output[100...].allSatisfy { $0 == 6 })
    let stopped = try play(
      try TestUnits.ramps(),
      [[ramp(0, start: 0, duration: 200, from: 0, to: 2), change(0, 60, -4)]])[0]
    #expect(stopped[59] == Float(59) / 100)
    #expect(stopped[60...].allSatisfy { $0 == -4 })
  }

  @Test func whatIsOutsideTheCycleIsDropped() throws {
    let unit = try TestUnits.ramps()
    let events = [
      change(0, 256, 7), change(0, 4_000_000_000, 7),
      ramp(0, start: 300, duration: 10, from: 7, to: 7),
      ramp(0, start: -100, duration: 100, from: 7, to: 7),
      ramp(0, start: -100, duration: 50, from: 7, to: 7),
      ramp(0, start: .min, duration: 1, from: 7, to: 7),
    ]
    #expect(try play(unit, [events, []])[0].allSatisfy { $0 == 0 })
    #expect(try unit.parameter(0) == 0)
  }

  @Test func rampsStayInTheRangeOfTheirParameter() throws {
    let unit = try TestUnits.ramps()
    let output = try play(unit, [[ramp(0, start: 0, duration: 200, from: -1000, to: 1000)]])[0]
    #expect(output[0] == -10)
    #expect(output[100] == 0)
    #expect(output[255] == 10)
  }

  @Test func aRampOfNoLengthIsAChange() throws {
    let unit = try TestUnits.ramps()
    let output = try play(unit, [[ramp(0, start: 20, duration: 0, from: 3, to: 4)]])[0]
    #expect(output == (0..<256).map { $0 < 20 ? 0 : 4 })
  }

  @Test func aBadEventWithdrawsAllOfThem() throws {
    let unit = try TestUnits.ramps()
    func codes(_ event: AudioUnitParameterEvent) -> OSStatus {
      status { try unit.scheduleParameters([change(0, 0, 9), event]) }
    }
    #expect(codes(change(99, 0, 1)) == kAudioUnitErr_InvalidParameter)
    #expect(codes(change(2, 0, 1)) == kAudioUnitErr_InvalidParameter)
    #expect(codes(change(0, 0, .nan)) == kAudioUnitErr_InvalidParameterValue)
    #expect(
      codes(ramp(0, start: 0, duration: 1, from: .infinity, to: 0))
        == kAudioUnitErr_InvalidParameterValue)
    var odd = change(0, 0, 1)
    odd.eventType = 3
    #expect(codes(odd) == kAudio_ParamError)
    var scoped = change(0, 0, 1)
    scoped.scope = kAudioUnitScope_Part
    #expect(codes(scoped) == kAudioUnitErr_InvalidScope)
    let many = [AudioUnitParameterEvent](repeating: change(0, 0, 9), count: 5000)
    #expect(status { try unit.scheduleParameters(many) } == kAudio_MemFullError)
    #expect(try play(unit, [[]])[0].allSatisfy { $0 == 0 })
  }

  @Test func aThousandChangesInOneSlice() throws {
    let unit = try TestUnits.ramps()
    try unit.setMaximumFramesPerSlice(1024)
    let events = (0..<1024).reversed().map { change(0, UInt32($0), Float($0 % 20) / 2) }
    let output = try play(unit, [events], frames: 1024)[0]
    #expect(output == (0..<1024).map { Float($0 % 20) / 2 })
  }
}
