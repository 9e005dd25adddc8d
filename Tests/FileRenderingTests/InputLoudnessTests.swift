// Inputs that are brought to a loudness before the chain: units get the level they are set for.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import FileTestSupport
import ResultSettings
import TestSupport
import Testing

@Suite struct InputLoudnessTests {
  let bench: SignalBench

  init() throws { bench = try SignalBench() }

  /// The chain here changes nothing: the output equals the input.
  @Test(arguments: [0.01, 0.3] as [Float])
  func theChainGetsTheLevelThatWasAskedFor(amplitude: Float) throws {
    let noise = TestSignal.noise(seed: 21, amplitude: amplitude, frameCount: 96_000)
    let (result, output) = try bench.process(Sound([noise, noise])) { $0.inputLoudness = -18 }
    #expect(abs(try #require(output.judged().integrated) + 18) < 0.02)
    let gain = try #require(result.inputGain)
    #expect(abs(try #require(Sound([noise, noise]).judged().integrated) + gain + 18) < 0.02)
    // The reported input levels equal those in its file.
    #expect(abs(try #require(result.before.peakDecibels) - decibels(Double(amplitude))) < 0.1)
  }

  @Test func thePartThatIsProcessedCounts() throws {
    let soft = TestSignal.noise(seed: 22, amplitude: 0.01, frameCount: 96_000)
    let loud = TestSignal.noise(seed: 23, amplitude: 0.5, frameCount: 96_000)
    let (_, output) = try bench.process(Sound([loud + soft])) {
      $0.start = TimePosition(text: "2")
      $0.inputLoudness = -23
    }
    #expect(output.frameCount == 96_000)
    #expect(abs(try #require(output.judged().integrated) + 23) < 0.02)
  }

  @Test func silenceGoesInAsItIs() throws {
    let (result, _) = try bench.process(Sound([TestSignal.silence(frameCount: 48_000)])) {
      $0.inputLoudness = -18
    }
    #expect(result.inputGain == 0)
    #expect(result.notes.contains { $0.hasPrefix("the input is too short or too quiet") })
  }

  @Test func oneChannelCountsAsTwo() throws {
    let noise = TestSignal.noise(seed: 24, amplitude: 0.1, frameCount: 96_000)
    let (_, output) = try bench.process(Sound([noise])) {
      $0.deliverables[0].loudness = -20
      $0.deliverables[0].isDualMono = true
    }
    #expect(abs(try #require(output.judged(isDualMono: true).integrated) + 20) < 0.02)
    #expect(abs(try #require(output.judged().integrated) + 23.01) < 0.02)
  }
}
