// Encoders that change the level: results are as loud as asked when they are decoded, or say that they are not.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileRendering
import FileTestSupport
import Foundation
import ResultSettings
import TestSupport
import Testing

@Suite struct CodedLoudnessTests {
  let bench: SignalBench

  init() throws { bench = try SignalBench() }

  private func noise(_ amplitude: Float) -> [Float] {
    // Low enough for every encoder to keep it.
    var state: Float = 0
    return TestSignal.noise(seed: 11, amplitude: amplitude, frameCount: 176_400).map { value in
      state += 0.1 * (value - state)
      return state
    }
  }

  private func measure(_ result: FileResult) throws -> Double? {
    try Sound(path: result.output).judged().integrated
  }

  @Test(arguments: [96_000, 128_000, 160_000, 192_000, 256_000])
  func mp3IsAsLoudAsAsked(bitRate: Int) throws {
    let (result, output) = try bench.process(Sound([noise(0.4)], sampleRate: 44_100)) {
      $0.deliverables[0].loudness = -20
      $0.deliverables[0].container = .mp3
      $0.deliverables[0].bitRate = bitRate
    }
    let loudness = try #require(try measure(result))
    #expect(abs(loudness + 20) <= 0.1, "\(loudness)")
    #expect(abs(try #require(result.loudnessAfter?.integrated) - loudness) < 0.01)
    #expect(!result.notes.contains { $0.contains("LUFS") }, "\(result.notes)")
    #expect(output.frameCount == 176_400)
    // A repeated encoding leaves nothing beside the result.
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder("out")) == ["in.mp3"])
  }

  /// The decoded peak of a file stays below the ceiling, and equals the reported one.
  @Test(arguments: [AudioContainer.mp3, .ogg, .opus], [64_000, 160_000])
  func theCeilingHoldsForWhatIsDecoded(container: AudioContainer, bitRate: Int) throws {
    // Noise that an encoder of few bits cannot follow.
    let noise = TestSignal.noise(seed: 12, amplitude: 0.5, frameCount: 144_000)
    let (result, output) = try bench.process(Sound([noise, noise.reversed()])) {
      $0.deliverables[0].loudness = -4
      $0.deliverables[0].truePeak = -1
      $0.deliverables[0].container = container
      if container != .ogg { $0.deliverables[0].bitRate = bitRate }
    }
    let judged = output.judged()
    let peak = try #require(judged.truePeak)
    #expect(peak < -0.9, "\(peak): \(result.notes)")
    #expect(abs(try #require(result.loudnessAfter?.truePeak) - peak) < 0.5)
    let loudness = try #require(judged.integrated)
    #expect(
      abs(loudness + 4) <= 0.11 || result.notes.contains { $0.contains("instead of -4.0") },
      "\(loudness): \(result.notes)")
    // MP3 of few bits has nothing high left that could go beyond.
    if container != .mp3 || bitRate > 64_000 {
      #expect(result.notes.contains { $0.hasPrefix("encoded again with peaks") }, "\(result.notes)")
    }
  }

  /// A figure that is only measured is that of the decoded file, too.
  @Test func measuringAloneDecodes() throws {
    let noise = TestSignal.noise(seed: 13, amplitude: 0.9, frameCount: 96_000)
    let (result, output) = try bench.process(Sound([noise])) {
      $0.measuresLoudness = true
      $0.deliverables[0].container = .mp3
      $0.deliverables[0].bitRate = 64_000
    }
    let judged = output.judged()
    let reported = try #require(result.loudnessAfter)
    #expect(abs(try #require(reported.integrated) - (judged.integrated ?? 0)) < 0.02)
    #expect(abs(try #require(reported.truePeak) - (judged.truePeak ?? 0)) < 0.5)
    #expect(result.loudnessBefore?.truePeak != nil)
  }

  @Test func soundThatTheEncoderDropsIsReported() throws {
    // Nearly all of it lies where so few bits leave nothing.
    let samples = (0..<132_300).map { frame -> Float in
      let time = 2 * .pi * Double(frame) / 44_100
      return Float(0.3 * sin(15_000 * time) + 0.003 * sin(500 * time))
    }
    let (result, _) = try bench.process(Sound([samples], sampleRate: 44_100)) {
      $0.deliverables[0].loudness = -20
      $0.deliverables[0].container = .mp3
      $0.deliverables[0].bitRate = 32_000
    }
    let loudness = try #require(try measure(result))
    #expect(loudness < -25)
    let reported = try #require(result.loudnessAfter?.integrated)
    #expect(abs(reported - loudness) < 0.01)
    let note = "loudness \(String(format: "%.1f", loudness)) instead of -20.0 LUFS"
    #expect(result.notes.contains { $0.hasPrefix(note) }, "\(loudness): \(result.notes)")
  }

  @Test(arguments: [AudioContainer.opus, .ogg])
  func otherEncodersAreHeldToo(container: AudioContainer) throws {
    let (result, _) = try bench.process(Sound([noise(0.4), noise(0.1)], sampleRate: 48_000)) {
      $0.deliverables[0].loudness = -23
      $0.deliverables[0].container = container
    }
    let loudness = try #require(try measure(result))
    #expect(abs(loudness + 23) <= 0.1, "\(loudness)")
    #expect(abs(try #require(result.loudnessAfter?.integrated) - loudness) < 0.01)
  }
}
