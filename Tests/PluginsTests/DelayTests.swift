// The delay and the sample delay.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Delays")
struct DelayTests {
  @Test("echoes come at multiples of the time, each less by the feedback")
  func echoes() throws {
    let rig = try UnitRig("dely", [0: 100, 1: 0.1, 2: -50, 3: 24_000])
    let output = try rig.renderMono(TestSignal.impulse(frameCount: 24_000))
    for (number, wanted) in [(1, 1.0), (2, -0.5), (3, 0.25), (4, -0.125)] {
      // The low-pass smears each echo a little; its sum stays.
      let around = (4800 * number - 8)...(4800 * number + 60)
      let sum = around.reduce(0) { $0 + Double(output[$1]) }
      #expect(abs(sum - wanted) < 0.002, "echo \(number)")
    }
    #expect(output[0..<4800].allSatisfy { $0 == 0 })
  }

  @Test("the mix has equal power")
  func mix() throws {
    for (percent, dry) in [(0, 1.0), (50, 0.5.squareRoot()), (100, 0)] {
      let rig = try UnitRig("dely", [0: Float(percent), 1: 0.05, 2: 0, 3: 24_000])
      let output = try rig.renderMono(TestSignal.impulse(frameCount: 4800))
      #expect(abs(Double(output[0]) - dry) < 1e-6)
      let wet = output[2390...2460].reduce(0) { $0 + Double($1) }
      #expect(abs(wet - (1 - dry * dry).squareRoot()) < 0.002)
    }
  }

  @Test("the low-pass is 3 dB down at its cutoff")
  func cutoff() throws {
    let rig = try UnitRig("dely", [0: 100, 1: 0.001, 2: 0, 3: 3000])
    let output = try rig.renderMono(TestSignal.impulse(frameCount: 8192))
    #expect(abs(decibels(magnitude(of: output, at: 3000, sampleRate: 48_000)) + 3.0103) < 0.01)
    #expect(abs(decibels(magnitude(of: output, at: 30, sampleRate: 48_000))) < 0.01)
  }

  @Test("a new time makes no click")
  func changeOfTime() throws {
    let rig = try UnitRig("dely", [0: 100, 1: 0.05, 2: 40])
    let sine = TestSignal.sine(frequency: 200, amplitude: 0.3, frameCount: 40_000)
    let output = try rig.render([sine], slices: [250]) { frame in
      if frame >= 20_000 { try rig.unit.setParameter(1, frame % 500 == 0 ? 0.0731 : 0.31) }
    }[0]
    #expect(largestBend(output, from: 8000) < 0.002)
  }

  @Test("a scheduled time begins to fade in at its very frame, along the curve of the fade")
  func scheduledTime() throws {
    let sine = TestSignal.sine(frequency: 115, amplitude: 0.3, frameCount: 12_000)
    let (start, slice, fade) = (5220, 512, 1440)
    func rendered(_ time: Float, then next: Float? = nil) throws -> [Float] {
      let rig = try UnitRig("dely", [0: 100, 1: time, 2: 0, 3: 24_000])
      return try rig.render([sine], slices: [slice]) { frame in
        guard let next, (frame..<frame + slice).contains(start) else { return }
        var event = AudioUnitParameterEvent()
        event.parameter = 1
        event.eventType = kParameterEvent_Immediate
        unsafe event.eventValues.immediate.bufferOffset = UInt32(start - frame)
        unsafe event.eventValues.immediate.value = next
        try rig.unit.scheduleParameters([event])
      }[0]
    }
    let (old, new) = (try rendered(0.05), try rendered(0.02))
    let moved = try rendered(0.05, then: 0.02)
    #expect(moved[..<(start + 1)] == old[..<(start + 1)])
    #expect(moved[start + 100] != old[start + 100])
    for frame in start..<12_000 {
      let x = min(1, Float(frame - start) / Float(fade))
      let wanted = old[frame] + (new[frame] - old[frame]) * x * x * (3 - 2 * x)
      // The low-pass behind the fade sees the change a little later.
      if abs(moved[frame] - wanted) > 1e-4 {
        Issue.record("frame \(frame): \(moved[frame]), not \(wanted)")
        break
      }
    }
  }

  @Test("the tail follows the feedback")
  func tail() throws {
    func tail(_ feedback: Float) throws -> Double? {
      try UnitRig("dely", [1: 0.5, 2: feedback]).unit.tailTime
    }
    let none = try #require(try tail(0)), half = try #require(try tail(50))
    #expect(none >= 0.5 && none < 1)
    #expect(half >= 0.5 * 15 && half < 10)
    #expect(try #require(try tail(-90)) > 40)
    #expect(try tail(100).map { $0 > 1000 } ?? true)
  }

  @Test("full feedback sustains and does not grow")
  func fullFeedback() throws {
    let rig = try UnitRig("dely", [0: 100, 1: 0.01, 2: 100, 3: 24_000])
    let burst = TestSignal.noise(seed: 91, amplitude: 0.5, frameCount: 480)
    let output = try rig.renderMono(burst + TestSignal.silence(frameCount: 96_000))
    // The low-pass turns phases, so peaks may rise; energy does not.
    let first = rootMeanSquare(output[480..<960]), last = rootMeanSquare(output.suffix(4800))
    #expect(last <= first && last > 0.01 * first)
  }

  @Test("the sample delay accepts as many channels as files have")
  func manyChannels() throws {
    for channels in [65, 1024] {
      let rig = try UnitRig("sdly", [0: 100], channels: channels, maximumFrames: 512)
      let input = (0..<channels).map { TestSignal.noise(seed: UInt64($0), frameCount: 600) }
      let output = try rig.render(input, slices: [512])
      for channel in [0, 1, 63, 64, channels - 1] {
        #expect(Array(output[channel][100...]) == Array(input[channel][..<500]), "\(channel)")
      }
    }
  }

  @Test("the sample delay delays by frames, and reports this as a tail")
  func sampleDelay() throws {
    for frames in [0, 1, 1000, 44_100] {
      let rig = try UnitRig("sdly", [0: Float(frames)], channels: 3, sampleRate: 44_100)
      let input = TestSignal.noise(seed: 92, frameCount: 50_000)
      let output = try rig.render([input], slices: [129])
      #expect(output[2][frames...].elementsEqual(input[0..<(50_000 - frames)]))
      #expect(output[2][0..<frames].allSatisfy { $0 == 0 })
      #expect(rig.unit.latency == 0)
      #expect(abs(try #require(rig.unit.tailTime) - Double(frames) / 44_100) < 1e-9)
    }
  }
}
