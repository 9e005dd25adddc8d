// Scheduled changes of the units that ship: where the curve is known, every sample is on it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import Testing

/// One parameter of a unit that ships, from one value to another.
struct RampCase: Sendable, CustomTestStringConvertible {
  var unit: String
  var parameter: AudioUnitParameterID
  var scope: AudioUnitScope = kAudioUnitScope_Global
  var from: Float
  var to: Float
  /// The gain of a constant input of 0.001 at a value; nil where the output is no plain gain.
  var gain: (@Sendable (Double) -> Double)?
  /// Frames by which the output is late.
  var delay = 0
  var testDescription: String { "\(unit), parameter \(parameter), scope \(scope)" }

  private static let decibels: @Sendable (Double) -> Double = { pow(10, $0 / 20) }

  static let all: [RampCase] = [
    .init(
      unit: "aumx:mcmx:appl", parameter: 0, scope: kAudioUnitScope_Input, from: 0.2, to: 0.9,
      gain: { $0 }),
    .init(
      unit: "aumx:mcmx:appl", parameter: 0, scope: kAudioUnitScope_Output, from: 1, to: 0,
      gain: { $0 }),
    .init(
      unit: "aumx:mcmx:appl", parameter: 2, scope: kAudioUnitScope_Input, from: 0, to: 1,
      gain: { $0 >= 1 ? 0 : cos($0 * .pi / 2) }),
    .init(unit: "aufx:lmtr:appl", parameter: 2, from: -20, to: 6, gain: decibels, delay: 529),
    .init(unit: "aufx:dcmp:appl", parameter: 6, from: 6, to: -30, gain: decibels),
    // Nothing has come back yet: only the dry part is in the output.
    .init(unit: "aufx:dely:appl", parameter: 0, from: 0, to: 100, gain: { cos($0 / 200 * .pi) }),
    .init(unit: "aufx:lpas:appl", parameter: 0, from: 400, to: 9000),
    .init(unit: "aufx:lpas:appl", parameter: 1, from: -10, to: 20),
    .init(unit: "aufx:hpas:appl", parameter: 0, from: 8000, to: 60),
    .init(unit: "aufx:pmeq:appl", parameter: 0, from: 300, to: 3000),
    .init(unit: "aufx:pmeq:appl", parameter: 1, from: 0.5, to: 8),
    .init(unit: "aufx:pmeq:appl", parameter: 2, from: -20, to: 20),
    .init(unit: "aufx:dcmp:appl", parameter: 0, from: -40, to: 0),
    .init(unit: "aufx:dely:appl", parameter: 3, from: 12_000, to: 500),
    .init(unit: "aufx:mrev:appl", parameter: 0, from: 0, to: 100),
  ]
}

@Suite("Contract: ramps of the units that ship")
struct ShippedRampTests {
  private static let start = 100
  private static let length = 700
  private static let total = 2048

  /// The value of the ramp at a frame.
  private func value(_ ramp: RampCase, _ frame: Int) -> Float {
    let part = Double(frame - Self.start) / Double(Self.length)
    if part <= 0 { return ramp.from }
    return part >= 1 ? ramp.to : Float(Double(ramp.from) + Double(ramp.to - ramp.from) * part)
  }

  /// The ways for a host to send a curve to a unit.
  private enum Delivery {
    /// One ramp, sent anew for each slice.
    case ramp
    /// A value for each frame.
    case values
    /// One value at the start.
    case step
  }

