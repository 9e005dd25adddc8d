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

  @Test func aResumedRunReportsWhereTheCommandSays() throws {
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
      #expect(result.standardError.contains("the report \(report)"), "\(result.summary)")
      #expect(!FileManager.default.fileExists(atPath: box("out")), "\(words)")
    }
    let first = try box.run(
      "process", "-q", "--preset", "p.json", "-o", "out", "--from-file", "list.txt", "in/1.wav")
    try #require(first.exitCode == 0, "\(first.summary)")
    for report in ["list.txt", "p.json"] {
      let result = try box.run("process", "--resume", "out", "--report", report)
      #expect(result.exitCode == 64, "\(result.summary)")
    }
    // A report may be the list of files of another run.
    let listed = try box.run(
      "process", "-q", "--preset", "p.json", "-o", "o2", "in/1.wav", "--report", "ok.csv")
    try #require(listed.exitCode == 0, "\(listed.summary)")
    let result = try box.run(
      "process", "--preset", "p.json", "-o", "o3", "--from-file", "ok.csv", "--report", "ok.csv")
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains("the report ok.csv would replace"), "\(result.summary)")
    // A report of the run before is no input.
    for _ in 0..<2 {
      let result = try box.run("process", "--resume", "out", "-q", "--report", "own.csv")
      #expect(result.exitCode == 0, "\(result.summary)")
    }
    for (name, content) in zip(before, contents) {
      #expect(try Data(contentsOf: URL(fileURLWithPath: box(name))) == content, "\(name)")
    }
  }
  @Test func aFolderInTheOutputFolderIsMade() throws {
    let result = try box.run(
      "process", "-q", "--preset", "telephone", "-o", "out", "--report", "out/a/b/r.csv", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(text("out/a/b/r.csv")?.contains("in/1.wav") == true)
    // A path that can never be a folder is reported before the run.
    try box.folder.write("precious", to: "out/file")
    for (output, report) in [("out", "out/file/r.csv"), ("other", "elsewhere/r.csv")] {
      let refused = try box.run(
        "process", "--preset", "telephone", "--on-exists", "overwrite", "-o", output, "--report",
        report, "in")
      #expect([64, 74].contains(refused.exitCode), "\(refused.summary)")
      #expect(refused.errorLines.count == 1, "\(refused.summary)")
    }
    #expect(text("out/file") == "precious")
    #expect(box.names("").contains("out") && !box.names("").contains("other"))
  }

  /// Standard output and standard error of the program are files here: by `stat` such a link is one.
  @Test(arguments: ["/proc/self/fd/1", "/proc/self/fd/2", "/dev/fd/2"])
  func aLinkToWhatTheProgramHasOpenStays(target: String) throws {
    for name in ["r.csv", "out.wav"] {
      try FileManager.default.createSymbolicLink(atPath: box(name), withDestinationPath: target)
    }
    // One that leads to the other.
    try FileManager.default.createSymbolicLink(
      atPath: box("far.wav"), withDestinationPath: "out.wav")
    let report = try box.run(
      "process", "--preset", "telephone", "-o", "out", "--report", "r.csv", "in")
    #expect(report.exitCode == 64, "\(report.summary)")
    #expect(report.standardError.contains("auricle report"), "\(report.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("out")))
    for name in ["out.wav", "far.wav"] {
      for policy in ["overwrite", "skip"] {
        let result = try box.run(
          "process", "--preset", "telephone", "--output-file", name, "--on-exists", policy,
          "in/0.wav")
        #expect(result.exitCode == 64, "\(result.summary)")
        #expect(result.standardError.contains("--output-file -"), "\(result.summary)")
      }
    }
    for name in ["r.csv", "out.wav"] {
      let now = try FileManager.default.destinationOfSymbolicLink(atPath: box(name))
      #expect(now == target)
    }
  }

  @Test func aReportReplacesNoDevice() throws {
    try FileManager.default.createSymbolicLink(
      atPath: box("null.csv"), withDestinationPath: "/dev/null")
    let result = try box.run(
      "process", "--preset", "telephone", "-o", "out", "--report", "null.csv", "in")
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains("is no regular file"), "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("out")))
  }
}
