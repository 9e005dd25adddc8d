// The limiter: its ceiling, its transparency, its latency.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import Foundation
import TestSupport
import Testing

@Suite("Peak limiter")
struct LimiterTests {
  /// Signals that limiters fail on.
  static func nasty(_ kind: Int) -> [Float] {
    let count = 30_000
    switch kind {
    case 0: return TestSignal.noise(seed: 71, amplitude: 30, frameCount: count)
    case 1: return (0..<count).map { $0 / 40 % 2 == 0 ? 8 : -8 }  // a square wave
    case 2: return (0..<count).map { $0 % 577 == 0 ? 50 : 0.1 }  // pulses as far as the look-ahead
    case 3: return (0..<count).map { $0 % 1153 < 2 ? -1.0001 : 0.9999 }
    case 4: return TestSignal.sine(frequency: 30, amplitude: 100, frameCount: count)
    default:
      var random = SeededGenerator(seed: 72)
      return (0..<count).map { _ in
        random.next() & 255 == 0 ? random.nextSample() * 100 : random.nextSample()
      }
    }
  }

  @Test("no sample passes full scale", arguments: 0..<6)
  func ceiling(_ kind: Int) throws {
    for attack: Float in [0.001, 0.0123, 0.03] {
      for gain: Float in [-6, 0, 40] {
        let rig = try UnitRig("lmtr", [0: attack, 1: 0.001, 2: gain])
        let right = Self.nasty((kind + 1) % 6)
        let output = try rig.render([Self.nasty(kind), right], slices: [997])
        #expect(peak(output[0]) <= 1 && peak(output[1]) <= 1, "attack \(attack), gain \(gain)")
      }
    }
  }

  @Test("sound below the ceiling comes out bit for bit, late by the latency")
  func transparent() throws {
    let rig = try UnitRig("lmtr")
    let latency = Int((rig.unit.latency * rig.sampleRate).rounded())
    #expect(latency == 576)
    let input = TestSignal.noise(seed: 73, amplitude: 1, frameCount: 20_000)
    let output = try rig.renderMono(input, slices: [100, 1000])
    #expect(Array(output.dropFirst(latency)) == Array(input.dropLast(latency)))
    #expect(output.prefix(latency).allSatisfy { $0 == 0 })
  }

  @Test(
    "latency is the attack time of the last initialise or reset", arguments: [0.001, 0.02, 0.03])
  func latency(_ attack: Double) throws {
    let rig = try UnitRig("lmtr", [0: Float(attack)])
    let output = try rig.renderMono(TestSignal.impulse(at: 100, amplitude: 0.5, frameCount: 4000))
    let wanted = Int((attack * 48_000).rounded())
    #expect(peakIndex(output) == 100 + wanted)
    #expect(Int((rig.unit.latency * 48_000).rounded()) == wanted)
    try rig.unit.setParameter(0, 0.01)
    #expect(Int((rig.unit.latency * 48_000).rounded()) == wanted)
    try rig.reset()
    #expect(Int((rig.unit.latency * 48_000).rounded()) == 480)
  }

  @Test("the gain is down before a peak and up again after it")
  func gain() throws {
    let rig = try UnitRig("lmtr")
    var input = TestSignal.sine(frequency: 1000, amplitude: 0.25, frameCount: 40_000)
    input[10_000] = 4
    let output = try rig.renderMono(input)
    let peakFrame = 10_000 + 576
    #expect(abs(output[peakFrame]) <= 1 && abs(output[peakFrame]) > 0.999)
    // Before the look-ahead reaches the peak, nothing is touched; long after it neither.
    #expect(output[576..<10_000].elementsEqual(input[0..<(10_000 - 576)]))
    #expect(output[30_000...].elementsEqual(input[(30_000 - 576)..<(40_000 - 576)]))
    // Around the peak the sine is turned down to a quarter, smoothly.
    let around = rootMeanSquare(output[(peakFrame - 24)..<peakFrame])
    #expect(decibels(around) < decibels(0.25 * 0.3))
  }

  @Test("channels are turned down together")
  func linked() throws {
    let rig = try UnitRig("lmtr")
    let loud = TestSignal.sine(frequency: 200, amplitude: 4, frameCount: 20_000)
    let soft = loud.map { $0 / 40 }
    let output = try rig.render([loud, soft])
    for frame in stride(from: 5000, to: 20_000, by: 7) where abs(output[0][frame]) > 0.05 {
      #expect(abs(output[0][frame] / output[1][frame] - 40) < 0.01)
    }
  }
}
