// Programs that use devices, in C, on files in place of a card.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct DeviceProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Compiles a program, and returns what a run of it printed.
  private func run(
    _ name: String, _ arguments: [String], device: String, compiler: String = "clang"
  ) throws -> [String] {
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder(name)
    let built = try runProcess(
      compiler,
      [
        "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-multichar", "-Wno-four-char-constants", "-D_GNU_SOURCE",
        "-I", Places.inPackage("SDK/include"),
        Places.inPackage("Tests/AudioToolboxTests/Programs/Devices/\(name).c"), "-o", program, "-L",
        Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm", "-lpthread",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    let result = try runProcess(program, arguments, environment: ["AURICLE_DEVICE": device])
    #expect(result.exitCode == 0, "\(result.summary)")
    return result.standardOutput.split(separator: "\n").map(String.init)
  }

  /// The samples of a file of 32-bit float, interleaved.
  private func samples(_ name: String) throws -> [Float] {
    let raw = folder(name + ".raw")
    let result = try runProcess(
      "sox", [folder(name), "-t", "raw", "-e", "floating-point", "-b", "32", "-L", raw])
    try #require(result.exitCode == 0, "\(result.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  @Test("A device tells what it is, and adds up what its procedures play")
  func procedures() throws {
    let said = try run("Procedures", ["48000"], device: "file:\(folder("out.wav")),clock=free")
    #expect(
      said == [
        "uid translated", "rate 48000, 256 frames, 1 stream of 2",
        "unknown 1, gone 1, small 1", "stopped 1", "after the stop 0, jumps 0, time 1",
        "notices 1, no token 1",
      ])
    let found = try samples("out.wav")
    #expect(found.count >= 96_000)
    // The older registration began first; both play the same tone, each from its own start.
    let loudest = found.map(abs).max() ?? 0
    #expect(loudest > 0.3 && loudest < 0.501)
    #expect(found.prefix(48).enumerated().allSatisfy { place, sample in
      abs(sample) <= 0.501 && (place % 2 == 0 || sample == found[place - 1])
    })
  }
}
