// Requirements of both reverbs: decay in octave bands, density, modes, sides, the sum of the sides.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
import Foundation
import Spectra
import TestSupport
import Testing

/// A reverb with a decay of its late sound that is the same at all frequencies.
struct EvenReverb: Sendable, CustomTestStringConvertible {
  let subtype: String
  let seconds: Double
  var testDescription: String { "\(subtype), \(seconds) s" }

  static let all = [
    EvenReverb(subtype: "mrev", seconds: 1), EvenReverb(subtype: "mrev", seconds: 3),
    EvenReverb(subtype: "rvb2", seconds: 1), EvenReverb(subtype: "rvb2", seconds: 3),
  ]

  /// The response to an impulse, both sides.
  func response(sampleRate: Double = 48_000) throws -> [[Float]] {
    let time = Float(seconds)
    let values: [UInt32: Float] =
      subtype == "mrev" ? [1: 100, 3: time, 10: 1, 13: 0.2] : [4: time, 5: time]
    return try UnitRig(subtype, values, sampleRate: sampleRate).render([
      TestSignal.impulse(frameCount: Int((1.2 * seconds + 0.3) * sampleRate))
    ])
  }

  /// The late part of a response, made as loud at its end as at its start.
  func flattened(_ response: [Float]) -> [Float] {
    (7200..<Int(seconds * 48_000)).map { frame in
      response[frame] * Float(exp(6.907_755 * Double(frame) / 48_000 / seconds))
    }
  }
}

/// An octave of a sound, by its spectrum, with edges that are a third of an octave wide.
private func octave(_ samples: [Float], _ hertz: Double, _ sampleRate: Double) -> [Float] {
  var size = 1024
  while size < samples.count { size *= 2 }
  let transform = FourierTransform(count: size)
  var re = samples + [Float](repeating: 0, count: size - samples.count)
  var im = [Float](repeating: 0, count: size)
  transform.transform(&re, &im)
  for bin in 0..<size {
    let frequency = Double(min(bin, size - bin)) * sampleRate / Double(size)
    let away = abs(log2(max(frequency, 1e-9) / hertz))
    let edge = min(max(away - 1.0 / 3, 0), 1.0 / 3)
    let gain = Float(cos(edge * 1.5 * Double.pi))
    re[bin] *= gain
    im[bin] *= gain
  }
  // The inverse is the transform with both parts exchanged.
  transform.transform(&im, &re)
  return re.prefix(samples.count).map { $0 / Float(size) }
}

@Suite("Quality of the reverbs")
struct ReverbQualityTests {
  /// Seconds for 60 dB, by a line through the energy that is still to come from −5 to −35 dB.
  private func decayTime(_ powers: [Double], _ sampleRate: Double) -> Double {
    var sum = 0.0
    var curve = [Double](repeating: 0, count: powers.count)
    for index in powers.indices.reversed() {
      sum += powers[index]
      curve[index] = sum
    }
    let levels = curve.map { 10 * log10($0 / sum + 1e-30) }
    let first = levels.firstIndex { $0 < -5 } ?? 0
    let last = levels.firstIndex { $0 < -35 } ?? levels.count
    let count = Double(last - first)
    let middle = Double(first + last - 1) / 2
    let mean = levels[first..<last].reduce(0, +) / count
    var (rise, spread) = (0.0, 0.0)
    for index in first..<last {
      rise += (Double(index) - middle) * (levels[index] - mean)
      spread += (Double(index) - middle) * (Double(index) - middle)
    }
    return -60 / (rise / spread) / sampleRate
  }

  private func powers(_ samples: [Float]) -> [Double] { samples.map { Double($0) * Double($0) } }

  @Test("octave bands decay within 5 % of the setting, at any rate", arguments: EvenReverb.all)
  func decay(_ reverb: EvenReverb) throws {
    for rate in reverb.seconds > 2 ? [48_000.0] : [44_100, 96_000] {
      let sides = try reverb.response(sampleRate: rate)
      for hertz in [250.0, 500, 1000, 2000, 4000, 8000, 16_000] {
        // The mean of both sides, whose chances differ.
        let found =
          sides.map { decayTime(powers(octave($0, hertz, rate)), rate) }.reduce(0, +) / 2
        #expect(abs(found / reverb.seconds - 1) < 0.05, "\(found) s at \(hertz) Hz of \(rate)")
      }
    }
  }

  @Test(
    "the highest octave decays as all others, in short decays and long ones",
    arguments: [("mrev", 0.4), ("mrev", 3), ("mrev", 8), ("rvb2", 0.3), ("rvb2", 8)],
    [44_100.0, 48_000])
  func highestOctave(_ reverb: (subtype: String, seconds: Double), _ rate: Double) throws {
    let even = EvenReverb(subtype: reverb.subtype, seconds: reverb.seconds)
    let sides = try even.response(sampleRate: rate)
    let found = sides.map { decayTime(powers(octave($0, 16_000, rate)), rate) }.reduce(0, +) / 2
    #expect(abs(found / even.seconds - 1) < 0.05, "\(found) s")
  }

