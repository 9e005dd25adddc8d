// Encoders that change the level: results are as loud as asked when they are decoded, or say that they are not.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
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
    try AudioMeasurement.measure(path: result.output).integratedLoudness
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
    // What is done once more leaves nothing beside the result.
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder("out")) == ["in.mp3"])
  }

  /// What an encoder is given stays below the ceiling, however much it takes away.
  @Test func theCeilingHoldsForWhatIsEncoded() throws {
    let (result, _) = try bench.process(Sound([noise(0.4)], sampleRate: 44_100)) {
      $0.deliverables[0].loudness = -13
      $0.deliverables[0].truePeak = -1
      $0.deliverables[0].container = .mp3
      $0.deliverables[0].bitRate = 160_000
    }
    let loudness = try #require(try measure(result))
    #expect(abs(loudness + 13) <= 0.1 || result.notes.contains { $0.contains("instead of -13.0") })
    #expect(try #require(result.loudnessAfter?.truePeak) < -0.98)
  }

  @Test func soundThatTheEncoderDropsIsTold() throws {
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
    let told = try #require(result.loudnessAfter?.integrated)
    #expect(abs(told - loudness) < 0.01)
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
