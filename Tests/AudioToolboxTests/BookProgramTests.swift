// Programs as books about Core Audio show them: written anew, compiled as they are, run on files.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct BookProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Compiles a program, runs it, and returns its output.
  @discardableResult private func run(
    _ name: String, _ compiler: String, _ arguments: [String], exitCode: Int32 = 0
  ) throws -> String {
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder(name)
    if !FileManager.default.fileExists(atPath: program) {
      let built = try runProcess(
        compiler,
        [
          "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", Places.inPackage("SDK/include"),
          Places.inPackage("Tests/AudioToolboxTests/Programs/Book/\(name).c"), "-o", program, "-L",
          Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm",
          "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
        ])
      try #require(built.exitCode == 0, "\(built.summary)")
    }
    let result = try runProcess(program, arguments)
    #expect(result.exitCode == exitCode, "\(result.summary)")
    return result.standardOutput
  }

  /// The samples of a file as sox decodes it, 16 bits.
  private func samples(_ name: String) throws -> [Int16] {
    let raw = folder(name + ".raw")
    let result = try runProcess(
      "sox", [folder(name), "-t", "raw", "-e", "signed", "-b", "16", "-L", raw])
    try #require(result.exitCode == 0, "\(result.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    return stride(from: 0, to: data.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
    }
  }

  @Test("A tone is written sample by sample, and is that tone", arguments: ["gcc", "clang"])
  func tones(compiler: String) throws {
    for wave in ["square", "saw", "sine"] {
      try run("ToneFile", compiler, [wave, "441", folder("\(wave).aif")])
      let found = try samples("\(wave).aif")
      #expect(found.count == 88_200)
      // A period is a hundred frames.
      for frame in stride(from: 0, to: found.count, by: 37) {
        let place = Double(frame % 100) / 100
        let wanted =
          wave == "square"
          ? (place < 0.5 ? 1.0 : -1) : wave == "saw" ? 2 * place - 1 : sin(2 * .pi * place)
        try #require(
          abs(Double(found[frame]) - wanted * 32_767) <= 1, "\(wave) at \(frame): \(found[frame])")
      }
    }
  }

  @Test("The kinds of linear PCM are those of the tables", arguments: ["gcc", "clang"])
  func streamFormats(compiler: String) throws {
    func list(_ type: String, _ format: String) throws -> [String] {
      try run("StreamFormats", compiler, [type, format]).split(separator: "\n").map(String.init)
    }
    #expect(
      try list("AIFF", "lpcm")
        == (0..<4).map { "\($0): lpcm, flags 14, \(8 * ($0 + 1)) bits" })
    #expect(try list("WAVE", "lpcm").count == 6)
    #expect(try list("caff", "lpcm").count == 11)
    #expect(try list("caff", "aac ") == ["0: aac , flags 0, 0 bits"])
    #expect(
      try run("StreamFormats", compiler, ["MPG3", "aac "], exitCode: 1) == "error: fmt?\n")
  }

  @Test("The texts of a file are read", arguments: ["gcc", "clang"])
  func metadata(compiler: String) throws {
    try run("ToneFile", compiler, ["sine", "441", folder("sine.aif")])
    let made = try runProcess(
      "ffmpeg",
      [
        "-v", "error", "-i", folder("sine.aif"), "-metadata", "title=Tone", "-metadata",
        "track=3/12", folder("tone.m4a"),
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    let reported = Set(
      try run("FileMetadata", compiler, [folder("tone.m4a")]).split(separator: "\n"))
    #expect(
      reported.isSuperset(of: [
        "title = Tone", "track number = 3/12", "approximate duration in seconds = 2",
      ]))
  }

  @Test("Both ways of converting produce the sound of the file", arguments: ["gcc", "clang"])
  func conversion(compiler: String) throws {
    try run("ToneFile", compiler, ["saw", "300", folder("saw.aif")])
    let made = try runProcess("sox", [folder("saw.aif"), "-c", "2", folder("saw.wav")])
    try #require(made.exitCode == 0, "\(made.summary)")
    let wanted = try samples("saw.wav")
    for name in ["ConverterFile", "ExtendedFile"] {
      try run(name, compiler, [folder("saw.wav"), folder("\(name).aif")])
      #expect(try samples("\(name).aif") == wanted)
    }
  }
}
