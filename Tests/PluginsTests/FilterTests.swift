// The filters against their analytic responses.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import Foundation
import TestSupport
import Testing

@Suite("Filters")
struct FilterTests {
  /// Audio EQ Cookbook, low-pass and high-pass.
  private func pass(_ f: Double, _ q: Double, _ rate: Double, high: Bool) -> ([Double], [Double]) {
    let w = 2 * Double.pi * f / rate
    let alpha = sin(w) / (2 * q)
    let c = cos(w)
    let a = [1 + alpha, -2 * c, 1 - alpha]
    let b =
      high ? [(1 + c) / 2, -(1 + c), (1 + c) / 2] : [(1 - c) / 2, 1 - c, (1 - c) / 2]
    return (b, a)
  }

  /// Audio EQ Cookbook, peaking.
  private func peaking(_ f: Double, _ q: Double, _ gain: Double, _ rate: Double)
    -> ([Double], [Double])
  {
    let w = 2 * Double.pi * f / rate
    let amplitude = pow(10, gain / 40)
    let alpha = sin(w) / (2 * q)
    let c = cos(w)
    return (
      [1 + alpha * amplitude, -2 * c, 1 - alpha * amplitude],
      [1 + alpha / amplitude, -2 * c, 1 - alpha / amplitude]
    )
  }

  /// An impulse response long enough to have rung out.
  private func response(_ subtype: String, _ values: [UInt32: Float], _ rate: Double) throws
    -> [Float]
  {
    let rig = try UnitRig(subtype, values, sampleRate: rate)
    let seconds = min(try #require(rig.unit.tailTime), 4)
    let frames = Int(seconds * rate) + 2048
    return try rig.renderMono(TestSignal.impulse(frameCount: frames))
  }

  @Test("the bell is the cookbook's within 0.01 dB", arguments: [44_100.0, 48_000, 96_000])
  func bell(_ rate: Double) throws {
    for (f, q, gain) in [
      (20.0, 1.0, 20.0), (31, 8, -20), (100, 0.1, 12), (1000, 20, 20), (2000, 1, -6),
      (8000, 0.5, 9), (16_000, 4, -15), (20_000, 2, 18),
    ] {
      let (b, a) = peaking(f, q, gain, rate)
      let measured = try response("pmeq", [0: Float(f), 1: Float(q), 2: Float(gain)], rate)
      for at in logarithmicFrequencies(from: 20, to: 20_000, count: 60) + [f] {
        let wanted = decibels(biquadMagnitude(b, a, at: at, sampleRate: rate))
        let got = decibels(magnitude(of: measured, at: at, sampleRate: rate))
        #expect(abs(got - wanted) < 0.01, "\(f) Hz, Q \(q), \(gain) dB, at \(at) Hz, \(rate)")
      }
    }
  }

  @Test("low-pass and high-pass are the cookbook's", arguments: [false, true])
  func passes(_ isHighPass: Bool) throws {
    let rate = 48_000.0
    for (f, resonance) in [(80.0, 0.0), (1000, -3.0103), (6900, 0), (5000, 24), (15_000, -12)] {
      let q = pow(10, resonance / 20)
      let (b, a) = pass(f, q, rate, high: isHighPass)
      let subtype = isHighPass ? "hpas" : "lpas"
      let measured = try response(subtype, [0: Float(f), 1: Float(resonance)], rate)
      for at in logarithmicFrequencies(from: 20, to: 20_000, count: 50) + [f] {
        let wanted = decibels(biquadMagnitude(b, a, at: at, sampleRate: rate))
        guard wanted > -80 else { continue }
        let got = decibels(magnitude(of: measured, at: at, sampleRate: rate))
        #expect(abs(got - wanted) < 0.02, "\(subtype) \(f) Hz, \(resonance) dB, at \(at) Hz")
      }
      // The meaning of resonance: the gain at the cutoff frequency.
      let cutoff = decibels(magnitude(of: measured, at: f, sampleRate: rate))
      #expect(abs(cutoff - resonance) < 0.02)
    }
  }

  @Test("a bell of 0 dB changes no bit")
  func transparent() throws {
    let input = TestSignal.noise(seed: 61, frameCount: 5000)
    #expect(try UnitRig("pmeq", [0: 500, 1: 3]).renderMono(input) == input)
  }

  @Test("a moving cutoff makes no click", arguments: ["lpas", "hpas"])
  func glide(_ subtype: String) throws {
    // The cutoff moves far from the sine, so that the output ought to go on as it was.
    let start: Float = subtype == "lpas" ? 18_000 : 5
    let end: Float = subtype == "lpas" ? 9000 : 20
    let rig = try UnitRig(subtype, [0: start, 1: -3])
    let sine = TestSignal.sine(frequency: 400, frameCount: 24_000)
    let output = try rig.render([sine], slices: [500]) { frame in
      if frame == 10_000 { try rig.unit.setParameter(0, end) }
    }[0]
    // Second differences of a sine are small; a click is not.
    #expect(largestBend(output, from: 3000) < 0.0025)
  }

  @Test("cutoffs beyond half the sample rate are bounded")
  func beyondNyquist() throws {
    let rig = try UnitRig("lpas", [0: 22_050], sampleRate: 8000)
    let output = try rig.renderMono(
      TestSignal.sine(frequency: 500, sampleRate: 8000, frameCount: 8000))
    #expect(
      abs(decibels(rootMeanSquare(output.suffix(4000))) - decibels(0.5 / 2.0.squareRoot())) < 0.1)
  }
}
