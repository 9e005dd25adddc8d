// Units that misbehave in every phase: the run ends, and only their files fail.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct HostileUnitTests {
  let box: Sandbox
  let units: TemporaryFolder

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-hostile")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    try box.makeSounds("a", "c", "d")
  }

  private func run(_ hostile: String, _ more: String...) throws -> ProcessResult {
    try runAuricle(
      ["process", "--unit", "aufx:gain:AuTe", "--format", "json", "--output", "out"] + more
        + ["a.wav", "b.wav", "c.wav", "d.wav"],
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": hostile,
        "AURICLE_TEST_HOSTILE_FILE": box("written"),
      ]) { $1 }, in: box.folder.path)
  }

  private func record(_ result: ProcessResult, _ name: String) throws -> [String: Any] {
    let lines = try result.fileLines.filter {
      ($0["input"] as? [String: Any])?["path"] as? String == name
    }
    try #require(lines.count == 1, "\(name) is told \(lines.count) times: \(result.summary)")
    return lines[0]
  }

  @Test(
    "a deed while rendering costs the file it is done to",
    arguments: [
      ("segv", "SIGSEGV"), ("abort", "SIGABRT"), ("exit", "exit 0"), ("overflow", "SIGSEGV"),
      ("smash", "SIGABRT"), ("memory", "SIGABRT"), ("loop", "hang"), ("deadlock", "hang"),
      ("sleep", "hang"), ("stop", "hang"), ("quit", "exit 0"), ("thread", "SIGSEGV"),
      ("twice", "SIGABRT"), ("ill", "SIGILL"), ("nan", nil), ("inf", nil),
    ])
  func whileRendering(deed: String, signal: String?) throws {
    let result = try run("render \(deed)", "--stall-limit", "10", "--memory-limit", "1G")
    #expect(result.exitCode == 1, "\(result.summary)")
    let bad = try record(result, "b.wav")
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == "Auricle Tests: HostileUnit (aufx:gain:AuTe)", "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect(bad["signal"] as? String == signal, "\(bad)")
    #expect(bad["attempts"] as? Int == 2, "\(bad)")
    for name in ["a.wav", "c.wav", "d.wav"] {
      #expect(try record(result, name)["status"] as? String == "done")
    }
    #expect(box.names("out") == ["a.wav", "c.wav", "d.wav"])
  }

  @Test(
    "a unit that crashes before any sound ends the run, and no file is to blame",
    arguments: [
      ("load", "loaded"), ("instantiate", "instantiated"), ("open", "instantiated"),
      ("initialize", "initialised"),
    ])
  func beforeRendering(moment: String, phase: String) throws {
    let result = try run("\(moment) segv")
    #expect(result.exitCode == 4, "\(result.summary)")
    #expect(try result.fileLines.isEmpty, "\(result.summary)")
    for part in [
      "Auricle Tests: HostileUnit (aufx:gain:AuTe) crashed with SIGSEGV", "was \(phase)",
      "no file is to blame", " in the function ", " of HostileUnit ",
    ] { #expect(result.standardError.contains(part), "\(result.summary)") }
    #expect(box.names("out").isEmpty)
    // All of it is done when the unit is better.
    let resumed = try box.run(
      "process", "--resume", "out",
      environment: ["AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": nil])
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    #expect(box.names("out") == ["a.wav", "b.wav", "c.wav", "d.wav"])
  }

  @Test(
    "a unit that ends its process by a signal has the function that did so, and not that of the C library",
    arguments: ["abort", "smash", "twice"])
  func function(deed: String) throws {
    let result = try run("initialize \(deed)", "--jobs", "1")
    #expect(result.exitCode == 4, "\(result.summary)")
    for part in ["crashed with SIGABRT in the function ", " of HostileUnit while"] {
      #expect(result.standardError.contains(part), "\(result.summary)")
    }
  }

  @Test func aUnitThatHangsBeforeAnySoundEndsTheRun() throws {
    let result = try run("initialize sleep", "--stall-limit", "1", "--jobs", "1")
    #expect(result.exitCode == 4, "\(result.summary)")
    #expect(result.standardError.contains("no file is to blame"), "\(result.summary)")
    #expect(try result.fileLines.isEmpty, "\(result.summary)")
  }

  @Test func aUnitThatKeepsFailingStopsTheRun() throws {
    let result = try run("render abort", "--max-failures", "1", "--jobs", "1")
    #expect(result.exitCode == 4, "\(result.summary)")
    #expect(result.standardError.contains("too many files in a row"), "\(result.summary)")
    // Files not begun are done when the unit is better.
    let resumed = try box.run(
      "process", "--resume", "out",
      environment: ["AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": nil])
    #expect(resumed.exitCode == 1, "\(resumed.summary)")
    #expect(box.names("out") == ["a.wav", "c.wav", "d.wav"])
  }

  @Test func whatPilesUpEndsAWorkerAndNoFile() throws {
    try box.folder.makeFolder("many")
    for index in 0..<20 {
      try FileManager.default.copyItem(atPath: box("a.wav"), toPath: box("many/f\(index).wav"))
    }
    // Twenty times 160 MiB do not fit; a few do.
    let result = try run("open hoard", "--jobs", "1", "--memory-limit", "1500M", "many")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out").count == 24)
    #expect(try result.jsonLines.allSatisfy { $0["event"] as? String != "retried" })
  }

  @Test func aCrashInResetCostsNoFile() throws {
    let result = try run("reset segv", "--jobs", "1")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["a.wav", "b.wav", "c.wav", "d.wav"])
  }

  @Test(
    "deeds that the sandbox forbids, and restored ones, change nothing",
    arguments: [
      "fork", "bomb", "exec", "chdir", "locale", "environment", "signals", "mask", "flood", "read",
      "spy", "shared", "leak", "threads", "kill", "ptrace", "prctl", "socket", "limits", "write",
      "mode", "denormal", "priorities", "filters", "secret",
    ])
  func harmless(deed: String) throws {
    let plain = try run("never", "--jobs", "1")
    try #require(plain.exitCode == 0, "\(plain.summary)")
    let expected = try ["a.wav", "c.wav", "d.wav"].map { try Data(contentsOf: out($0)) }
    try FileManager.default.removeItem(atPath: box("out"))
    let result = try run("render \(deed)", "--jobs", "1")
    #expect(result.exitCode == 0, "\(deed): \(result.summary)")
    let found = try ["a.wav", "c.wav", "d.wav"].map { try Data(contentsOf: out($0)) }
    #expect(found == expected, "\(deed) is heard in another file")
    #expect(!FileManager.default.fileExists(atPath: box("written")))
    #expect(result.standardError.utf8.count < 10_000)
  }

  @Test(
    "a unit that writes to its worker's connection, or sends it signals, is named and costs its own file"
  )
  func disturbance() throws {
    for (deed, signal) in [("garble", "an answer that makes no sense"), ("timer", "SIGALRM")] {
      let result = try run("render \(deed)", "--jobs", "1", "--on-exists", "overwrite", "--new-run")
      #expect(result.exitCode == 1, "\(result.summary)")
      let bad = try record(result, "b.wav")
      #expect(bad["status"] as? String == "quarantined", "\(bad)")
      #expect(bad["unit"] as? String == "Auricle Tests: HostileUnit (aufx:gain:AuTe)", "\(bad)")
      #expect(bad["signal"] as? String == signal, "\(bad)")
      #expect(bad["attempts"] as? Int == 2, "\(bad)")
      #expect(box.names("out") == ["a.wav", "c.wav", "d.wav"])
    }
  }

  @Test("an input that is cut while it is read is done again when it is whole")
  func inputCutMeanwhile() throws {
    var noise = TestSignal.noise(seed: 2, amplitude: 0.25, frameCount: 1_000_000)
    noise[1234] = 0.95
    let sound = Sound([noise])
    try sound.write(to: box("b.wav"))
    let result = try runAuricle(
      [
        "process", "--unit", "aufx:gain:AuTe", "--format", "json", "--sandbox", "off", "--output",
        "out", "b.wav",
      ],
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": "render write",
        "AURICLE_TEST_HOSTILE_FILE": box("b.wav"),
      ]) { $1 }, in: box.folder.path)
    let bad = try record(result, "b.wav")
    #expect((bad["error"] as? String)?.contains("changed while it was read") == true, "\(bad)")
    try sound.write(to: box("b.wav"))
    let resumed = try box.run(
      "process", "--resume", "out",
      environment: ["AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": nil])
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    #expect(box.names("out") == ["b.wav"])
  }

  @Test("a unit that closes the files of its worker is named", arguments: ["closeall", "nullall"])
  func robbery(deed: String) throws {
    let result = try run("render \(deed)", "--jobs", "1")
    #expect(result.exitCode == 1, "\(result.summary)")
    let bad = try record(result, "b.wav")
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == "Auricle Tests: HostileUnit (aufx:gain:AuTe)", "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect(box.names("out") == ["a.wav", "c.wav", "d.wav"])
  }

  private func out(_ name: String) -> URL { URL(fileURLWithPath: box("out/" + name)) }
}