  /// With short decays, an octave has so few resonances that one response is off as much as one ideal burst of
  /// decaying noise. That is 10 % at 125 Hz and 0.3 s. So means of the energies of many responses count.
  @Test(
    "short decays are as long as set, in the mean of many responses",
    arguments: [("mrev", 0.4), ("rvb2", 0.2), ("rvb2", 0.3)])
  func shortDecays(_ reverb: (subtype: String, seconds: Double)) throws {
    let time = Float(reverb.seconds)
    let count = Int((1.2 * reverb.seconds + 0.5) * 48_000)
    let bands = [125.0, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    var energies = [[Double]](repeating: [Double](repeating: 0, count: count), count: bands.count)
    for number in 1...12 {
      let values: [UInt32: Float] =
        reverb.subtype == "mrev"
        ? [1: 100, 3: time, 10: 1, 8: Float(number) / 13] : [4: time, 5: time, 6: Float(number)]
      let (impulse, none) = (
        TestSignal.impulse(frameCount: count), TestSignal.silence(frameCount: count)
      )
      for input in [[impulse, none], [none, impulse]] {
        for side in try UnitRig(reverb.subtype, values).render(input) {
          for (index, hertz) in bands.enumerated() {
            for (frame, power) in powers(octave(side, hertz, 48_000)).enumerated() {
              energies[index][frame] += power
            }
          }
        }
      }
    }
    for (hertz, energy) in zip(bands, energies) {
      let found = decayTime(energy, 48_000)
      #expect(abs(found / reverb.seconds - 1) < 0.05, "\(found) s at \(hertz) Hz")
    }
  }

  /// Jumps of parameters, from values to others.
  private static let jumps: [[UInt32: (Float, Float)]] = [
    [4: (1, 3), 5: (1, 3)], [4: (3, 0.3), 5: (3, 0.3)], [5: (1, 0.1)], [5: (0.1, 1)],
    [2: (0.008, 0.02)], [2: (0.02, 0.004)], [3: (0.05, 0.09)], [3: (0.09, 0.03)],
    [6: (1, 400)],
  ]

  @Test("jumps of decays and delays are inaudible beside a tone", arguments: jumps.indices)
  func jump(_ number: Int) throws {
    let jump = Self.jumps[number]
    let rig = try UnitRig("rvb2", jump.mapValues(\.0))
    let tone = TestSignal.sine(frequency: 1000, amplitude: 0.5, frameCount: 144_000)
    let output = try rig.render([tone], slices: [480]) { start in
      guard start == 96_000 else { return }
      for (id, values) in jump { try rig.unit.setParameter(id, values.1) }
    }[0]
    let click = levelAbove(10_000, Array(output[72_000..<137_536]))
    #expect(click < -60, "\(click) dB at \(jump)")
  }

  @Test("echoes are as dense as noise after 100 ms", arguments: EvenReverb.all)
  func density(_ reverb: EvenReverb) throws {
    for side in try reverb.response() {
      let onset = try #require(side.firstIndex { abs($0) > 1e-5 })
      let parts = (0..<10).map { part in
        let start = onset + 4800 + 960 * part - 480
        let window = side[start..<(start + 960)].map { Double($0) }
        let deviation = (window.reduce(0) { $0 + $1 * $1 } / 960).squareRoot()
        return Double(window.count { abs($0) > deviation }) / 960 / 0.3173
      }
      #expect(parts.reduce(0, +) / 10 > 0.9, "\(parts)")
    }
  }

  // A shorter decay is too brief for means.
  @Test(
    "no mode is 6 dB above its neighbours", arguments: EvenReverb.all.filter { $0.seconds > 2 })
  func modes(_ reverb: EvenReverb) throws {
    let size = 8192
    let transform = FourierTransform(count: size)
    var powers = [Double](repeating: 0, count: size / 2 + 1)
    for side in try reverb.response() {
      let late = reverb.flattened(side)
      for start in stride(from: 0, to: late.count - size, by: size / 2) {
        for (bin, power) in transform.power(Array(late[start..<(start + size)])).enumerated() {
          powers[bin] += power
        }
      }
    }
    for bin in 30..<1700 {
      let around = powers[(bin - 24)...(bin + 24)].reduce(0, +) - powers[bin]
      let above = 10 * log10(powers[bin] / (around / 48))
      #expect(above < 6, "\(above) dB at \(Double(bin) * 48_000 / Double(size)) Hz")
    }
  }

  @Test("the sides are unlike each other, and their sum lacks no band", arguments: EvenReverb.all)
  func sides(_ reverb: EvenReverb) throws {
    let sides = try reverb.response().map { reverb.flattened($0) }
    let powers = sides.map { rootMeanSquare($0) * rootMeanSquare($0) }
    let cross = zip(sides[0], sides[1]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    let likeness = cross / Double(sides[0].count) / (powers[0] * powers[1]).squareRoot()
    #expect(abs(likeness) < 0.1, "\(likeness)")
    let sum = zip(sides[0], sides[1]).map { $0 + $1 }
    for hertz in [125.0, 250, 500, 1000, 2000, 4000, 8000] {
      let alone = sides.map { pow(rootMeanSquare(octave($0, hertz, 48_000)), 2) }.reduce(0, +)
      let together = pow(rootMeanSquare(octave(sum, hertz, 48_000)), 2)
      #expect(abs(10 * log10(together / alone)) < 1.5, "\(hertz) Hz")
    }
  }
}
