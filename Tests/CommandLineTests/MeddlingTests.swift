// Other programs that meddle with the files of a run, and disks that can do less than others: nothing is lost.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct MeddlingTests {
  let box: Sandbox
  let library: TemporaryFolder

  init() throws {
    box = try Sandbox()
    library = try TemporaryFolder("auricle-meddling")
    try box.makeSounds(3)
    let arguments = [
      "-std=gnu11", "-shared", "-fPIC", "-O1",
      Places.inPackage("Tests/Fixtures/FaultInjection/meddle.c"), "-o", library("meddle.so"),
      "-ldl",
    ]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  private func run(
    _ variable: String, _ value: String, _ words: String...
  ) throws -> ProcessResult {
    try runAuricle(
      ["process", "--unit", "aufx:lpas:appl", "--jobs", "1"] + words,
      environment: box.environment.merging([
        "LD_PRELOAD": library("meddle.so"), variable: value,
      ]) { $1 }, in: box.folder.path)
  }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: box(name)))
  }

  private func data(below folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in box.names(folder) where !name.hasPrefix(".") {
      found[name] = try data("\(folder)/\(name)")
    }
    return found
  }

  @Test(arguments: ["rm -f out/.*.part", "for f in out/.*.part; do echo x > n; mv n $f; done"])
  func anUnfinishedFileThatIsRemovedIsNoResult(deed: String) throws {
    let words = ["process", "--unit", "aufx:lpas:appl", "--output"]
    try #require(try box.run(words + ["expected", "in"]).exitCode == 0)
    let result = try run(
      "AURICLE_TEST_MEDDLE", "ls out/.*.part >/dev/null 2>&1 && { \(deed); }",
      "--output", "out", "in")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(
      result.standardError.contains("was removed or replaced by another program"),
      "\(result.summary)")
    let expected = try data(below: "expected")
    for (name, bytes) in try data(below: "out") { #expect(bytes == expected[name], "\(name)") }
    let resumed = try box.run("process", "--resume", "out")
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    #expect(try data(below: "out") == expected)
  }

  @Test func aLedgerThatIsRemovedStopsTheRun() throws {
    let result = try run(
      "AURICLE_TEST_MEDDLE", "ls out/.*.part >/dev/null 2>&1 && rm -r out/.auricle",
      "--output", "out", "--report", "r.json", "in")
    #expect(result.exitCode == 75, "\(result.summary)")
    // There is nothing that --resume could go on with.
    #expect(!result.standardError.contains("--resume"), "\(result.summary)")
    #expect(
      result.standardError.contains("the ledger of the run cannot be written: it was removed"),
      "\(result.summary)")
    let again = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--new-run", "--on-exists", "skip", "--output", "out",
      "in")
    #expect(again.exitCode == 0, "\(again.summary)")
    #expect(try data(below: "out").count == 3)
  }

  @Test func originalsAreKeptWhereThereAreNoHardLinks() throws {
    let originals = try data(below: "in")
    let result = try run("AURICLE_TEST_NO_LINKS", "1", "--in-place", "--backup", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    let found = try data(below: "in")
    #expect(found.count == 2 * originals.count, "\(found.keys)")
    for (name, bytes) in originals {
      #expect(found[name + ".bak"] == bytes, "\(name)")
      #expect(found[name] != bytes, "\(name)")
    }
    #expect(box.names("in").allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test func aDiskThatFoldsNamesIsFoundByTrying() throws {
    try FileManager.default.copyItem(atPath: box("in/0.wav"), toPath: box("in/talk.wav"))
    try FileManager.default.copyItem(atPath: box("in/1.wav"), toPath: box("in/Talk.wav"))
    let result = try run("AURICLE_TEST_FOLDS", "1", "--output", "out", "in")
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains("ignores letter case"), "\(result.summary)")
    #expect(try data(below: "out").isEmpty)
    let other = try run("AURICLE_TEST_NOTHING", "1", "--output", "out", "in")
    #expect(other.exitCode == 0, "\(other.summary)")
  }
}
