// Filters and equalisers: their reported responses, the analogue models, and their effect.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// An analogue filter of two poles, numerator and denominator from the constant up, in units of its frequency.
private struct Analogue {
  var n: [Double]
  var d: [Double]
  var frequency: Double

  static func bell(_ frequency: Double, _ q: Double, _ gain: Double) -> Analogue {
    let a = pow(10, gain / 40)
    return Analogue(n: [1, a / q, 1], d: [1, 1 / (a * q), 1], frequency: frequency)
  }
  static func shelf(_ frequency: Double, _ gain: Double, high: Bool) -> Analogue {
    let a = pow(10, gain / 40), middle = a.squareRoot() * 2.0.squareRoot()
    let (n, d) = ([a * a, a * middle, a], [1, middle, a])
    return high
      ? Analogue(n: n.reversed(), d: d.reversed(), frequency: frequency)
      : Analogue(n: n, d: d, frequency: frequency)
  }
  static func pass(_ frequency: Double, _ q: Double, _ n: [Double]) -> Analogue {
    Analogue(n: n.map { $0 < 0 ? 1 / q : $0 }, d: [1, 1 / q, 1], frequency: frequency)
  }

  private func value(_ c: [Double], _ x: Complex) -> Complex {
    let square = x * x
    return Complex(
      re: c[0] + c[1] * x.re + c[2] * square.re, im: c[1] * x.im + c[2] * square.im)
  }
  func response(_ hertz: Double) -> Complex {
    let x = Complex(re: 0, im: hertz / frequency)
    return value(n, x) / value(d, x)
  }
  /// The bilinear transform with the frequency in its place.
  func cookbook(_ hertz: Double, _ rate: Double) -> Complex {
    let x = Complex(re: 0, im: tan(.pi * hertz / rate) / tan(.pi * frequency / rate))
    return value(n, x) / value(d, x)
  }
}

/// The complex response of an impulse response.
private func spectrum(_ response: [Float], _ hertz: Double, _ rate: Double) -> Complex {
  var sum = Complex(re: 0, im: 0)
  var phasor = Complex(re: 1, im: 0)
  let step = Complex.turn(-2 * .pi * hertz / rate)
  for (index, sample) in response.enumerated() {
    if index & 511 == 0 { phasor = .turn(-2 * .pi * hertz / rate * Double(index)) }
    sum = sum + Complex(re: Double(sample) * phasor.re, im: Double(sample) * phasor.im)
    phasor = phasor * step
  }
  return sum
}

private let designProperty = kAuricleProperty_FilterDesign

@Suite("Equalisers") struct EqualizerTests {
  private func impulse(
    _ subtype: String, _ values: [UInt32: Float], _ rate: Double, design: UInt32? = nil,
    bands: UInt32? = nil
  ) throws -> (UnitRig, [Float]) {
    let rig = try UnitRig(subtype, values, channels: 1, sampleRate: rate)
    if let design { try rig.unit.setProperty(designProperty, design) }
    if let bands { try rig.unit.setProperty(kAUNBandEQProperty_NumberOfBands, bands) }
    let tail = try #require(rig.unit.tailTime)
    return (
      rig,
      try rig.renderMono(TestSignal.impulse(frameCount: Int(min(tail, 3) * rate) + 4096))
    )
  }

  /// The filters in the cookbook's form, with the settings of each of them.
  private static let cookbook: [(String, [UInt32: Float], Analogue)] = [
    ("bpas", [0: 900, 1: 600], .pass(900, 1 / (2 * sinh(0.25 * log(2.0))), [0, -1, 0])),
    ("lshf", [0: 150, 1: 9], .shelf(150, 9, high: false)),
    ("hshf", [0: 10_000, 1: -12], .shelf(10_000, -12, high: true)),
    ("pmeq", [0: 900, 1: 4, 2: 9], .bell(900, 4, 9)),
    ("lpas", [0: 1200, 1: 6], .pass(1200, pow(10, 0.3), [1, 0, 0])),
    ("hpas", [0: 1200, 1: -3], .pass(1200, pow(10, -0.15), [0, 0, 1])),
  ]

