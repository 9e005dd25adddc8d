// Remains of units, folders, processes, memory: none of them outlives the run or stops the next one.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct LeftoverTests {
  let box: Sandbox
  let units: TemporaryFolder

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-leaving")
    try ComponentFixture.makeBundle("LeavingUnit", in: units)
    try box.makeSounds("a", "c", "d", "e")
  }

  private func process(_ leaves: String, _ arguments: String...) throws -> ProcessResult {
    try runAuricle(
      ["process"] + arguments,
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_LEAVES": leaves,
        "AURICLE_TEST_LEAVES_FILE": box("told"),
      ]) { $1 }, in: box.folder.path)
  }

  private static let unit = "--unit=aufx:gain:AuTe"

  /// The folder of the only run in `out`.
  private func run() throws -> String {
    let runs = try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle"))
    try #require(runs.count == 1)
    return box("out/.auricle/\(runs[0])")
  }

  @Test func foldersOfUnitsGoWithTheRun() throws {
    try box.folder.write("mine", to: "told")
    let result = try process("folders", Self.unit, "-o", "out", "a.wav", "c.wav", "d.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let left = try FileManager.default.contentsOfDirectory(atPath: run())
    #expect(!left.contains { $0.hasPrefix("scratch") }, "\(left)")
    #expect(try String(contentsOfFile: box("told"), encoding: .utf8) == "mine")
  }

  @Test func foldersOfUnitsDoNotStopWhoGoesOn() throws {
    let first = try process("", Self.unit, "-o", "out", "a.wav")
    try #require(first.exitCode == 0, "\(first.summary)")
    // As a session leaves them that was killed.
    let scratch = try run() + "/scratch"
    try FileManager.default.createDirectory(
      atPath: scratch + "/1/auricle-lv2-x/y", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: scratch + "/1/auricle-lv2-x/y/z"))
    try box.folder.makeFolder("mine")
    try box.folder.write("mine", to: "mine/file")
    try FileManager.default.createSymbolicLink(
      atPath: scratch + "/link", withDestinationPath: box("mine"))
    let resumed = try process("", "--resume", "out")
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    #expect(!FileManager.default.fileExists(atPath: scratch))
    #expect(FileManager.default.fileExists(atPath: box("mine/file")))
  }

  /// A killed run is left for another: its unfinished work does not stay in a user's folder for ever.
  @Test(arguments: [false, true])
  func whatAKilledRunBeganGoesWithTheNext(isInPlace: Bool) throws {
    try box.folder.makeFolder("in/deep")
    for name in ["in/a.wav", "in/deep/c.wav"] {
      try FileManager.default.copyItem(atPath: box("a.wav"), toPath: box(name))
    }
    let place = isInPlace ? ["--in-place", "--backup"] : ["-o", "out"]
    let folder = isInPlace ? "in" : "out"
    let words = ["process", Self.unit] + place + ["in"]
    let environment = box.environment.merging(["AURICLE_COMPONENT_PATH": units.path]) { $1 }
    func go(_ more: [String]) throws -> ProcessResult {
      try runAuricle(words + more, environment: environment, in: box.folder.path)
    }
    let first = try go([])
    try #require(first.exitCode == 0, "\(first.summary)")
    // As a session leaves them that was killed.
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box(folder + "/.auricle")).first)
    try box.folder.makeFolder("\(folder)/.auricle/\(run)/scratch")
    let parts = [".a.wav.\(run).part", "deep/.c.wav.\(run).part"]
    for part in parts { try box.folder.write("begun", to: "\(folder)/\(part)") }
    try box.folder.write("mine", to: "\(folder)/.a.wav.of-others.part")
    let second = try go(["--new-run", "--on-exists", "skip"])
    #expect(second.exitCode == 0, "\(second.summary)")
    let left = try TemporaryNames.below(box(folder)).filter { $0.hasSuffix(".part") }
    #expect(left == [".a.wav.of-others.part"])
    #expect(!FileManager.default.fileExists(atPath: box("\(folder)/.auricle/\(run)/scratch")))
    #expect(try box.run("verify", folder, "--run", run).exitCode == 0)
  }

  @Test func temporaryFilesPassNothingFromFileToFile() throws {
    for (jobs, output) in [("1", "one"), ("2", "two")] {
      let result = try process(
        "count", Self.unit, "--jobs", jobs, "-o", output, "a.wav", "c.wav", "d.wav", "e.wav")
      #expect(result.exitCode == 0, "\(result.summary)")
    }
    // The four inputs are alike.
    let results = try ["one/a", "one/c", "one/d", "one/e", "two/a", "two/c", "two/d", "two/e"].map {
      try Data(contentsOf: URL(fileURLWithPath: box($0 + ".wav")))
    }
    #expect(Set(results).count == 1)
  }

  @Test("no process of a unit outlives the run", arguments: ["compat", "off"])
  func processesEndWithTheRun(sandbox: String) throws {
    let result = try process(
      "daemon", Self.unit, "--sandbox", sandbox, "-o", "out", "a.wav", "b.wav", "c.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let text = try String(contentsOfFile: box("told"), encoding: .utf8)
    let daemon = try #require(pid_t(text), "\(text)")
    let isLeft = kill(daemon, 0) == 0
    if isLeft { kill(daemon, SIGKILL) }
    #expect(!isLeft, "process \(daemon) goes on")
  }

  @Test func sharedMemoryCountsForTheLimit() throws {
    let result = try process(
      "shared", Self.unit, "--format", "json", "--memory-limit", "256M", "--jobs", "1", "-o", "out",
      "a.wav", "b.wav", "c.wav")
    #expect(result.exitCode == 1, "\(result.summary)")
    let bad = try #require(
      try result.fileLines.first {
        ($0["input"] as? [String: Any])?["path"] as? String == "b.wav"
      })
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == "Auricle Tests: LeavingUnit (aufx:gain:AuTe)", "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect(bad["signal"] as? String == "memory limit", "\(bad)")
    #expect(
      (bad["error"] as? String)?.contains("took more memory than it may (--memory-limit)") == true)
    #expect(box.names("out") == ["a.wav", "c.wav"])
  }
}
