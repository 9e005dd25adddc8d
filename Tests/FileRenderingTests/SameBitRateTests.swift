// Results of a lossy input's own encoding have about its bit rate, unless another is asked for.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import FileRendering
import FileTestSupport
import ResultSettings
import TestSupport
import Testing

@Suite struct SameBitRateTests {
  private let bench: SignalBench
  private let noise = TestSignal.noise(seed: 4, amplitude: 0.3, frameCount: 48_000)

  init() throws { bench = try SignalBench() }

  private static let cases: [(AudioContainer, AudioEncoding, Int)] = [
    (.mp3, .mpegLayer3, 64_000), (.mp3, .mpegLayer3, 192_000), (.opus, .opus, 48_000),
    (.opus, .opus, 160_000), (.ogg, .vorbis, 96_000), (.ogg, .vorbis, 240_000),
    (.m4a, .aac, 64_000), (.m4a, .aac, 160_000), (.mka, .aac, 96_000),
  ]

  private func bitRate(_ path: String) throws -> Int {
    try #require(try AudioFileReader(path: path).soundBitRate())
  }

  @Test(arguments: cases)
  func aResultHasTheBitRateOfItsInput(
    container: AudioContainer, encoding: AudioEncoding, rate: Int
  ) throws {
    guard !container.needsCodec || CodecLibrary.path != nil else { return }
    let first = try bench.process(Sound([noise, noise])) {
      $0.deliverables[0].container = container
      $0.deliverables[0].encoding = encoding
      $0.deliverables[0].bitRate = rate
    }
    let asked = try bitRate(first.result.output)
    #expect(abs(Double(asked) / Double(rate) - 1) < 0.2, "\(asked) for \(rate)")
    var settings = JobSettings()
    let path = bench.folder("again.\(container.fileExtension)")
    let again = try FileBench.run(first.result.output, to: [path], settings: settings, units: [])
    #expect(again.outputFormat.encoding == encoding)
    let same = try bitRate(path)
    #expect(abs(Double(same) / Double(asked) - 1) < 0.15, "\(same) after \(asked)")
    // The encoder's own choice does not hang on the input.
    let other = bench.folder("other.\(container.fileExtension)")
    settings.deliverables[0].keepsBitRate = false
    let chosen = try FileBench.run(first.result.output, to: [other], settings: settings, units: [])
    #expect(chosen.outputFormat.bitRate == nil)
  }
}
