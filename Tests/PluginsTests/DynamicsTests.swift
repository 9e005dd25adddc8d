// The dynamics processor: its static curve, its times, its meters.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import Foundation
import TestSupport
import Testing

@Suite("Dynamics processor")
struct DynamicsTests {
  /// The documented curve, in decibels.
  private func curve(_ level: Double, _ t: Double, _ h: Double, _ r: Double, _ e: Double) -> Double
  {
    var output = level
    if level > t { output -= (level - t) - h * (1 - exp(-(level - t) / h)) }
    if e > -120, level < e { output -= min(120, (e - level) * (r - 1)) }
    return output
  }

  /// The peak level of a steady sine behind the unit.
  private func steady(_ level: Double, _ values: [UInt32: Float]) throws -> Double {
    let rig = try UnitRig("dcmp", values)
    let sine = TestSignal.sine(
      frequency: 1000, amplitude: amplitude(decibels: level), frameCount: 48_000)
    return decibels(peak(try rig.renderMono(sine).suffix(4800)))
  }

  @Test("the static curve is the documented one")
  func staticCurve() throws {
    for (t, h, r, e) in [
      (-20.0, 5.0, 2.0, -120.0), (-30, 12, 3, -45), (-10, 0.1, 1, -20), (0, 40, 50, 0),
    ] {
      let values: [UInt32: Float] = [
        0: Float(t), 1: Float(h), 2: Float(r), 3: Float(e), 4: 0.001, 5: 0.01,
      ]
      for level in stride(from: -70.0, through: 40, by: 10) {
        let wanted = curve(level, t, h, r, e)
        guard wanted > -110 else { continue }
        #expect(abs(try steady(level, values) - wanted) < 0.05, "\(level) dB, T \(t), H \(h)")
      }
    }
  }

  @Test("a steady level never comes out above threshold and headroom")
  func headroom() throws {
    for headroom: Float in [0.1, 3, 20] {
      for level in stride(from: -30.0, through: 40, by: 14) {
        let output = try steady(level, [0: -25, 1: headroom])
        #expect(output <= -25 + Double(headroom) + 0.02)
      }
    }
  }

  @Test("below the threshold nothing changes, not a bit")
  func transparent() throws {
    let input = TestSignal.noise(seed: 81, amplitude: 0.09, frameCount: 20_000)
    #expect(try UnitRig("dcmp").renderMono(input) == input)
  }

  @Test("attack and release are time constants in decibels")
  func times() throws {
    // A direct voltage has a level without ripple.
    let rig = try UnitRig("dcmp", [0: -40, 1: 0.1, 4: 0.05, 5: 0.2])
    var input = [Float](repeating: 1e-3, count: 48_000)
    for index in 24_000..<48_000 { input[index] = 1 }
    input += [Float](repeating: 1e-3, count: 48_000)
    let output = try rig.renderMono(input)
    func reduction(_ frame: Int) -> Double { decibels(input[frame]) - decibels(output[frame]) }
    let full = 40 - 0.1
    #expect(abs(reduction(24_000 + 2400) - full * (1 - exp(-1))) < 0.3)
    #expect(abs(reduction(47_999) - full) < 0.1)
    // The level is held for 10 ms before the release begins.
    let hold = 0.0107
    let after = 0.3
    let left = full * exp(-(after - hold) / 0.2)
    #expect(abs(reduction(48_000 + Int(after * 48_000)) - left) < 0.4)
  }

  @Test("meters show reduction and levels")
  func meters() throws {
    let rig = try UnitRig("dcmp", [6: 3])
    _ = try rig.renderMono(TestSignal.sine(frequency: 997, amplitude: 1, frameCount: 24_000))
    let compression = Double(try rig.unit.parameter(1000))
    #expect(abs(compression - (0 - curve(0, -20, 5, 2, -120))) < 0.05)
    #expect(abs(Double(try rig.unit.parameter(2000))) < 0.05)
    #expect(abs(Double(try rig.unit.parameter(3000)) - (3 - compression)) < 0.05)
    let parameters = try rig.unit.parameters()
    #expect(parameters.filter(\.isMeter).map(\.id) == [1000, 2000, 3000])
  }

  @Test("overall gain is in decibels")
  func gain() throws {
    let input = TestSignal.sine(frequency: 1000, amplitude: 0.01, frameCount: 4800)
    let output = try UnitRig("dcmp", [6: -12]).renderMono(input)
    #expect(abs(decibels(peak(output)) - decibels(peak(input)) + 12) < 0.001)
  }
}
