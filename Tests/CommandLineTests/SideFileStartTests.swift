// Parts of files in chains with a file of their own, and results that nobody can have meant.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import TestSupport
import Testing

@Suite struct SideFileStartTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func process(_ arguments: [String]) throws -> ProcessResult {
    try runAuricle(["process"] + arguments, environment: box.environment, in: box.folder.path)
  }

  /// A part of a file sounds as it does in the whole: the voice speaks where it spoke.
  @Test(
    arguments: ["0.1", "0.35", "1.45", "-0.65"], ["false", "true"])
  func theFileOfASideChainBeginsWithTheInput(start: String, loops: String) throws {
    try box.folder.write(
      """
      auricle: 1
      name: P
      units:
        - unit: aufx:dcmp:appl
          sidechain: {file: voice.wav, loop: \(loops)}
          parameters: {threshold: -35 dB, headroom: 8 dB, attack time: 1 ms, release time: 10 ms}
      """, to: "p.yaml")
    // With another rate, so that it is converted; a third of a second of it is loud.
    let voice = (0..<25_000).map { frame -> Float in
      frame < 10_000 || frame >= 18_000 ? 0 : frame % 4 < 2 ? 0.9 : -0.9
    }
    try Sound([voice], sampleRate: 32_000).write(to: box("voice.wav"), encoding: .float32)
    try Sound([[Float](repeating: 0.3, count: 96_000)])
      .write(to: box("a.wav"), encoding: .float32)
    let options = ["--preset", "p.yaml", "--tail", "none"]
    #expect(try process(options + ["--output-file", "whole.wav", "a.wav"]).exitCode == 0)
    let result = try process(
      options + ["--start=\(start)", "--output-file", "part.wav", "a.wav"])
    #expect(result.exitCode == 0, "\(result.summary)")
    let whole = try Sound(path: box("whole.wav")).channels[0]
    let part = try Sound(path: box("part.wav")).channels[0]
    #expect(whole.contains { $0 < 0.1 })
    // The unit needs some time to know how loud it is.
    let known = Array(part.dropFirst(4_800))
    let wanted = Array(whole.suffix(known.count))
    let difference = zip(known, wanted).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 1e-3, "\(difference)")
  }

  /// A chain that leaves nothing over, as of an instrument that nobody plays.
  @Test func aResultWithoutSoundIsReported() throws {
    try box.folder.write(
      """
      auricle: 1
      name: P
      units:
        - parallel: [{gain: -120 dB}]
      """, to: "p.yaml")
    let noise = TestSignal.noise(seed: 4, amplitude: 0.1, frameCount: 4_800)
    try Sound([noise]).write(to: box("a.wav"), encoding: .float32)
    try Sound([noise.map { $0 * 0 }]).write(to: box("b.wav"), encoding: .float32)
    let loud = try process(["--preset", "p.yaml", "-o", "out", "a.wav"])
    #expect(loud.exitCode == 0, "\(loud.summary)")
    #expect("\(loud.summary)".contains("the result is silent, though"), "\(loud.summary)")
    let silent = try process(["--preset", "p.yaml", "-o", "silent", "b.wav"])
    #expect(!"\(silent.summary)".contains("the result is silent"), "\(silent.summary)")
  }
}
