// Samples far beyond full scale, as broken programs write them: levels come out as asked all the same.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileRendering
import FileTestSupport
import Foundation
import ResultSettings
import TestSupport
import Testing

@Suite struct HugeLevelTests {
  let bench: SignalBench

  init() throws { bench = try SignalBench() }

  private func sine(_ amplitude: Float, frames: Int) -> [Float] {
    (0..<frames).map { amplitude * Float(sin(0.05 * Double($0))) }
  }

  /// The limiter turns a spike down, as it was, and nothing else a while before and after it.
  @Test(arguments: [1e8, 1e14, 1e16, -1e18, 1e25, 3e38] as [Float])
  func aSpikeIsTurnedDownAlone(spike: Float) throws {
    var samples = sine(0.1, frames: 192_000)
    samples[96_000] = spike
    let (result, output) = try bench.process(Sound([samples])) {
      $0.deliverables[0].truePeak = -1
    }
    let found = output.channels[0]
    #expect(abs(Double(found[96_000]) - (spike < 0 ? -0.891 : 0.891)) < 0.01, "\(found[96_000])")
    let highest = found.map { abs($0) }.max() ?? 0
    #expect(highest < 0.8925, "\(highest)")
    #expect(try #require(result.loudnessAfter?.truePeak) < -0.98)
    #expect(found[..<95_000] == samples[..<95_000])
    #expect(found[176_000...] == samples[176_000...])
    #expect((found[160_000] > 0.05) == (samples[160_000] > 0.05))
  }

  /// A signal that is loud throughout comes out unchanged, only softer.
  @Test(arguments: [1e6, 1e15, 1e19, 1e25, 3e38] as [Float])
  func loudFilesComeToTheirLevel(amplitude: Float) throws {
    let samples = sine(amplitude, frames: 96_000)
    func likeness(_ found: [Float]) -> Double {
      var (product, before, after) = (0.0, 0.0, 0.0)
      for (old, new) in zip(samples.map { Double($0) / Double(amplitude) }, found) {
        product += old * Double(new)
        before += old * old
        after += Double(new) * Double(new)
      }
      return product / max((before * after).squareRoot(), .leastNonzeroMagnitude)
    }
    let (loud, louder) = try bench.process(Sound([samples])) {
      $0.deliverables[0].loudness = -16
    }
    #expect(abs(try #require(loud.loudnessAfter?.integrated) + 16) < 0.1)
    #expect(likeness(louder.channels[0]) > 0.9999)
    let (held, limited) = try bench.process(Sound([samples])) {
      $0.deliverables[0].truePeak = -1
    }
    let peak = try #require(held.loudnessAfter?.truePeak)
    #expect(peak < -0.98 && peak > -1.2, "\(peak)")
    #expect(likeness(limited.channels[0]) > 0.9999)
  }
}
