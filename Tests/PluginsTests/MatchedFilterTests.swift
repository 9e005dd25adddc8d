// Matched filters all over their ranges, and filters in motion: the fit, sliders far apart, no zipper.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Matched and moving filters") struct MatchedFilterTests {
  /// The magnitude of an analogue filter (constant first) at a frequency over its own.
  private func analogue(_ n: [Double], _ d: [Double], _ x: Double) -> Double {
    hypot(n[0] - n[2] * x * x, n[1] * x) / hypot(d[0] - d[2] * x * x, d[1] * x)
  }

  private func q(octaves: Double) -> Double { 1 / (2 * sinh(octaves * log(2) / 2)) }

  /// Returns the largest difference in decibels of a unit's response and an analogue filter's. From 10 Hz to 20 kHz,
  /// in the parts where the latter passes more than `floor` decibels.
  private func difference(
    _ subtype: String, _ values: [UInt32: Float], _ rate: Double, floor: Double = -200,
    _ n: [Double], _ d: [Double], _ frequency: Double
  ) throws -> Double {
    let rig = try UnitRig(subtype, values, channels: 1, sampleRate: rate)
    let near = logarithmicFrequencies(from: 0.7 * frequency, to: 1.4 * frequency, count: 60)
    let all = logarithmicFrequencies(from: 10, to: 20_000, count: 120)
    let frequencies = all + near.filter { $0 < 20_000 }
    let reported = try #require(rig.unit.frequencyResponse(at: frequencies))
    return zip(frequencies, reported).map { hertz, gain in
      let wanted = decibels(analogue(n, d, hertz / frequency))
      return wanted > floor ? abs(decibels(gain) - wanted) : 0
    }.max() ?? 0
  }

  @Test("band-passes of any width", arguments: [44_100.0, 48_000, 176_400])
  func bandPass(_ rate: Double) throws {
    for (frequency, cents) in [
      (20, 2400), (20, 12_000), (500, 600), (500, 12_000), (1000, 12_000), (5000, 100),
      (15_000, 1200),
    ] as [(Double, Double)] {
      let slope = 1 / q(octaves: cents / 1200)
      let found = try difference(
        "bpas", [0: Float(frequency), 1: Float(cents)], rate, floor: -40, [0, slope, 0],
        [1, slope, 1], frequency)
      #expect(found < 0.55, "\(frequency) Hz, \(cents) cents")
    }
  }

  @Test("high-passes down to -40 dB, which let nothing steady pass", arguments: [44_100.0, 96_000])
  func highPass(_ rate: Double) throws {
    for frequency in [30.0, 500, 3000, 8000, 12_000, 16_000] {
      for (resonance, most) in [(-10, 0.25), (-3.01, 0.1), (0, 0.1), (6, 0.4)] {
        let rig = try UnitRig(
          "hpas", [0: Float(frequency), 1: Float(resonance)], channels: 1, sampleRate: rate)
        try rig.unit.setText("design", "1")
        let slope = pow(10, -resonance / 20)
        let frequencies = logarithmicFrequencies(from: 20, to: 20_000, count: 200)
        let response = try #require(rig.unit.frequencyResponse(at: frequencies))
        for (hertz, gain) in zip(frequencies, response) {
          let wanted = decibels(analogue([0, 0, 1], [1, slope, 1], hertz / frequency))
          guard wanted > -40 else { continue }
          #expect(
            abs(decibels(gain) - wanted) < most, "\(frequency) Hz, \(resonance) dB, \(hertz) Hz")
        }
        #expect(try #require(rig.unit.frequencyResponse(at: [0.001]))[0] < 1e-6)
      }
    }
  }

  @Test(
    "shelves with a resonance, whose peaks and notches are narrow",
    arguments: [44_100.0, 96_000])
  func shelves(_ rate: Double) throws {
    for (frequency, octaves, most) in [
      (500, 0.05, 0.3), (5000, 0.05, 3), (5000, 1, 0.25), (12_500, 1, 0.25), (12_500, 0.5, 0.75),
      (16_000, 1.5, 0.25), (9000, 2.2, 0.25), (14_000, 3, 0.25), (18_000, 2.5, 0.25),
    ] as [(Double, Double, Double)] {
      for gain in [-24.0, -6, 18] {
        let a = pow(10, gain / 40), middle = a.squareRoot() / q(octaves: octaves)
        let (n, d) = ([a * a, a * middle, a], [1, middle, a])
        for type: Float in [9, 10] {
          let values: [UInt32: Float] = [
            1000: 0, 2000: type, 3000: Float(frequency), 4000: Float(gain), 5000: Float(octaves),
          ]
          let found = try difference(
            "nbeq", values, rate, type == 9 ? n : n.reversed(), type == 9 ? d : d.reversed(),
            frequency)
          #expect(found < most, "type \(type), \(frequency) Hz, \(octaves) octaves, \(gain) dB")
        }
      }
    }
  }

  @Test("bells up to 18 dB", arguments: [44_100.0, 48_000, 192_000])
  func bells(_ rate: Double) throws {
    for frequency in [30.0, 3000, 11_000, 14_500, 16_000, 17_000, 21_000] {
      for quality in [0.1, 0.7, 2, 3, 5, 20] {
        for gain in [-18.0, 6, 18] {
          let a = pow(10, gain / 40)
          let found = try difference(
            "nbeq",
            [
              1000: 0, 3000: Float(frequency), 4000: Float(gain),
              5000: Float(2 / log(2) * asinh(0.5 / quality)),
            ], rate, [1, a / quality, 1], [1, 1 / (a * quality), 1], frequency)
          // Five octaves at most.
          if quality > 0.2 { #expect(found < 0.25, "\(frequency) Hz, Q \(quality), \(gain) dB") }
        }
      }
    }
  }

  @Test(
    "a graphic EQ goes through sliders that are far apart", arguments: [10, 31], [44_100, 192_000])
  func sliders(_ count: Int, _ rate: Int) throws {
    let octaves = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    let thirds = [
      20.0, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250,
      1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]
    let centres = count == 10 ? octaves : thirds
    for seed in UInt64(71)..<75 {
      var random = SeededGenerator(seed: seed)
      var values: [UInt32: Float] = [10_000: Float(count)]
      for index in 0..<count {
        // One slider alone, sliders at either end, then anywhere.
        let part = random.nextSample()
        values[UInt32(index)] =
          seed == 71 ? (index == 5 ? 20 : 0) : seed == 72 ? (part > 0 ? 20 : -20) : part * 20
      }
      let rig = try UnitRig("greq", values, channels: 1, sampleRate: Double(rate))
      let reported = try #require(rig.unit.frequencyResponse(at: centres))
      for (index, gain) in reported.enumerated() where centres[index] < 0.45 * Double(rate) {
        let wanted = Double(values[UInt32(index)] ?? 0)
        #expect(abs(decibels(gain) - wanted) < 1, "\(centres[index]) Hz, seed \(seed)")
      }
    }
  }

  /// The level above 10 kHz of a part of a sound.
  private func brightness(_ samples: ArraySlice<Float>) -> Double {
    let spectrum = powerSpectrum(Array(samples))
    let first = samples.count * 10_000 / 48_000
    return 10 * log10(spectrum[first...].reduce(0, +) / spectrum.reduce(0, +))
  }

  @Test(
    "a tone has no zipper while a filter moves",
    arguments: [
      ("pmeq", [0: 900, 1: 4, 2: 9], 1, 0.1), ("pmeq", [:], 2, -20),
      ("bpas", [0: 900, 1: 1200], 1, 12_000),
      ("lpas", [0: 1200, 1: 12], 0, 10_000), ("hpas", [0: 300, 1: 6], 1, -20),
      ("nbeq", [1000: 0, 3000: 300, 4000: 9, 5000: 1], 4000, -51),
      ("lshf", [0: 150, 1: 9], 1, 40), ("greq", [10_000: 10], 5, -20), ("filt", [:], 14, -18),
      ("mcmp", [:], 2, 8900), ("mcmp", [5: -40, 6: -40, 7: -40, 8: -40], 3, 20),
    ] as [(String, [UInt32: Float], UInt32, Float)])
  func zipper(_ subtype: String, _ values: [UInt32: Float], _ id: UInt32, _ value: Float) throws {
    let rig = try UnitRig(subtype, values, channels: 1)
    let tone = TestSignal.sine(frequency: 1000, amplitude: 0.25, frameCount: 48_000)
    let output = try rig.render([tone], slices: [500]) { frame in
      if frame == 24_000 { try rig.unit.setParameter(id, value) }
    }[0]
    #expect(brightness(output[23_500..<25_548]) < -80)
    #expect(brightness(output[40_000..<42_048]) < -100)
  }

  @Test("a filter that moves does not depend on the slices")
  func slices() throws {
    let input = [0, 1, 2].map { TestSignal.noise(seed: 81 + $0, frameCount: 6000) }
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try UnitRig("pmeq", [0: 900, 1: 4, 2: 9], channels: 3)
      return try rig.render(input, slices: slices) { frame in
        if frame % 2002 == 0 { try rig.unit.setParameter(0, frame % 4004 == 0 ? 9000 : 300) }
      }
    }
    let whole = try render([2002])
    for slices in [[1], [7], [20, 71], [22]] { #expect(try render(slices) == whole) }
  }
}
