// Bypass: no click, and as late as the unit.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleSDK
import CAudioToolbox
import TestUnits
import Testing

/// Passes its input on, and says that it is as late as its parameter says.
private struct LateKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    slice.reportLatency(frames: Int(slice.parameter(0)))
  }
}

@Suite struct BypassTests {
  /// A sine of 100 Hz at 48 kHz.
  private func sine(_ frames: Int, from first: Int = 0) -> [Float] {
    (first..<first + frames).map { frame in
      // A turn in 480 frames, by a parabola that is near enough.
      let x = Double(frame % 480) / 240 - 1
      return Float(4 * x * (1 - abs(x)))
    }
  }

  @Test(arguments: [64, 240, 333, 1024])
  func theDrySignalIsAsLateAsTheUnit(_ slice: Int) throws {
    let unit = try TestUnits.lookAhead()
    let player = try UnitPlayer(unit)
    let signal = sine(4800)
    try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(1))
    let bypassed = player.play([signal, signal], slice: slice).output[0]
    // The unit is a delay and nothing more: bypassed or not, it sounds the same.
    let wanted = [Float](repeating: 0, count: 240) + signal.dropLast(240)
    #expect(zip(bypassed, wanted).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(bypassed[300..<4800].elementsEqual(wanted[300..<4800]))
  }

  @Test func switchingMakesNoClick() throws {
    let unit = try TestUnits.lookAhead()
    let player = try UnitPlayer(unit)
    var output: [Float] = []
    for part in 0..<20 {
      try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(part % 2))
      let signal = sine(300, from: 300 * part)
      output += player.play([signal, signal], slice: 100).output[0]
    }
    // The output is the signal, 240 frames late: no seam anywhere.
    let wanted = [Float](repeating: 0, count: 240) + sine(6000 - 240)
    #expect(zip(output, wanted).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func aFadeLastsTenMilliseconds() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    try unit.setParameter(0, 0)
    let ones = [[Float]](repeating: [Float](repeating: 1, count: 1000), count: 2)
    _ = player.play(ones)
    try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(1))
    let fade = player.play(ones, slice: 37).output[0]
    #expect(fade.firstIndex(of: 1) == 479)
    let steps = zip(fade, fade.dropFirst()).map { $1 - $0 }
    #expect((steps.max() ?? 1) < 1 / 470)
    #expect((steps.min() ?? -1) >= 0)
  }

  @Test func aResetForgetsTheDrySignalToo() throws {
    let unit = try TestUnits.lookAhead()
    let player = try UnitPlayer(unit)
    try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(1))
    let signal = [Float](repeating: 1, count: 1000)
    _ = player.play([signal, signal])
    try unit.reset()
    let after = player.play([signal, signal]).output[0]
    #expect(after[..<240].allSatisfy { $0 == 0 })
    #expect(after[240...].allSatisfy { $0 == 1 })
  }

  @Test func silenceIsReportedOnlyOnceTheDrySignalIsSilent() throws {
    let unit = try TestUnits.lookAhead()
    let source = SignalSource([[Float](repeating: 1, count: 128)])
    try source.connect(to: unit)
    try unit.initialize()
    try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(1))
    let call = UnitSelectors(unit)
    var reported: [Bool] = []
    var delivered: [Bool] = []
    for slice in 0..<14 {
      source.isSilent = slice >= 2
      let memory = ListMemory(2, bytes: 256)
      var flags: AudioUnitRenderActionFlags = 0
      #expect(unsafe call.render(memory.list, 64, at: Double(64 * slice), flags: &flags) == 0)
      reported.append(flags & kAudioUnitRenderAction_OutputIsSilence != 0)
      delivered.append(memory.signal[0].contains { $0 != 0 })
    }
    #expect(!zip(reported, delivered).contains { $0 && $1 })
    #expect(reported.last == true)
  }

  /// The line of the dry signal is used as far as it is needed: its contents stay when that grows.
  @Test(arguments: [64, 333, 1024])
  func theDrySignalStaysWholeWhenTheLatencyGrows(_ slice: Int) throws {
    var definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "late", unit: kAudioUnitParameterUnit_SampleFrames, range: 0...48_000,
          defaultValue: 0)
      ])
    definition.maximumLatencySeconds = 1
    let unit = unsafe try TestUnits.open(
      "late",
      makeAudioUnit(LateKernel.self, definition, nil) {
        unsafe runKernel(LateKernel.self, $0, $1)
      })
    let player = try UnitPlayer(unit)
    try unit.setProperty(kAudioUnitProperty_BypassEffect, UInt32(1))
    var frame = 0
    /// Plays a signal whose samples are the numbers of their frames.
    func play(_ count: Int) -> [Float] {
      let signal = (frame..<frame + count).map { Float($0 + 1) }
      frame += count
      return player.play([signal, signal], slice: slice).output[1]
    }
    var late = 100
    try unit.setParameter(0, Float(late))
    _ = play(10_007)
    for next in [101, 1500, 1400, 5000, 20_000, 47_999] {
      try unit.setParameter(0, Float(next))
      // The frames after the slice that announces it are later.
      _ = play(slice)
      let start = frame
      let delivered = play(3 * next + 5000)
      // Frames further back than needed until then may be silent.
      let known = max(0, next - late - slice)
      for index in known..<delivered.count where delivered[index] != Float(start + index - next + 1)
      {
        Issue.record("\(late) to \(next): frame \(index) is \(delivered[index])")
        break
      }
      #expect(
        delivered.prefix(known).enumerated().allSatisfy { index, value in
          value == 0 || value == Float(start + index - next + 1)
        })
      late = next
    }
  }
}
