// Inputs, side files and results that change between a run and the next: noticed, reported, never passed over.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ChangedInputTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in")
    for index in 0..<4 { try write("in/f\(index).wav", seed: UInt64(index + 1)) }
  }

  private func write(_ name: String, seed: UInt64, frames: Int = 4000) throws {
    let noise = TestSignal.noise(seed: seed, amplitude: 0.25, frameCount: frames)
    try Sound([noise]).write(to: box(name), encoding: .pcm16)
  }

  private func process(_ arguments: String...) throws -> ProcessResult {
    try runAuricle(
      ["process"] + arguments, environment: box.environment, in: box.folder.path)
  }

  /// A run that planned all files and did one of them.
  private func beginAndStop() throws {
    let result = try process("--unit", "aufx:hpas:appl", "--output", "out", "--jobs", "1", "in")
    try #require(result.exitCode == 0, "\(result.summary)")
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    let path = box("out/.auricle/\(run)/ledger-1.jsonl")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let kept = lines.filter { $0.contains("\"index\":0") || !$0.contains("\"index\":") }
    try (kept.filter { !$0.contains("\"t\":\"end\"") }.joined(separator: "\n") + "\n")
      .write(toFile: path, atomically: false, encoding: .utf8)
    for index in 1..<4 { try FileManager.default.removeItem(atPath: box("out/f\(index).wav")) }
  }

  @Test func aPendingInputThatChangedIsDoneAsItIs() throws {
    try beginAndStop()
    try write("in/f2.wav", seed: 99, frames: 6000)
    let result = try process("--resume", "out")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("in/f2.wav was changed after the run had been planned"))
    #expect(try Sound(path: box("out/f2.wav")).frameCount >= 6000)
    // Accounted for as it was read: the next check finds nothing changed.
    let again = try process("--resume", "out")
    #expect(again.exitCode == 0, "\(again.summary)")
  }

  @Test func aFinishedInputThatChangedIsReported() throws {
    try beginAndStop()
    let before = try Data(contentsOf: URL(fileURLWithPath: box("out/f0.wav")))
    try write("in/f0.wav", seed: 99)
    let result = try process("--resume", "out")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(
      result.standardError.contains("1 input was changed after the file had been accounted for"))
    #expect(result.standardError.contains("in/f0.wav"), "\(result.summary)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("out/f0.wav"))) == before)
    #expect(box.names("out").count == 4)
    // As the sentence says.
    let anew = try process(
      "--unit", "aufx:hpas:appl", "--output", "out", "--new-run", "--on-exists", "overwrite", "in")
    #expect(anew.exitCode == 0, "\(anew.summary)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("out/f0.wav"))) != before)
  }

  @Test func aSideFileThatChangedStopsTheRun() throws {
    try write("side.wav", seed: 7)
    try box.folder.write(
      """
      auricle: 1
      name: Ducked
      units:
        - unit: http://plugin.org.uk/swh-plugins/sc3
          sidechain: {file: side.wav, loop: true}
      """, to: "side.yaml")
    let result = try process("--preset", "./side.yaml", "--output", "out", "--jobs", "1", "in")
    try #require(result.exitCode == 0, "\(result.summary)")
    let status = try #require(
      try box.run("status", "out", "--format", "json").json as? [String: Any])
    let files = status["sideFiles"] as? [[String: Any]] ?? []
    #expect(files.count == 1 && (files[0]["path"] as? String)?.hasSuffix("side.wav") == true)
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    try FileManager.default.removeItem(atPath: box("out/.auricle/\(run)/ledger-1.jsonl"))
    for name in box.names("out") { try FileManager.default.removeItem(atPath: box("out/" + name)) }
    try write("side.wav", seed: 8)
    let changed = try process("--resume", "out")
    #expect(changed.exitCode == 65, "\(changed.summary)")
    #expect(changed.standardError.contains("another content of the file"), "\(changed.summary)")
    #expect(changed.standardError.contains("--new-run --on-exists skip"), "\(changed.summary)")
    #expect(box.names("out").isEmpty)
  }

  @Test func whatIsMissingOfSeveralResultsIsMade() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Two
      units:
        - unit: aufx:hpas:appl
      render:
        - {name: wav, container: wav, encoding: pcm16}
        - {name: flac, container: flac, encoding: pcm16}
      """, to: "two.yaml")
    let first = try process("--preset", "./two.yaml", "--output", "out", "in")
    try #require(first.exitCode == 0, "\(first.summary)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: box("out/f1-flac.flac")))
    try FileManager.default.removeItem(atPath: box("out/f1-flac.flac"))
    try box.folder.write("mine", to: "out/f1-wav.wav")
    try FileManager.default.removeItem(atPath: box("out/f2-wav.wav"))
    let result = try process(
      "--preset", "./two.yaml", "--output", "out", "--new-run", "--on-exists", "skip", "--format",
      "json", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("out/f1-flac.flac"))) == whole)
    #expect(try String(contentsOfFile: box("out/f1-wav.wav"), encoding: .utf8) == "mine")
    let statuses = try result.fileLines.map { $0["status"] as? String ?? "" }
    #expect(statuses == ["skipped", "done", "done", "skipped"])
    #expect(try result.fileLines[1]["kept"] as? [String] == ["out/f1-wav.wav"])
    let verify = try box.run("verify", "out")
    #expect(verify.exitCode == 0, "\(verify.summary)")
    #expect(box.names("out").count == 8)
  }

  @Test func verifyReportsWhatToDo() throws {
    try beginAndStop()
    try box.folder.write("no sound", to: "out/f0.wav")
    let result = try box.run("verify", "out")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.standardError.contains("--new-run --on-exists skip"), "\(result.summary)")
  }
}
