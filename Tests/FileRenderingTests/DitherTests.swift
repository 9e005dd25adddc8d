// Dither: the error is noise of a known size and shape, and nothing where no bit is lost.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import ResultSettings
import TestSupport
import Testing

@Suite struct DitherTests {
  let bench: SignalBench

  init() throws { bench = try SignalBench() }

  private let step = 1 / 32_768.0

  /// A sine in steps of 16 bits.
  private func sine(decibels: Double, frequency: Double, count: Int) -> [Float] {
    let amplitude = pow(10, decibels / 20)
    return (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / 48_000)) }
  }

  private func dithered(_ samples: [Float], _ kind: DitherKind) throws -> [Float] {
    let (_, output) = try bench.process(Sound([samples])) {
      $0.deliverables[0].encoding = .pcm16
      $0.deliverables[0].dither = kind
    }
    return output.channels[0]
  }

  /// The power of a signal at a frequency, in dB of full scale (a full-scale sine is 0).
  private func level(_ samples: [Double], _ frequency: Double) -> Double {
    var real = 0.0
    var imaginary = 0.0
    // Two phasors that turn: one of the frequency, one of the window.
    let turn = 2 * Double.pi * frequency / 48_000
    let windowTurn = 2 * Double.pi / Double(samples.count)
    var (x, y, u, v) = (1.0, 0.0, 1.0, 0.0)
    let (c, s, d, t) = (cos(turn), sin(turn), cos(windowTurn), sin(windowTurn))
    for value in samples {
      let part = value * (0.5 - 0.5 * u)
      real += part * x
      imaginary += part * y
      (x, y) = (x * c - y * s, x * s + y * c)
      (u, v) = (u * d - v * t, u * t + v * d)
    }
    let amplitude = 4 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    return 20 * log10(max(amplitude, 1e-12))
  }

  @Test func theErrorIsTriangularNoise() throws {
    let samples = TestSignal.noise(seed: 1, amplitude: 0.2, frameCount: 200_000)
    let output = try dithered(samples, .triangular)
    let errors = zip(output, samples).map { (Double($0) - Double($1)) / step }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
    #expect(abs(mean) < 0.005)
    // A sixth of the noise and a twelfth of the rounding.
    #expect(abs(variance - 0.25) < 0.005, "\(variance)")
    #expect(errors.map { abs($0) }.max() ?? 9 <= 1.5 + 1e-6)
    // No two neighbours know of each other.
    let neighbours = zip(errors, errors.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(abs(neighbours / Double(errors.count)) < 0.005)
    // The size of the error does not depend on the sound.
    let small = zip(errors, samples).filter { abs($0.1) < 0.05 }.map { $0.0 * $0.0 }
    #expect(abs(small.reduce(0, +) / Double(small.count) - 0.25) < 0.01)
  }

  @Test(arguments: [DitherKind.triangular, .shaped])
  func aSoftSineHasNoHarmonics(kind: DitherKind) throws {
    let samples = sine(decibels: -90, frequency: 1000, count: 96_000)
    let plain = try dithered(samples, .none).map(Double.init)
    let output = try dithered(samples, kind).map(Double.init)
    #expect(abs(level(output, 1000) + 90) < 0.3)
    for harmonic in [3.0, 5, 7] {
      let found = level(output, harmonic * 1000)
      #expect(found < -118, "\(kind) \(harmonic): \(found)")
    }
    // Without dither they are there.
    #expect(level(plain, 3000) > -114)
  }

  @Test func shapedNoiseIsSofterWhereTheEarIsKeen() throws {
    let silence = sine(decibels: -70, frequency: 100, count: 48_000)
    func noise(_ kind: DitherKind) throws -> (mid: Double, high: Double) {
      let errors = zip(try dithered(silence, kind), silence).map { Double($0) - Double($1) }
      func mean(_ range: StrideTo<Double>) -> Double {
        let levels = range.map { pow(10, level(errors, $0) / 10) }
        return 10 * log10(levels.reduce(0, +) / Double(levels.count))
      }
      return (
        mean(stride(from: 2000, to: 5000, by: 97)), mean(stride(from: 18_000, to: 22_000, by: 97))
      )
    }
    let plain = try noise(.triangular)
    let shaped = try noise(.shaped)
    #expect(shaped.mid < plain.mid - 10, "\(shaped) \(plain)")
    #expect(shaped.high > plain.high)
  }

  @Test func whereNoBitIsLostNothingIsAdded() throws {
    let samples = (0..<10_000).map { Float(($0 * 7919) % 60_000 - 30_000) / 32_768 }
    #expect(try dithered(samples, .triangular) == samples)
  }

  @Test func theSameFileProducesTheSameNoise() throws {
    let samples = TestSignal.noise(seed: 2, amplitude: 0.2, frameCount: 20_000)
    let first = try dithered(samples, .shaped)
    #expect(try dithered(samples, .shaped) == first)
    let other = try SignalBench().process(Sound([samples])) {
      $0.deliverables[0].encoding = .pcm16
      $0.deliverables[0].dither = .shaped
      $0.framesPerSlice = 777
    }
    #expect(other.sound.channels[0] == first)
    // Two channels of the same sound get different noise.
    let (_, stereo) = try bench.process(Sound([samples, samples])) {
      $0.deliverables[0].encoding = .pcm16
      $0.deliverables[0].dither = .triangular
    }
    #expect(stereo.channels[0] != stereo.channels[1])
  }

  /// The noise of a channel is not that of another one a little later, which would colour their sum.
  @Test func channelsHaveNoiseOfTheirOwn() throws {
    let samples = TestSignal.noise(seed: 3, amplitude: 0.2, frameCount: 40_000)
    let (_, output) = try bench.process(Sound([samples, samples, samples])) {
      $0.deliverables[0].encoding = .pcm16
      $0.deliverables[0].dither = .triangular
    }
    let errors = output.channels.map { zip($0, samples).map { (Double($0) - Double($1)) / step } }
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
      for lag in -50...50 {
        let sum = (100..<39_900).reduce(0.0) { $0 + errors[one][$1] * errors[other][$1 + lag] }
        // A quarter is the power of each.
        let correlation = sum / 39_800 / 0.25
        #expect(abs(correlation) < 0.03, "\(one) and \(other), \(lag) frames apart")
      }
    }
  }
}
