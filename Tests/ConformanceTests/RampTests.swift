// Scheduled parameters: a gain follows the curve that was scheduled, sample by sample.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import Testing

@Suite("Contract: scheduled parameters")
struct RampConformanceTests {
  /// The units whose parameter 0, or "Gain", is a gain in decibels.
  static let gains: [Subject] = [.calling, .lv2, .lv2MusicEffect]

  private func gainParameter(_ test: UnitUnderTest) throws -> UnitParameter {
    try #require(test.unit.parameters().first { $0.name == "Gain" })
  }

  private func event(
    _ parameter: UnitParameter, at offset: Int32, frames: UInt32, from start: Float, to end: Float
  ) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.parameter = parameter.id
    event.eventType = frames > 0 ? kParameterEvent_Ramped : kParameterEvent_Immediate
    if frames > 0 {
      unsafe event.eventValues.ramp.startBufferOffset = offset
      unsafe event.eventValues.ramp.durationInFrames = frames
      unsafe event.eventValues.ramp.startValue = start
      unsafe event.eventValues.ramp.endValue = end
    } else {
      unsafe event.eventValues.immediate.bufferOffset = UInt32(offset)
      unsafe event.eventValues.immediate.value = end
    }
    return event
  }

  private func expectGain(
    _ test: UnitUnderTest, _ frames: Int, start: Int = 0, _ decibels: (Int) -> Float
  ) {
    let output = test.output(0, frames)
    for frame in 0..<frames {
      let expected = test.source(start + frame, 0) * powf(10, decibels(frame) / 20)
      if abs(output[frame] - expected) > 2e-6 {
        Issue.record(
          "\(test.subject.rawValue): frame \(frame) is \(output[frame]), not \(expected)")
        return
      }
    }
  }

  @Test("an immediate change comes at its frame", arguments: gains)
  func immediate(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let gain = try gainParameter(test)
    try test.start()
    // Not in order: the unit sorts them.
    var events = [
      event(gain, at: 300, frames: 0, from: 0, to: -6),
      event(gain, at: 37, frames: 0, from: 0, to: -20),
    ]
    same(unsafe AudioUnitScheduleParameters(test.handle, &events, 2), 0)
    same(test.render(512), 0)
    expectGain(test, 512) { $0 < 37 ? 0 : $0 < 300 ? -20 : -6 }
    var value: Float = 0
    same(unsafe AudioUnitGetParameter(test.handle, gain.id, 0, 0, &value), 0)
    same(value, -6, "\(subject.rawValue), afterwards")
    same(test.render(512, at: 512), 0)
    expectGain(test, 512, start: 512) { _ in -6 }
  }

  @Test("a ramp is the straight line between its ends, at every sample", arguments: gains)
  func ramp(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let gain = try gainParameter(test)
    try test.start()
    var events = [event(gain, at: 100, frames: 200, from: 0, to: -40)]
    same(unsafe AudioUnitScheduleParameters(test.handle, &events, 1), 0)
    same(test.render(512), 0)
    expectGain(test, 512) {
      $0 < 100 ? 0 : $0 >= 300 ? -40 : -40 * Float($0 - 100) / 200
    }
  }

  @Test(
    "a ramp over several slices, scheduled anew for each with a negative start", arguments: gains)
  func longRamp(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let gain = try gainParameter(test)
    try test.start()
    for slice in 0..<4 {
      var events = [event(gain, at: Int32(-128 * slice), frames: 512, from: 6, to: -30)]
      same(unsafe AudioUnitScheduleParameters(test.handle, &events, 1), 0)
      same(test.render(128, at: Double(128 * slice)), 0)
      expectGain(test, 128, start: 128 * slice) { 6 - 36 * Float(128 * slice + $0) / 512 }
    }
  }
}
