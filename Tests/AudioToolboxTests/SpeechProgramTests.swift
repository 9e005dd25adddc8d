// Programs that speak, in C: channels into files, a device, and graphs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct SpeechProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for unit in ["Speech", "GenericOutput", "MatrixReverb", "MultiChannelMixer"] {
      try CProgramTests().assemble(unit, in: folder)
    }
  }

  /// Compiles a program and runs it.
  private func run(
    _ name: String, _ arguments: [String] = [], environment more: [String: String] = [:]
  ) throws {
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder((name as NSString).lastPathComponent)
    try CProgramTests().compile(
      name, to: program, with: "clang",
      [
        "-Wno-multichar", "-Wno-four-char-constants", "-D_GNU_SOURCE", "-lpthread",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ])
    let environment = CProgramTests().environment(folder).merging(more) { $1 }
    let result = try runProcess(program, arguments, environment: environment)
    #expect(result.exitCode == 0, "\(name): \(result.summary)")
  }

  /// Reads the samples that a device played, one channel, 48 kHz.
  private func played(_ name: String) throws -> [Float] {
    let raw = folder(name + ".raw")
    let read = try runProcess(
      "sox",
      [
        folder(name), "-t", "raw", "-e", "floating-point", "-b", "32", "-L", raw, "remix", "1",
      ])
    try #require(read.exitCode == 0, "\(read.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  @Test("A channel reports its words, phonemes and ends, and accepts commands and words' phonemes")
  func channels() throws {
    try folder.makeFolder("said")
    try run("Speech/Channels", [folder("said")])
  }

  @Test("A speech unit in a graph speaks, holds and goes on exact to the frame")
  func graph() throws { try run("Speech/SpeechGraph") }

  @Test("The programs of the book that speak play into the default output")
  func book() throws {
    func device(_ name: String) -> [String: String] {
      ["AURICLE_DEVICE": "file:\(folder(name)),clock=real,rate=44100"]
    }
    try run("Book/SpeechReverb", ["Hello there."], environment: device("reverb.wav"))
    let echoed = try played("reverb.wav")
    #expect(echoed.contains { abs($0) > 0.02 })
    try run("Book/SpeechMix", environment: device("mix.wav"))
    let mixed = try played("mix.wav")
    // The tone alone is 0.05; the voice is louder.
    #expect(mixed.contains { abs($0) > 0.08 })
  }
}
