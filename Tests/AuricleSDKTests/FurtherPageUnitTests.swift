// Units written in a page on the bases for music effect, panner and converter, as a host plays them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct FurtherPageUnitTests {
  private func ones(_ frames: Int, channels: Int = 2) -> [[Float]] {
    [[Float]](repeating: [Float](repeating: 1, count: frames), count: channels)
  }

  private func event(
    _ value: Float, at frame: UInt32, of parameter: AudioUnitParameterID = 1
  ) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.parameter = parameter
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate.bufferOffset = frame
    unsafe event.eventValues.immediate.value = value
    return event
  }

  @Test(
    "a music effect receives each key at its frame, with slices of any length",
    arguments: [512, 64])
  func receivesKeys(slice: Int) throws {
    let player = try UnitPlayer(TestUnits.gate())
    let keys = try InstrumentPlayer(player.unit)
    #expect(player.unit.description.componentType == kAudioUnitType_MusicEffect)
    #expect(player.play(ones(100)).output.joined().allSatisfy { $0 == 0 })
    #expect(try keys.send(0x90, 60, 127, at: 17) == 0)
    // Ones of other keys let nothing go.
    #expect(try keys.send(0x80, 61, 0, at: 20) == 0)
    #expect(try keys.send(0x93, 62, 64, at: 40) == 0)
    #expect(try keys.send(0x83, 62, 0, at: 63) == 0)
    let output = player.play(ones(64), slice: slice).output
    #expect(output[0] == output[1])
    for (frame, sample) in output[0].enumerated() {
      let expected: Float = frame < 17 ? 0 : frame < 40 ? 1 : frame < 63 ? 64 / 127 : 0
      #expect(sample == expected, "frame \(frame)")
    }
    // A scheduled change and a key within one cycle.
    try player.unit.scheduleParameters([event(0.25, at: 10)])
    #expect(try keys.send(0x90, 60, 127, at: 30) == 0)
    let both = player.play(ones(64)).output[0]
    #expect(both[9] == 0 && both[10] == 0.25 && both[29] == 0.25 && both[30] == 1 && both[63] == 1)
    try player.unit.reset()
    #expect(player.play(ones(8)).output[0].allSatisfy { $0 == 0.25 })
  }

  @Test("a panner shares its input at equal power", arguments: [1, 2])
  func sharesItsInput(inputs: Int) throws {
    let player = try UnitPlayer(TestUnits.place(), inputs: inputs)
    // The mean of 1 and 3, or 1 alone.
    var signal = ones(64, channels: inputs)
    if inputs == 2 { signal[1] = [Float](repeating: 3, count: 64) }
    let level: Float = inputs == 2 ? 2 : 1
    let half = Float(0.5).squareRoot()
    for (pan, left, right) in [(Float(-1), Float(1), Float(0)), (0, half, half), (1, 0, 1)] {
      try player.unit.setParameter(1, pan)
      // Set without a time, it would glide.
      try player.unit.reset()
      let output = player.play(signal).output
      #expect(output[0].allSatisfy { abs($0 - level * left) < 1e-6 }, "at \(pan)")
      #expect(output[1].allSatisfy { abs($0 - level * right) < 1e-6 }, "at \(pan)")
    }
    // From the right to the left at the tenth frame.
    try player.unit.scheduleParameters([event(-1, at: 10)])
    let output = player.play(signal).output
    for frame in 0..<64 {
      #expect(abs(output[0][frame] - (frame < 10 ? 0 : level)) < 1e-6, "frame \(frame)")
      #expect(abs(output[1][frame] - (frame < 10 ? level : 0)) < 1e-6, "frame \(frame)")
    }
  }

  @Test func aPannerHasOneOrTwoChannelsInAndTwoOut() throws {
    #expect(throws: AuricleError.self) { try UnitPlayer(TestUnits.place(), outputs: 1) }
    #expect(throws: AuricleError.self) { try UnitPlayer(TestUnits.place(), inputs: 3) }
  }

  /// A line through the input is one through the output: exact, however the rates and slices fall.
  @Test(
    "a converter asks for its input at the rate of the input",
    arguments: [
      (96_000.0, 512), (96_000, 100), (44_100, 512), (44_100, 7), (48_000, 512), (8000, 64),
    ])
  func asksForItsInput(inputRate: Double, slice: Int) throws {
    let player = try UnitPlayer(TestUnits.line(), inputRate: inputRate)
    let ratio = inputRate / 48_000
    let frames = 1000
    let last = Int((Double(frames - 1) * ratio).rounded(.up))
    let line = (0...last).map { Float($0) / 1024 }
    let output = player.play([line, line.map { -$0 }], slice: slice, frames: frames)
    #expect(output.status == 0 && player.position == last + 1)
    for frame in 0..<frames {
      let expected = Double(frame) * ratio / 1024
      #expect(abs(Double(output.output[0][frame]) - expected) < 1e-6, "frame \(frame)")
      #expect(output.output[1][frame] == -output.output[0][frame], "frame \(frame)")
    }
  }

  /// Each slice of a cycle that a change splits pulls its own input.
  @Test func aConverterMeetsScheduledChangesAtTheirFrames() throws {
    let player = try UnitPlayer(TestUnits.line(), inputs: 1, outputs: 2, inputRate: 96_000)
    let line = (0..<1024).map { Float($0) / 1024 }
    #expect(player.play([line], slice: 128, frames: 128).status == 0)
    try player.unit.scheduleParameters([event(0.5, at: 50), event(2, at: 90)])
    // The first frame of the input is at twice 128, minus the one that was pulled before it was needed.
    let output = player.play([line], slice: 128, frames: 128).output
    for frame in 0..<128 {
      let gain: Double = frame < 50 ? 1 : frame < 90 ? 0.5 : 2
      let expected = gain * Double(2 * frame + 1) / 1024
      #expect(abs(Double(output[0][frame]) - expected) < 1e-6, "frame \(frame)")
    }
    #expect(output[0] == output[1])
  }

  @Test func theErrorOfAConvertersSourceComesBack() throws {
    let player = try UnitPlayer(TestUnits.line(), inputRate: 96_000)
    player.inputStatus = -77
    #expect(player.play(ones(64)).status == -77)
    player.inputStatus = 0
    #expect(player.play(ones(64), frames: 32).status == 0)
  }
}
