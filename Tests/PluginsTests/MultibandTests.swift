// The multiband compressor, the look-ahead of the dynamics processor, the limiter's true peaks.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Multiband compressor") struct MultibandTests {
  /// Thresholds so high that nothing is compressed at the levels of a test.
  private static let still: [UInt32: Float] = [5: 0, 6: 0, 7: 0, 8: 0]

  @Test("the sum of the bands is flat within 0.1 dB", arguments: [8000.0, 48_000, 96_000])
  func flat(_ rate: Double) throws {
    for edges: [Float] in [[120, 700, 3000], [20, 25, 3500], [1000, 1000, 1000]] {
      var values = Self.still
      for (index, edge) in edges.enumerated() { values[UInt32(2 + index)] = edge }
      let rig = try UnitRig("mcmp", values, channels: 1, sampleRate: rate)
      let response = try rig.renderMono(
        TestSignal.impulse(amplitude: 0.5, frameCount: Int(rate)))
      for hertz in logarithmicFrequencies(from: 10, to: 0.45 * rate, count: 60) {
        let got = magnitude(of: response, at: hertz, sampleRate: rate) / 0.5
        #expect(abs(decibels(got)) < 0.1, "\(hertz) Hz, edges \(edges)")
      }
    }
  }

  /// Returns a band's share of a tone: the crossovers, of fourth order, in a row.
  private func part(_ band: Int, _ hertz: Double) -> Double {
    func below(_ edge: Double) -> Double {
      let ratio = tan(.pi * hertz / 48_000) / tan(.pi * edge / 48_000)
      return 1 / (1 + pow(ratio, 4))
    }
    let (low, mid, high) = (below(120), below(700), below(3000))
    return [mid * low, mid * (1 - low), (1 - mid) * high, (1 - mid) * (1 - high)][band]
  }

  @Test("each band has its curve, its gain and its meters")
  func curves() throws {
    for (band, hertz) in [60.0, 290, 1450, 9000].enumerated() {
      for level in [-30.0, -12, 0] {
        let threshold = -24.0, headroom = 6.0
        var values = Self.still
        values[UInt32(5 + band)] = Float(threshold)
        values[UInt32(9 + band)] = Float(headroom)
        values[UInt32(15 + band)] = 3
        values[13] = 0.005
        let rig = try UnitRig("mcmp", values, channels: 1)
        let sine = TestSignal.sine(
          frequency: hertz, amplitude: amplitude(decibels: level), frameCount: 96_000)
        let output = decibels(peak(try rig.renderMono(sine).suffix(9600)))
        let delivered = level + decibels(part(band, hertz))
        let over = max(0, delivered - threshold)
        let reduction = over - headroom * (1 - exp(-over / headroom))
        func meter(_ id: Int) throws -> Double { Double(try rig.unit.parameter(UInt32(id))) }
        #expect(try abs(meter(1000 * (band + 1)) - reduction) < 0.1, "band \(band + 1), \(level)")
        #expect(try abs(meter(5000 + 1000 * band) - delivered) < 0.1, "band \(band + 1), \(level)")
        #expect(try abs(meter(9000 + 1000 * band) - (delivered - reduction + 3)) < 0.1)
        // The signal through the other bands is not compressed.
        #expect(abs(output - (delivered - reduction + 3)) < 6, "band \(band + 1), \(level)")
      }
    }
  }

  @Test("attack and release are time constants in decibels")
  func times() throws {
    var values = Self.still
    values[6] = -18
    values[10] = 0.1
    values[13] = 0.05
    values[14] = 0.2
    let rig = try UnitRig("mcmp", values, channels: 1)
    let quiet = Float(amplitude(decibels: -60.0)), loud = Float(amplitude(decibels: -3.0))
    let tone = TestSignal.sine(frequency: 300, amplitude: 1, frameCount: 120_000)
    let input = tone.enumerated().map { frame, value in
      value * (frame >= 48_000 && frame < 96_000 ? loud : quiet)
    }
    var shown: [Int: Double] = [:]
    _ = try rig.render([input], slices: [1200]) { frame in
      shown[frame] = Double(try rig.unit.parameter(2000))
    }
    let full = try #require(shown[96_000])
    #expect(abs(full - (15 + decibels(part(1, 300)) - 0.1)) < 0.1)
    // Between two moments, so that it does not matter how late a band is.
    let early = try #require(shown[48_000 + 1200]), late = try #require(shown[48_000 + 3600])
    #expect(abs((full - late) / (full - early) / exp(-1) - 1) < 0.05, "\(early), \(late)")
    let before = try #require(shown[96_000 + 4800]), after = try #require(shown[96_000 + 14_400])
    #expect(abs(after / before / exp(-1) - 1) < 0.05, "\(before), \(after)")
  }
}

