// libauricle.so: a C program lists units, runs a chain and a file, and gets errors with their causes.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct HostLibraryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func build(_ compiler: String) throws -> String {
    let exports = Places.builtProducts + "/Exports"
    let program = folder("hosted-\(compiler)")
    let built = try runProcess(
      compiler,
      [
        "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", Places.inPackage("SDK/include"),
        Places.inPackage("Tests/AudioToolboxTests/Programs/HostedChain.c"), "-o", program, "-L",
        exports, "-lauricle", "-lm", "-Wl,-rpath," + exports,
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    return program
  }

  @Test("a chain in a C program renders the preset", arguments: ["gcc", "clang"])
  func program(compiler: String) throws {
    let input = folder("in.wav")
    let made = try runProcess(
      "sox", ["-n", "-r", "48000", "-c", "2", "-b", "16", input, "synth", "1", "sine", "440"])
    try #require(made.exitCode == 0, "\(made.summary)")
    let result = try runProcess(try build(compiler), [input, folder("out.flac")])
    #expect(result.exitCode == 0, "\(result.summary)")
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    for wanted in [
      "lists: yes", "describes: yes", "presets: yes", "gain: 6.00", "gain: -3.00 of -3.00",
      "latency: 0, tail: told, stages: yes",
    ] { #expect(lines.contains(wanted), "\(wanted): \(result.summary)") }
    for (start, part) in [
      ("no frames: -50: ", "1 to 512 frames"), ("no rows: -50: ", "channel 0"),
      ("no stage: -50: ", "has 1"), ("no parameter: ", "gain"), ("disposed of: -50: ", "no chain"),
      ("no preset: 66: ", "nothing-of-that-name"), ("no unit: ", "aufx:none:None"),
      ("bad rate: -50: ", "8000 to 768000"), ("file: 0:", "file"),
      ("no file: 66: ", "/nowhere/a.wav"),
    ] {
      let line = lines.first { $0.hasPrefix(start) }
      #expect(line?.contains(part) ?? false, "\(start): \(result.summary)")
    }
    #expect(FileManager.default.fileExists(atPath: folder("out.flac")))
  }

  @Test("the library exports the functions of its header, and those that open sound files")
  func exports() throws {
    let header = try String(
      contentsOfFile: Places.inPackage("SDK/include/Auricle/AuricleHost.h"), encoding: .utf8)
    let declared = header.matches(of: /(?m)^extern [A-Za-z0-9_ ]+[ *]([A-Za-z]+)\(/).map {
      String($0.output.1)
    }
    let listed = try runProcess(
      "nm",
      ["-D", "--defined-only", "--extern-only", Places.builtProducts + "/Exports/libauricle.so"])
    let found = listed.standardOutput.split(separator: "\n").compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
    // The functions that libAudioToolbox.so finds by their names.
    let sound = ["Open", "Close", "Read", "Marks", "Texts"].map { "AuricleSound" + $0 }
    #expect(Set(found) == Set(declared + sound) && declared.count == 16, "\(found)")
  }

  @Test("without the program, its place is asked for")
  func noProgram() throws {
    let program = try build("gcc")
    let result = try runProcess(program, [], environment: ["AURICLE_PROGRAM": "/nowhere/auricle"])
    #expect(result.exitCode == 1)
    #expect(result.standardOutput.contains("AURICLE_PROGRAM"), "\(result.summary)")
  }
}