  @Test(
    "the cookbook's magnitude within 0.05 dB and phase within a degree",
    arguments: [
      8000.0, 44_100, 192_000,
    ])
  func documented(_ rate: Double) throws {
    for (subtype, values, analogue) in Self.cookbook where analogue.frequency < 0.4 * rate {
      let (_, response) = try impulse(subtype, values, rate, design: 0)
      for hertz in logarithmicFrequencies(from: 10, to: 0.45 * rate, count: 40) {
        let wanted = analogue.cookbook(hertz, rate)
        guard wanted.magnitude > 1e-3 else { continue }
        let got = spectrum(response, hertz, rate)
        #expect(
          abs(decibels(got.magnitude) - decibels(wanted.magnitude)) < 0.05,
          "\(subtype) at \(hertz) Hz of \(rate)")
        let turn = got / wanted
        #expect(abs(atan2(turn.im, turn.re)) < .pi / 180, "\(subtype) at \(hertz) Hz of \(rate)")
      }
    }
  }

  @Test("matched bells and shelves are the analogue ones within 0.25 dB up to 20 kHz")
  func matched() throws {
    let cases: [(String, [UInt32: Float], Analogue)] = [
      ("pmeq", [0: 8000, 1: 1, 2: 12], .bell(8000, 1, 12)),
      ("pmeq", [0: 16_000, 1: 2, 2: -20], .bell(16_000, 2, -20)),
      ("pmeq", [0: 12_000, 1: 0.5, 2: 6], .bell(12_000, 0.5, 6)),
      ("pmeq", [0: 50, 1: 5, 2: 18], .bell(50, 5, 18)),
      ("hshf", [0: 12_000, 1: 18], .shelf(12_000, 18, high: true)),
      ("hshf", [0: 20_000, 1: -9], .shelf(20_000, -9, high: true)),
      ("lshf", [0: 80, 1: 12], .shelf(80, 12, high: false)),
    ]
    for (subtype, values, analogue) in cases {
      let (rig, response) = try impulse(subtype, values, 44_100, design: 1)
      let frequencies = logarithmicFrequencies(from: 20, to: 20_000, count: 80)
      let reported = try #require(rig.unit.frequencyResponse(at: frequencies))
      for (hertz, gain) in zip(frequencies, reported) {
        let got = magnitude(of: response, at: hertz, sampleRate: 44_100)
        #expect(
          abs(decibels(got) - decibels(analogue.response(hertz).magnitude)) < 0.25,
          "\(subtype) \(values) at \(hertz) Hz")
        #expect(abs(decibels(got) - decibels(gain)) < 0.05, "\(subtype) at \(hertz) Hz")
      }
    }
  }

  @Test("new units are matched, older ones are the cookbook's")
  func defaults() throws {
    for subtype in ["bpas", "lshf", "hshf", "nbeq", "greq", "filt", "ipeq"] {
      let unit = try Shipped.open(subtype)
      #expect(try unit.property(designProperty, as: UInt32.self) == 1, "\(subtype)")
    }
    for subtype in ["lpas", "hpas", "pmeq"] {
      let unit = try Shipped.open(subtype)
      #expect(try unit.property(designProperty, as: UInt32.self) == 0, "\(subtype)")
    }
    let unit = try Shipped.open("bpas")
    #expect(throws: AuricleError.self) { try unit.setProperty(designProperty, UInt32(2)) }
  }

  @Test("every type of an N-band EQ's bands, in its reports and in its coefficients")
  func types() throws {
    let q = 1 / (2 * sinh(0.25 * log(2.0)))
    let wanted: [Analogue] = [
      .bell(1500, q, 6), .pass(1500, 0.5.squareRoot(), [1, 0, 0]),
      .pass(1500, 0.5.squareRoot(), [0, 0, 1]), .pass(1500, q, [1, 0, 0]),
      .pass(1500, q, [0, 0, 1]), .pass(1500, q, [0, -1, 0]), .pass(1500, q, [1, 0, 1]),
      .shelf(1500, 6, high: false), .shelf(1500, 6, high: true),
    ]
    for (type, analogue) in wanted.enumerated() {
      let values: [UInt32: Float] = [
        1000: 0, 2000: Float(type), 3000: 1500, 4000: 6, 5000: 0.5, 0: -3,
      ]
      let (rig, response) = try impulse("nbeq", values, 48_000, design: 0)
      let numbers = try rig.unit.propertyArray(
        kAUNBandEQProperty_BiquadCoefficients, of: Double.self)
      #expect(numbers.count == 40)
      for hertz in logarithmicFrequencies(from: 20, to: 20_000, count: 30) {
        let cookbook = analogue.cookbook(hertz, 48_000).magnitude
        guard cookbook > 1e-3 else { continue }
        let got = magnitude(of: response, at: hertz, sampleRate: 48_000)
        #expect(abs(decibels(got) - decibels(cookbook) + 3) < 0.05, "type \(type), \(hertz) Hz")
        let reported = biquadMagnitude(
          Array(numbers[0..<3]), [1, numbers[3], numbers[4]], at: hertz, sampleRate: 48_000)
        #expect(abs(decibels(reported) - decibels(cookbook)) < 0.01, "type \(type), \(hertz) Hz")
      }
    }
  }

  @Test("a fresh N-band EQ changes no bit, and has the requested bands")
  func bands() throws {
    let input = TestSignal.noise(seed: 51, frameCount: 5000)
    let rig = try UnitRig("nbeq", channels: 1)
    #expect(try rig.renderMono(input) == input)
    #expect(try rig.unit.property(kAUNBandEQProperty_MaxNumberOfBands, as: UInt32.self) == 16)
    #expect(throws: AuricleError.self) {
      try rig.unit.setProperty(kAUNBandEQProperty_NumberOfBands, UInt32(17))
    }
    // The sixteenth band sounds once there are sixteen.
    let last: [UInt32: Float] = [1015: 0, 3015: 1000, 4015: 12]
    #expect(
      abs(magnitude(of: try impulse("nbeq", last, 48_000).1, at: 1000, sampleRate: 48_000) - 1)
        < 1e-6)
    let loud = try impulse("nbeq", last, 48_000, bands: 16).1
    #expect(abs(decibels(magnitude(of: loud, at: 1000, sampleRate: 48_000)) - 12) < 0.05)
  }

  @Test("bands that cancel return the input to -120 dB")
  func cancelling() throws {
    let input = TestSignal.noise(seed: 52, amplitude: 0.5, frameCount: 20_000)
    for design: UInt32 in [0, 1] {
      for type: Float in [0, 7, 8] {
        let values: [UInt32: Float] = [
          1000: 0, 2000: type, 3000: 6000, 4000: 12, 5000: 1.5, 1001: 0, 2001: type, 3001: 6000,
          4001: -12, 5001: 1.5,
        ]
        let rig = try UnitRig("nbeq", values, channels: 1)
        try rig.unit.setProperty(designProperty, design)
        let output = try rig.renderMono(input)
        let rest = zip(input, output).map { $0 - $1 }
        #expect(decibels(rootMeanSquare(rest)) - decibels(rootMeanSquare(input)) < -120)
      }
    }
  }

  @Test("a graphic EQ goes through its sliders", arguments: [10, 31])
  func sliders(_ count: Int) throws {
    let thirds = [
      20.0, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250,
      1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]
    let octaves = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    let centres = count == 10 ? octaves : thirds
    var random = SeededGenerator(seed: 53)
    for round in 0..<3 {
      var values: [UInt32: Float] = [10_000: Float(count)]
      for index in 0..<count {
        values[UInt32(index)] =
          round == 0 ? 6 : round == 1 ? (index == 5 ? 12 : 0) : random.nextSample() * 6
      }
      let (_, response) = try impulse("greq", values, 44_100)
      for (index, hertz) in centres.enumerated() {
        let got = decibels(magnitude(of: response, at: hertz, sampleRate: 44_100))
        #expect(abs(got - Double(values[UInt32(index)] ?? 0)) < 0.6, "\(hertz) Hz, round \(round)")
      }
      if round == 0 {
        // Equal sliders are a level, not a comb.
        for hertz in logarithmicFrequencies(from: 60, to: 12_000, count: 60) {
          let got = decibels(magnitude(of: response, at: hertz, sampleRate: 44_100))
          #expect(abs(got - 6) < 0.95, "\(hertz) Hz")
        }
      }
    }
  }

  @Test(
    "a sweep of the cutoff in 10 ms at the highest resonance stays in bounds",
    arguments: [
      ("lpas", [1: 40]), ("hpas", [1: 40]), ("pmeq", [1: 20, 2: 20]),
      ("nbeq", [1000: 0, 2000: 3, 5000: 0.05]), ("bpas", [1: 100]),
    ] as [(String, [UInt32: Float])])
  func sweep(_ subtype: String, _ values: [UInt32: Float]) throws {
    let rig = try UnitRig(subtype, values, channels: 1)
    let cutoff: UInt32 = subtype == "nbeq" ? 3000 : 0
    let input = TestSignal.noise(seed: 54, amplitude: 0.5, frameCount: 48_000)
    let output = try rig.render([input], slices: [16]) { frame in
      let part = Double(frame % 480) / 480
      let up = frame / 480 & 1 == 0 ? part : 1 - part
      try rig.unit.setParameter(cutoff, Float(20 * pow(1100, up)))
    }[0]
    #expect(peak(output) < 200, "\(peak(output))")
    #expect(peak(output) > 0.01)
  }

  @Test(
    "a gain that jumps by 20 dB rises in inaudible steps",
    arguments: [
      ("pmeq", 2, [0: 150, 1: 1]), ("nbeq", 4000, [1000: 0, 3000: 150, 5000: 1]),
      ("lshf", 1, [0: 200]), ("greq", 2, [10_000: 10]),
    ] as [(String, UInt32, [UInt32: Float])])
  func gainJumps(_ subtype: String, _ id: UInt32, _ values: [UInt32: Float]) throws {
    let rig = try UnitRig(subtype, values, channels: 1)
    let sine = TestSignal.sine(frequency: 125, amplitude: 0.1, frameCount: 24_000)
    let output = try rig.render([sine], slices: [100]) { frame in
      if frame == 12_000 { try rig.unit.setParameter(id, 20) }
    }[0]
    #expect(peak(output) > 0.5)
    // A step of a tenth of a decibel.
    #expect(largestBend(output, from: 3000) < 0.012 * peak(output))
  }

  @Test("bypass and type of a band change without a click")
  func clicks() throws {
    let values: [UInt32: Float] = [1000: 0, 2000: 0, 3000: 3000, 4000: 12, 5000: 1]
    let rig = try UnitRig("nbeq", values, channels: 1)
    let sine = TestSignal.sine(frequency: 200, frameCount: 48_000)
    let output = try rig.render([sine], slices: [500]) { frame in
      if frame == 10_000 { try rig.unit.setParameter(2000, 8) }
      if frame == 20_000 { try rig.unit.setParameter(1000, 1) }
      if frame == 30_000 { try rig.unit.setParameter(1000, 0) }
      if frame == 40_000 { try rig.unit.setParameter(2000, 6) }
    }[0]
    #expect(largestBend(output, from: 3000) < 0.005)
  }
}