  /// Renders the first channel.
  private func render(
    _ ramp: RampCase, slice: Int, _ reporting: Delivery, total: Int = Self.total,
    input: @escaping @Sendable (Int) -> Float
  ) throws -> [Float] {
    let unit = try SubjectComponents.shipped.get().resolve(ramp.unit).instantiate()
    // The mixer has eight inputs, of which one is fed.
    let source = RampInput(input)
    let address = unsafe Unmanaged.passUnretained(source).toOpaque()
    try unsafe unit.setInputCallback(RampInput.callback, refCon: address)
    try unit.setMaximumFramesPerSlice(2048)
    let handle = unsafe unit.instance
    same(unsafe AudioUnitSetParameter(handle, ramp.parameter, ramp.scope, 0, ramp.from, 0), 0)
    try unit.initialize()
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: slice)
    var output: [Float] = []
    while output.count < total {
      let first = output.count
      let count = min(slice, total - first)
      for event in events(ramp, first, count, reporting) {
        var event = event
        same(unsafe AudioUnitScheduleParameters(handle, &event, 1), 0)
      }
      buffers.setFrameCount(count)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: Double(first))
      same(unsafe AudioUnitRender(handle, &flags, &stamp, 0, UInt32(count), buffers.list), 0)
      unsafe output += UnsafeBufferPointer(start: buffers.channel(0), count: count)
    }
    withExtendedLifetime(source) {}
    return output
  }

  private func events(
    _ ramp: RampCase, _ first: Int, _ count: Int, _ reporting: Delivery
  ) -> [AudioUnitParameterEvent] {
    var event = AudioUnitParameterEvent()
    (event.scope, event.parameter) = (ramp.scope, ramp.parameter)
    switch reporting {
    case .ramp:
      guard first + count > Self.start, first < Self.start + Self.length else { return [] }
      event.eventType = kParameterEvent_Ramped
      unsafe event.eventValues.ramp.startBufferOffset = Int32(Self.start - first)
      unsafe event.eventValues.ramp.durationInFrames = UInt32(Self.length)
      unsafe event.eventValues.ramp.startValue = ramp.from
      unsafe event.eventValues.ramp.endValue = ramp.to
      return [event]
    case .values:
      let frames = max(first, Self.start)..<max(first + count, Self.start)
      return frames.filter { $0 <= Self.start + Self.length }.map { frame in
        event.eventType = kParameterEvent_Immediate
        unsafe event.eventValues.immediate.bufferOffset = UInt32(frame - first)
        unsafe event.eventValues.immediate.value = value(ramp, frame)
        return event
      }
    case .step:
      guard (first..<first + count).contains(Self.start) else { return [] }
      event.eventType = kParameterEvent_Immediate
      unsafe event.eventValues.immediate.bufferOffset = UInt32(Self.start - first)
      unsafe event.eventValues.immediate.value = ramp.to
      return [event]
    }
  }

  /// Expects a gain at every frame, but for the edges of a delay.
  private func expect(
    _ ramp: RampCase, _ output: [Float], _ name: String, _ curve: (Int) -> Double
  ) {
    for frame in ramp.delay..<Self.total {
      let wanted = 0.001 * curve(frame - ramp.delay)
      let found = Double(output[frame])
      if abs(found - wanted) > 1e-6 * max(abs(wanted), 0.0005) {
        return _ = Issue.record("\(name), frame \(frame): \(found), not \(wanted)")
      }
    }
  }

  @Test("a gain is on the curve of its ramp at every sample", arguments: RampCase.all)
  func analytic(_ ramp: RampCase) throws {
    guard let gain = ramp.gain else { return }
    for slice in [64, 100, 441, 2048] {
      let output = try render(ramp, slice: slice, .ramp) { _ in 0.001 }
      expect(ramp, output, "slices of \(slice)") { gain(Double(value(ramp, $0))) }
      let step = try render(ramp, slice: slice, .step) { _ in 0.001 }
      expect(ramp, step, "a step, slices of \(slice)") {
        gain(Double($0 < Self.start ? ramp.from : ramp.to))
      }
    }
  }

  @Test(
    "a ramp is the same as a value for each frame, in slices of any length", arguments: RampCase.all
  )
  func sameAsValues(_ ramp: RampCase) throws {
    let noise: @Sendable (Int) -> Float = { Float(($0 &* 7919) % 613) / 613 - 0.5 }
    let expected = try render(ramp, slice: 512, .values, input: noise)
    #expect(expected.contains { $0 != 0 })
    for slice in [64, 300, 2048] {
      let output = try render(ramp, slice: slice, .ramp, input: noise)
      for frame in 0..<Self.total where abs(output[frame] - expected[frame]) > 2e-5 {
        Issue.record(
          "slices of \(slice), frame \(frame): \(output[frame]), not \(expected[frame])")
        break
      }
    }
  }

  @Test(
    "parameters of the reverb's network start to move at the next multiple of 32 frames, and are not declared to ramp",
    arguments: 2...13 as ClosedRange<AudioUnitParameterID>)
  func glides(_ parameter: AudioUnitParameterID) throws {
    let name = "aufx:mrev:appl"
    let unit = try SubjectComponents.shipped.get().resolve(name).instantiate()
    let info = try unit.parameterInfo(parameter, scope: kAudioUnitScope_Global)
    #expect(info.flags & kAudioUnitParameterFlag_CanRamp == 0)
    let noise: @Sendable (Int) -> Float = { Float(($0 &* 7919) % 613) / 613 - 0.5 }
    let (change, stay) = (
      RampCase(unit: name, parameter: parameter, from: info.minimum, to: info.maximum),
      RampCase(unit: name, parameter: parameter, from: info.minimum, to: info.minimum)
    )
    let total = 44_100
    for slice in [64, 300, 2048] {
      let changed = try render(change, slice: slice, .step, total: total, input: noise)
      let stayed = try render(stay, slice: slice, .step, total: total, input: noise)
      let first = zip(changed, stayed).enumerated().first { $1.0 != $1.1 }?.offset
      let next = (Self.start + 31) / 32 * 32
      #expect((first ?? -1) >= next, "slices of \(slice)")
    }
  }
}

/// A source with the same signal on every channel.
private final class RampInput: Sendable {
  let signal: @Sendable (Int) -> Float
  init(_ signal: @escaping @Sendable (Int) -> Float) { self.signal = signal }

  static let callback: AURenderCallback = { reference, _, stamp, _, count, list in
    guard let reference = unsafe reference, let stamp = unsafe stamp, let list = unsafe list else {
      return -1
    }
    let input = unsafe Unmanaged<RampInput>.fromOpaque(reference).takeUnretainedValue()
    let first = unsafe Int(stamp.pointee.mSampleTime)
    for channel in 0..<(unsafe list.bufferCount) {
      guard let samples = unsafe list.samples(channel) else { return -2 }
      for frame in 0..<Int(count) { unsafe samples[frame] = input.signal(first + frame) }
    }
    return 0
  }
}
