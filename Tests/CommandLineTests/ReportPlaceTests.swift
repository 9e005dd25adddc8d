// Where `--report` writes: in the folder of the command, and over nothing that a run reads.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ReportPlaceTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.makeSounds(2)
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: box(name), encoding: .utf8)
  }

  @Test func aResumedRunReportsWhereTheCommandIsGiven() throws {
    for name in ["e1", "e2"] { try box.folder.makeFolder(name) }
    let first = try runAuricle(
      ["process", "--preset", "telephone", "-q", "-o", "out", "../in"],
      environment: box.environment, in: box("e1"))
    try #require(first.exitCode == 0, "\(first.summary)")
    try box.folder.write("precious", to: "e1/r.csv")
    let resumed = try runAuricle(
      ["process", "--resume", "../e1/out", "-q", "--report", "r.csv"],
      environment: box.environment, in: box("e2"))
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    #expect(text("e1/r.csv") == "precious")
    #expect(text("e2/r.csv")?.contains("../in/1.wav") == true)
  }

  @Test func nothingThatIsReadIsReplaced() throws {
    try FileManager.default.copyItem(atPath: box("in/0.wav"), toPath: box("my.csv"))
    try FileManager.default.createSymbolicLink(
      atPath: box("in/link.wav"), withDestinationPath: "../my.csv")
    try box.folder.write("my.csv\n", to: "list.txt")
    let preset = #"{"auricle": 1, "name": "p", "units": [{"unit": "aufx:lpas:appl"}]}"#
    try box.folder.write(preset, to: "p.json")
    let before = box.folder.files
    let contents = try before.map { try Data(contentsOf: URL(fileURLWithPath: box($0))) }
    for (report, words) in [
      ("my.csv", ["--preset", "telephone", "my.csv"]),
      ("./my.csv", ["--preset", "telephone", "in"]),
      ("my.csv", ["--preset", "telephone", "--from-file", "list.txt"]),
      ("my.csv", ["--preset", "telephone", "--from-file", "list.txt", "--dry-run"]),
      ("list.txt", ["--preset", "telephone", "--from-file", "list.txt"]),
      ("p.json", ["--preset", "p.json", "in/1.wav"]),
    ] {
      let result = try box.run(["process", "-o", "out", "--report", report] + words)
      #expect(result.exitCode == 64, "\(words): \(result.summary)")
      #expect(
        result.standardError.contains("the report \(report) would replace"), "\(result.summary)")
      #expect(!FileManager.default.fileExists(atPath: box("out")), "\(words)")
    }
    let first = try box.run(
      "process", "-q", "--preset", "p.json", "-o", "out", "--from-file", "list.txt", "in/1.wav")
    try #require(first.exitCode == 0, "\(first.summary)")
    for report in ["list.txt", "p.json"] {
      let result = try box.run("process", "--resume", "out", "--report", report)
      #expect(result.exitCode == 64, "\(result.summary)")
    }
    // A report of the run before is no input.
    for _ in 0..<2 {
      let result = try box.run("process", "--resume", "out", "-q", "--report", "own.csv")
      #expect(result.exitCode == 0, "\(result.summary)")
    }
    for (name, content) in zip(before, contents) {
      #expect(try Data(contentsOf: URL(fileURLWithPath: box(name))) == content, "\(name)")
    }
  }
}