@Suite("Look-ahead and true peaks") struct LookAheadTests {
  @Test("a look-ahead is off at first, is the latency, and removes the overshoot")
  func lookAhead() throws {
    let values: [UInt32: Float] = [0: -30, 1: 0.1, 4: 0.002]
    var step = [Float](repeating: 0.001, count: 24_000)
    for index in 12_000..<24_000 { step[index] = 0.5 }
    func overshoot(_ seconds: Double) throws -> Double {
      let rig = try UnitRig("dcmp", values, channels: 1)
      #expect(try rig.unit.property(kAuricleProperty_LookAhead, as: Double.self) == 0)
      try rig.unit.setProperty(kAuricleProperty_LookAhead, seconds)
      #expect(abs(rig.unit.latency - seconds) < 1e-4)
      let output = try rig.renderMono(step)
      return decibels(peak(output)) - decibels(peak(output.suffix(1000)))
    }
    #expect(try overshoot(0) > 7)
    #expect(try overshoot(0.015) < 0.1)
    let unit = try Shipped.open("dcmp")
    #expect(throws: AuricleError.self) { try unit.setProperty(kAuricleProperty_LookAhead, 1.0) }
  }

  @Test("with a look-ahead, uncompressed sound is delayed and else the same")
  func transparent() throws {
    let rig = try UnitRig("dcmp", channels: 1)
    try rig.unit.setProperty(kAuricleProperty_LookAhead, 0.01)
    let input = TestSignal.noise(seed: 82, amplitude: 0.09, frameCount: 10_000)
    let output = try rig.renderMono(input, slices: [100, 33, 1000])
    #expect(Array(output.dropFirst(480)) == Array(input.dropLast(480)))
  }

  /// The highest magnitude at eight places a sample, by a sinc of 64 samples to each side.
  private func truePeak(_ samples: [Float]) -> Double {
    var highest = 0.0
    for frame in 64..<(samples.count - 65) {
      guard abs(samples[frame]) > 0.5 || abs(samples[frame + 1]) > 0.5 else { continue }
      for place in 0..<8 {
        let part = Double(place) / 8
        var sum = 0.0
        for tap in -63...64 {
          let distance = Double(tap) - part
          let window = 0.5 + 0.5 * cos(.pi * distance / 65)
          let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
          sum += Double(samples[frame + tap]) * sinc * window
        }
        highest = max(highest, abs(sum))
      }
    }
    return highest
  }

  @Test("the limiter keeps true peaks below full scale where it is set to", arguments: 0..<3)
  func truePeaks(_ kind: Int) throws {
    let count = 9600
    let input: [Float] =
      switch kind {
      case 0: TestSignal.noise(seed: 74, amplitude: 4, frameCount: count)
      // A quarter of the rate between the samples: 3 dB above them.
      case 1: (0..<count).map { Float(1.4 * sin(.pi / 2 * Double($0) + .pi / 4)) }
      default:
        (0..<count).map {
          Float(3 * sin(0.9 * .pi * Double($0) + 0.3)) * ($0 / 500 % 2 == 0 ? 1 : 0.1)
        }
      }
    func limited(_ mode: UInt32) throws -> [Float] {
      let rig = try UnitRig("lmtr", [0: 0.005], channels: 1)
      try rig.unit.setProperty(kAuricleProperty_TruePeak, mode)
      return try rig.renderMono(input, slices: [1000, 77])
    }
    #expect(truePeak(try limited(0)) > 1.02)
    let peak = truePeak(try limited(1))
    #expect(peak <= (kind == 0 ? 1.06 : 1) && peak > 0.8, "\(peak)")
  }

  @Test("below full scale true-peak mode changes no bit, and says how late it is")
  func transparentLimiter() throws {
    let rig = try UnitRig("lmtr", channels: 1)
    try rig.unit.setProperty(kAuricleProperty_TruePeak, UInt32(1))
    let latency = Int((rig.unit.latency * 48_000).rounded())
    #expect(latency == 576 + 24)
    let input = TestSignal.noise(seed: 75, amplitude: 0.3, frameCount: 8000)
    let output = try rig.renderMono(input, slices: [100, 1000])
    #expect(Array(output.dropFirst(latency)) == Array(input.dropLast(latency)))
  }
}
