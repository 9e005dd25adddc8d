// Places that a result cannot or must not use: pipes, devices, names of another kind, folders.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ResultPlaceTests {
  let box: Sandbox
  private let sound: Data

  init() throws {
    box = try Sandbox()
    try box.makeSounds(1)
    sound = try Data(contentsOf: URL(fileURLWithPath: box("in/0.wav")))
  }

  private func process(_ words: String...) throws -> ProcessResult {
    try runAuricle(
      ["process", "--preset", "telephone"] + words, environment: box.environment,
      in: box.folder.path, input: sound)
  }

  /// Input through a pipe is placed as a file with a name is.
  @Test(arguments: ["-", "in/0.wav"]) func pipesAreNotReplaced(input: String) throws {
    try #require(unsafe mkfifo(box("pipe.wav"), 0o600) == 0)
    let result = try process("--overwrite", "--output-file", "pipe.wav", input)
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains("is no regular file"), "\(result.summary)")
    var status = stat()
    #expect(unsafe lstat(box("pipe.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test(arguments: ["-", "in/0.wav"]) func whatIsThereIsDealtWithAsAsked(input: String) throws {
    try box.folder.write("precious", to: "there.wav")
    let refused = try process("--output-file", "there.wav", input)
    #expect(refused.exitCode == 74, "\(refused.summary)")
    #expect(refused.standardError.contains("--on-exists skip or rename"), "\(refused.summary)")
    let skipped = try process("--on-exists", "skip", "--output-file", "there.wav", input)
    #expect(skipped.exitCode == 0, "\(skipped.summary)")
    let renamed = try process("--on-exists", "rename", "--output-file", "there.wav", input)
    #expect(renamed.exitCode == 0, "\(renamed.summary)")
    #expect(try Sound(path: box("there (2).wav")).frameCount >= 2000)
    #expect(try String(contentsOfFile: box("there.wav"), encoding: .utf8) == "precious")
    let replaced = try process("--overwrite", "--output-file", "there.wav", input)
    #expect(replaced.exitCode == 0, "\(replaced.summary)")
    #expect(try Sound(path: box("there.wav")).frameCount >= 2000)
  }

  @Test func inPlaceTheNameReportsTheKind() throws {
    try box.folder.write(sound, to: "in/wave.flac")
    let refused = try process("--in-place", "--backup", "--container", "flac", "in")
    #expect(refused.exitCode == 64, "\(refused.summary)")
    #expect(
      refused.standardError.contains("the result of in/0.wav is to be flac"),
      "\(refused.summary)")
    #expect(box.names("in") == ["0.wav", "wave.flac"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/0.wav"))) == sound)
    // A file that fits its name is done.
    let fits = try process("--in-place", "--backup", "--container", "flac", "in/wave.flac")
    #expect(fits.exitCode == 0, "\(fits.summary)")
    #expect(box.names("in").contains("wave.flac.bak"))
  }

  @Test func inPlaceWhatWasDoneBeforeIsSkipped() throws {
    let first = try process("--in-place", "--backup", "in")
    try #require(first.exitCode == 0, "\(first.summary)")
    let done = try Data(contentsOf: URL(fileURLWithPath: box("in/0.wav")))
    // One is new, and one was cut off when its original had both names.
    try box.folder.write(sound, to: "in/new.wav")
    try box.folder.write(sound, to: "in/off.wav")
    try #require(unsafe link(box("in/off.wav"), box("in/off.wav.bak")) == 0)
    let refused = try process("--in-place", "--backup", "--new-run", "in")
    #expect(refused.exitCode == 64, "\(refused.summary)")
    #expect(refused.standardError.contains("in/0.wav.bak is there"), "\(refused.summary)")
    #expect(!refused.standardError.contains("off.wav"), "\(refused.summary)")
    let result = try process("--in-place", "--backup", "--new-run", "--on-exists", "skip", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("in/0.wav.bak exists: skipped"), "\(result.summary)")
    #expect(result.standardError.contains("2 files done, 1 skipped"), "\(result.summary)")
    for name in ["0.wav", "new.wav", "off.wav"] {
      #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/\(name)"))) == done)
      #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/\(name).bak"))) == sound)
    }
  }

  @Test(arguments: [false, true]) func irreplaceablePathsAreReported(isPipe: Bool) throws {
    try box.folder.makeFolder("out")
    if isPipe {
      try #require(unsafe mkfifo(box("out/0.wav"), 0o600) == 0)
    } else {
      try box.folder.makeFolder("out/0.wav")
    }
    let refused = try process("--output", "out", "in")
    #expect(refused.exitCode == 64, "\(refused.summary)")
    #expect(
      refused.standardError.contains(
        "where the result of in/0.wav is to be: move it away, or give --on-exists rename"),
      "\(refused.summary)")
    let renamed = try process("--output", "out", "--on-exists", "rename", "in")
    #expect(renamed.exitCode == 0, "\(renamed.summary)")
    #expect(box.names("out") == ["0 (2).wav", "0.wav"])
  }

  @Test func soundIsNoList() throws {
    let named = try process("--output", "out", "--from-file", "in/0.wav")
    let piped = try process("--output", "out", "--from-file", "-")
    for result in [named, piped] {
      #expect(result.exitCode == 65, "\(result.summary)")
      #expect(result.standardError.contains("is an audio file"), "\(result.summary)")
      #expect(result.errorLines.count == 1, "\(result.summary)")
    }
    #expect(!FileManager.default.fileExists(atPath: box("out")))
  }

  @Test(arguments: [["m/y", "m2"], ["m2", "m/y"]])
  func aFileAndAFolderOfOneNameAreReportedBefore(inputs: [String]) throws {
    try box.folder.write(sound, to: "m/y")
    try box.folder.write(sound, to: "m2/y/deep/z.wav")
    let result = try runAuricle(
      ["process", "--preset", "telephone", "--output", "out", "--name", "{dir}/{name}"] + inputs,
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(
      result.standardError.contains("written to out/y, which cannot be a file and a folder"),
      "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("out")))
  }
}
