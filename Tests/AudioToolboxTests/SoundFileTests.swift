// The functions of AudioFile.h and ExtendedAudioFile.h, from programs in C.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct SoundFileTests {
  @Test("A program in C makes, reads and asks sound files", arguments: ["gcc", "clang", "g++"])
  func program(compiler: String) throws {
    let folder = try run("SoundFiles", compiler)
    let decoded = try runProcess(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name,duration_ts", "-of", "csv=p=0",
        folder("files/square.aif"),
      ])
    #expect(decoded.standardOutput == "pcm_s16be,44100\n")
  }

  @Test(
    "A program in C reads a sound file in pieces", arguments: ["gcc", "clang", "g++"])
  func fileStreams(compiler: String) throws { _ = try run("FileStream", compiler) }

  @Test(
    "A program in C reads and writes sound files in its client format, and from a render thread",
    arguments: ["gcc", "clang", "g++"])
  func extendedFiles(compiler: String) throws {
    let folder = try run("ExtendedFiles", compiler)
    let decoded = try runProcess("sox", ["--info", "-b", folder("files/async.wav")])
    #expect(decoded.standardOutput == "24\n")
  }

  @Test(
    "A program in C reads a kind of file without packets as decoded frames, forward and back",
    arguments: ["gcc", "clang", "g++"])
  func decodedFiles(compiler: String) throws { _ = try run("DecodedFiles", compiler) }

  /// Compiles a program and lets it work in a folder `files`.
  private func run(_ name: String, _ compiler: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder("program")
    let source = Places.inPackage("Tests/AudioToolboxTests/Programs/\(name).c")
    let isC = !compiler.hasSuffix("++")
    let built = try runProcess(
      compiler,
      [
        "-Wall", "-Wextra", "-Werror", "-I", Places.inPackage("SDK/include"), "-x",
        isC ? "c" : "c++", isC ? "-std=c11" : "-std=c++20", source, "-o", program, "-L",
        Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm", "-pthread",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    try folder.makeFolder("files")
    let result = try runProcess(program, [folder("files")])
    #expect(result.standardOutput == "all as expected\n")
    #expect(result.exitCode == 0)
    return folder
  }
}
