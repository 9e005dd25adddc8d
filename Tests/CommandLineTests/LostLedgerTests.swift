// Ledgers and plans that were damaged from outside: results that are there count, nothing is replaced.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct LostLedgerTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.makeSounds(6)
    let result = try box.run("process", "-q", "--unit", "aufx:lpas:appl", "--output", "out", "in")
    try #require(result.exitCode == 0, "\(result.summary)")
  }

  /// The path of a file of the run.
  private func file(_ name: String) throws -> String {
    let run = try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle"))
    return box("out/.auricle/\(try #require(run.first))/\(name)")
  }

  private func results() throws -> [Data] {
    try box.names("out").map { try Data(contentsOf: URL(fileURLWithPath: box("out/\($0)"))) }
  }

  @Test func resultsOfALostLedgerCount() throws {
    let before = try results()
    try FileManager.default.removeItem(atPath: file("ledger-1.jsonl"))
    let result = try box.run("process", "--resume", "out")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try results() == before)
    #expect(box.names("out").count == 6)
    let status = try #require(
      try box.run("status", "out", "--format", "json").json as? [String: Any])
    #expect((status["counts"] as? [String: Int])?["done"] == 6, "\(status)")
  }

  @Test func whatIsPendingIsNamedInItsFolder() throws {
    try FileManager.default.removeItem(atPath: file("ledger-1.jsonl"))
    let report = try #require(
      try box.run("report", "out", "--format", "json").json as? [String: Any])
    let records = try #require(report["records"] as? [[String: Any]])
    #expect(records.map { $0["status"] as? String } == Array(repeating: "pending", count: 6))
    let paths = records.map { ($0["output"] as? [String: Any])?["path"] as? String }
    #expect(paths == (0..<6).map { "out/\($0).wav" })
    let lines = try box.run("report", "out", "--format", "csv").standardOutput
    #expect(lines.contains("0,pending,in/0.wav,out/0.wav,"), "\(lines)")
  }

  @Test func whatIsNoResultIsNotReplaced() throws {
    try FileManager.default.removeItem(atPath: file("ledger-1.jsonl"))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: box("out/3.wav")))
    let result = try box.run("process", "--resume", "out")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.standardError.contains("3.wav is there already"), "\(result.summary)")
    // The options hold to the end of the run.
    #expect(result.standardError.contains("move it away and resume"), "\(result.summary)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("out/3.wav"))) == Data("mine".utf8))
    #expect(box.names("out").count == 6)
  }

  /// With several ledgers, the first may be the lost one.
  @Test(arguments: [false, true]) func aLedgerThatIsMissingBlocksNothing(
    pictures: Bool
  ) throws {
    let before = try results()
    let words = ["process", "--resume", "out"] + (pictures ? ["--pictures"] : [])
    try #require(try box.run(words).exitCode == 0)
    try FileManager.default.removeItem(atPath: file("ledger-1.jsonl"))
    for _ in 0..<2 {
      let result = try box.run(words)
      #expect(result.exitCode == 0, "\(result.summary)")
    }
    #expect(try results() == before)
    #expect(FileManager.default.fileExists(atPath: try file("ledger-4.jsonl")))
  }

  @Test func aPresetThatWasChangedInTheManifestIsReported() throws {
    let path = try file("run.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.components(separatedBy: "\n").map { line in
      line.contains("\"canonical\"")
        ? line.replacing("aufx:lpas:appl", with: "aufx:hpas:appl") : line
    }
    let changed = lines.joined(separator: "\n")
    try #require(changed != text)
    try changed.write(toFile: path, atomically: false, encoding: .utf8)
    let result = try box.run("process", "--resume", "out")
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(result.standardError.contains("run.json was changed"), "\(result.summary)")
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try box.run("process", "--resume", "out").exitCode == 0)
  }

  @Test func aDamagedPlanReportsWhatToDo() throws {
    let plan = try file("plan.jsonl")
    let whole = try String(contentsOfFile: plan, encoding: .utf8)
    let first = try #require(whole.split(separator: "\n").first)
    try (whole + first + "\n").write(toFile: plan, atomically: false, encoding: .utf8)
    // No file counts twice.
    let verified = try box.run("verify", "out")
    #expect(verified.summary.contains("6 results are as written"), "\(verified.summary)")
    for removes in [false, true] {
      if removes { try FileManager.default.removeItem(atPath: plan) }
      let resumed = try box.run("process", "--resume", "out")
      #expect(resumed.exitCode == 65, "\(resumed.summary)")
      #expect(
        resumed.standardError.contains("with --new-run --on-exists skip"), "\(resumed.summary)")
    }
  }

  @Test func aLedgerThatIsAPipeIsNotWaitedFor() throws {
    let ledger = try file("ledger-1.jsonl")
    try FileManager.default.removeItem(atPath: ledger)
    unsafe #expect(mkfifo(ledger, 0o600) == 0)
    let result = try box.run("status", "out")
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test func originalsOfALostLedgerStay() throws {
    func content() throws -> [Data] {
      try box.names("in").filter { $0.contains(".wav") }
        .map { try Data(contentsOf: URL(fileURLWithPath: box("in/\($0)"))) }
    }
    let words = ["process", "-q", "--unit", "aufx:lpas:appl", "--in-place", "--backup", "in"]
    try #require(try box.run(words).exitCode == 0)
    let before = try content()
    try #require(before.count == 12)
    let runs = try FileManager.default.contentsOfDirectory(atPath: box("in/.auricle"))
    try FileManager.default.removeItem(
      atPath: box("in/.auricle/\(try #require(runs.first))/ledger-1.jsonl"))
    let result = try box.run("process", "--resume", "in")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(
      result.standardError.contains("in/0.wav.bak is there already and is another file"),
      "\(result.summary)")
    #expect(try content() == before)
  }
}
