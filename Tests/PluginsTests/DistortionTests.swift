// The distortion: its stages against their formulas, its aliases, its latency; the roger beep.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Distortion") struct DistortionTests {
  /// All stages off, the soft clip so low that it is straight.
  private static let off: [UInt32: Float] = [2: 0, 5: 0, 9: 0, 13: 0, 14: -60, 15: 100]
  private static let gain = Float(1000)

  /// Returns the output, as loud as the input, without the latency.
  private func run(_ changes: [UInt32: Float], _ input: [Float], _ rate: Double = 48_000) throws
    -> [Float]
  {
    let rig = try UnitRig(
      "dist", Self.off.merging(changes) { $1 }, channels: 1, sampleRate: rate)
    let latency = Int((rig.unit.latency * rate).rounded())
    let output = try rig.renderMono(input + [Float](repeating: 0, count: latency))
    return output.dropFirst(latency).map { $0 * (changes[14] == nil ? Self.gain : 1) }
  }

  @Test(
    "with everything off the sound passes, late by the latency",
    arguments: [
      44_100.0, 48_000, 96_000, 192_000,
    ])
  func straight(_ rate: Double) throws {
    let input = TestSignal.sine(
      frequency: 1000, amplitude: 0.25, sampleRate: rate, frameCount: 8192)
    let output = try run([:], input, rate)
    for frame in 4000..<8000 { #expect(abs(output[frame] - input[frame]) < 0.003) }
    // Without any of it, it is the input bit for bit.
    #expect(try run([14: 0, 15: 0], input, rate) == input)
  }

  @Test("the polynomial and the soft clip follow their formulas")
  func curves() throws {
    let input = TestSignal.sine(frequency: 500, amplitude: 0.5, frameCount: 8192)
    let cubic = try run([6: 0.5, 8: 1, 9: 100], input)
    let clipped = try run([14: 12], input)
    let wantedCubic = withoutSteady(input.map { 0.5 * $0 + $0 * $0 * $0 })
    let wantedClip = withoutSteady(input.map { tanh($0 * Float(pow(10, 0.6))) })
    for frame in 5000..<6000 {
      #expect(abs(cubic[frame] - wantedCubic[frame]) < 0.0005)
      #expect(abs(clipped[frame] - wantedClip[frame]) < 0.0005)
    }
  }

  /// Applies the high-pass of 8 Hz that removes a curve's constant part; it turns 500 Hz by a degree.
  private func withoutSteady(_ curve: [Float]) -> [Float] {
    let follow = 1 - exp(-2 * Double.pi * 8 / 48_000)
    var steady = 0.0
    return curve.map { value in
      steady += (Double(value) - steady) * follow
      return Float(Double(value) - steady)
    }
  }

  @Test("the ring modulation moves a tone by its frequency to both sides")
  func ring() throws {
    let input = TestSignal.sine(frequency: 3000, amplitude: 0.5, frameCount: 16_384)
    let spectrum = powerSpectrum(try run([10: 750, 12: 0, 13: 100], input))
    func level(_ hertz: Double) -> Double {
      let bin = Int((hertz / 48_000 * 16_384).rounded())
      return 10 * log10(spectrum[(bin - 2)...(bin + 2)].reduce(0, +))
    }
    #expect(abs(level(2250) - level(3750)) < 0.1)
    #expect(level(3000) < level(2250) - 60)
  }

  @Test("the decimation holds and rounds; the delay repeats ever lower")
  func others() throws {
    let ramp = (0..<4000).map { Float($0) / 8000 }
    let held = try run([3: 50.505050, 5: 100], ramp)
    // Every sample twice: half the steps are nearly none before the filters round them.
    let steps = Set(held[1000..<1100].map { Int(($0 * 8000 / 2).rounded()) })
    #expect(steps.count <= 52)
    let impulse = TestSignal.impulse(at: 100, amplitude: 0.5, frameCount: 24_000)
    let echoes = try run([0: 100, 1: 1, 2: 50], impulse)
    let first = peak(echoes[4890..<4910]), second = peak(echoes[9690..<9710])
    #expect((peakIndex(Array(echoes[4700..<5100])) ?? 0) + 4700 == 4900)
    #expect(abs(second / first - 0.5) < 0.01)
  }

  @Test(
    "aliases of a tone of 5 kHz are below -80 dB",
    arguments: [
      ("soft clip", [14: 20]), ("polynomial", [8: 20, 6: 0, 9: 100, 14: 0]),
      ("ring modulation", [10: 8000, 11: 8000, 13: 100]),
    ] as [(String, [UInt32: Float])])
  func aliases(_ name: String, _ changes: [UInt32: Float]) throws {
    // A whole number of periods, so that a harmonic is one bin and its window's two.
    let size = 32_768
    let bin = 3413
    let hertz = Double(bin) * 48_000 / Double(size)
    let input = TestSignal.sine(frequency: hertz, amplitude: 1, frameCount: size + 8192)
    let spectrum = powerSpectrum(Array(try run(changes, input).dropFirst(4096).prefix(size)))
    let most = spectrum.max() ?? 0
    var wanted = Set<Int>()
    let ring = name == "ring modulation" ? 8000 / 48_000 * Double(size) : 0
    for harmonic in 0..<6 {
      for place in [Double(harmonic * bin) - ring, Double(harmonic * bin) + ring] {
        for near in -40...40 { wanted.insert(Int(abs(place).rounded()) + near) }
      }
    }
    let rest = spectrum.indices.filter { !wanted.contains($0) && $0 > 40 }.map { spectrum[$0] }
    #expect(10 * log10((rest.max() ?? 0) / most) < -80, "\(name)")
  }

  @Test("twenty-two presets in Core Audio's order")
  func presets() throws {
    let unit = try Shipped.open("dist")
    #expect(unit.factoryPresets.count == 22)
    #expect(unit.factoryPresets.first?.name == "Drums Bit Brush")
    #expect(unit.factoryPresets.last?.name == "Speech Waves")
  }

  @Test("a beep follows the speech, and nothing else changes")
  func rogerBeep() throws {
    let values: [UInt32: Float] = [0: -20, 1: 200, 2: -30, 3: 300, 4: 2, 6: -12]
    let rig = try UnitRig("rogr", values, channels: 1)
    var input = TestSignal.sine(frequency: 440, amplitude: 0.5, frameCount: 24_000)
    input += [Float](repeating: 0, count: 72_000)
    let output = try rig.renderMono(input)
    #expect(Array(output.prefix(36_000)) == Array(input.prefix(36_000)))
    let beep = try #require(output[24_100...].firstIndex { abs($0) > 0.01 })
    // 300 ms below the threshold, which the level has fallen to in 30 ms · ln(0.5 / 0.0316).
    let wanted = 24_000 + 0.03 * log(0.5 / 0.03162) * 48_000 + 0.3 * 48_000
    #expect(abs(Double(beep) - wanted) < 300)
    #expect(abs(decibels(peak(output[(beep + 1000)..<(beep + 8000)])) + 12) < 0.1)
    #expect(output[60_000...].allSatisfy { $0 == 0 })
    // Too short to be something that was said.
    let short = TestSignal.sine(frequency: 440, amplitude: 0.5, frameCount: 4800)
    try rig.reset()
    let quiet = try rig.renderMono(short + [Float](repeating: 0, count: 48_000))
    #expect(quiet.dropFirst(4800).allSatisfy { $0 == 0 })
  }
}
