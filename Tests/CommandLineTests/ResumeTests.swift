// Runs that are cut off at any moment, resumed, and reported: nothing is lost, torn or done twice.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ResumeTests {
  let box: Sandbox
  private static let count = 24

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in/sub")
    for index in 0..<Self.count {
      let noise = TestSignal.noise(
        seed: UInt64(index + 1), amplitude: 0.25, frameCount: 2000 + 997 * index)
      let name = index % 3 == 0 ? "in/sub/f\(index).wav" : "in/f\(index).wav"
      try Sound([noise, noise]).write(to: box(name), encoding: .pcm16)
    }
  }

  private static let chain = ["--unit", "aufx:mrev:appl", "--tail", "1"]

  private func process(_ arguments: [String]) throws -> ProcessResult {
    try runAuricle(
      ["process"] + arguments, environment: box.environment, in: box.folder.path)
  }

  /// The results in a folder by their paths, the ledger left out.
  private func results(_ folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try TemporaryNames.below(box(folder)) {
      found[name] = try Data(contentsOf: URL(fileURLWithPath: box(folder + "/" + name)))
    }
    return found
  }

  /// The last `status --format json`.
  private func status(_ folder: String) throws -> [String: Any] {
    let result = try box.run("status", folder, "--format", "json")
    #expect(result.exitCode == 0, "\(result.summary)")
    return try #require(result.json as? [String: Any])
  }

  @Test func aResumedRunReportsWhatFailedBefore() throws {
    let first = try process(Self.chain + ["--output", "out", "in/f1.wav", "in/f2.wav", "none.wav"])
    #expect(first.exitCode == 1, "\(first.summary)")
    let again = try process(["--resume", "out"])
    #expect(again.exitCode == 1, "\(again.summary)")
    #expect(
      again.standardError.contains("0 files done now, 2 before (1 failed before)"),
      "\(again.summary)")
    #expect(again.standardError.contains("1×  there is no file or folder"), "\(again.summary)")
  }

  @Test("a resumed run renews the report that it was begun with, or writes another")
  func reportOfAResumedRun() throws {
    let child = try ChildProcess(
      Places.auricle,
      ["process"] + Self.chain + ["--output", "out", "--jobs", "1", "--report", "told.json", "in"],
      environment: box.environment, in: box.folder.path)
    let hasBegun = child.waits { (try? results("out").isEmpty) == false }
    kill(child.id, SIGINT)
    _ = child.wait()
    try #require(hasBegun)
    func report(_ name: String) throws -> (end: String?, records: Int?) {
      let data = try Data(contentsOf: URL(fileURLWithPath: box(name)))
      let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      return (json?["end"] as? String, (json?["records"] as? [Any])?.count)
    }
    let before = try report("told.json")
    // From another folder: the report is in its first place.
    try box.folder.makeFolder("elsewhere")
    let resumed = try runAuricle(
      ["process", "--resume", box("out")], environment: box.environment, in: box("elsewhere"))
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    let after = try report("told.json")
    #expect(after.records == Self.count, "\(before) \(after)")
    #expect(try TemporaryNames.below(box("elsewhere")).isEmpty)
    try box.folder.makeFolder("place")
    let again = try process(["--resume", "out", "--report", "place/other.json"])
    #expect(again.exitCode == 0, "\(again.summary)")
    #expect(try report("place/other.json").records == Self.count)
    // Its place is gone: reported, and the run has not failed for it.
    try FileManager.default.removeItem(atPath: box("place"))
    let last = try process(["--resume", "out"])
    #expect(last.exitCode == 0 && last.standardError.contains("other.json"), "\(last.summary)")
  }

  /// One in each part of a run: its folder, its plan, the first results and records, those in the middle.
  private static let places = [
    KillPlace("fsync", 1), KillPlace("mkdirat", 1), KillPlace("renameat2", 1, after: true),
    KillPlace("fdatasync", 1), KillPlace("pwrite", 3), KillPlace("renameat2", 2),
    KillPlace("fsync", 7, after: true), KillPlace("fdatasync", 5, after: true),
    KillPlace("sendmsg", 6),
  ]

  @Test func killedAtAnyPlaceItEndsTheSame() throws {
    let whole = try process(Self.chain + ["--output", "reference", "in"])
    try #require(whole.exitCode == 0, "\(whole.summary)")
    let expected = try results("reference")
    #expect(expected.count == Self.count)

    var kills: [String] = []
    var arguments = Self.chain + ["--output", "out", "--jobs", "2", "in"]
    for place in Self.places {
      let killed = try runAuricle(
        ["process"] + arguments, environment: place.environment("process", box),
        in: box.folder.path)
      #expect(killed.signal == SIGKILL, "\(place): \(killed.summary)")
      kills.append("\(place)")
      if FileManager.default.fileExists(atPath: box("out/.auricle")),
        try box.run("status", "out").exitCode == 0
      {
        arguments = ["--resume", "out", "--jobs", "2"]
      }
    }
    let last = try process(arguments)
    #expect(last.exitCode == 0, "\(kills): \(last.summary)")
    #expect(try results("out") == expected, "\(kills)")
    let counts = try #require(try status("out")["counts"] as? [String: Int])
    #expect(counts["done"] == Self.count && counts["pending"] == 0, "\(counts)")
    let report = try box.run("report", "out", "--format", "csv")
    let lines = report.standardOutput.split(whereSeparator: \.isNewline)
    #expect(lines.count == Self.count + 1)
    #expect(try box.run("verify", "out").exitCode == 0)
  }

  @Test func anInterruptedRunGoesOn() throws {
    let child = try ChildProcess(
      Places.auricle,
      ["process", "--unit", "aufx:mrev:appl", "--tail", "3600", "--jobs", "1", "-o", "out", "in"],
      environment: box.environment, in: box.folder.path)
    try #require(box.waitForFirstResult(of: child, in: "out"), "\(child.standardError)")
    child.send(signal: SIGINT)
    let result = child.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(result.standardError.contains("--resume"), "\(result.summary)")
    #expect(try status("out")["state"] as? String == "interrupted")
    // Another command for the same folder does not go on as if nothing had been.
    let other = try process(["--unit", "aufx:lpas:appl", "--output", "out", "in"])
    #expect(other.exitCode == 65, "\(other.summary)")
    #expect(other.standardError.contains("unfinished run"), "\(other.summary)")
    // Nor does the same one with other words: they would be lost on it.
    for (words, reported) in [
      (["--preset", "telephone"], "another preset"), (["--container", "flac"], "other settings"),
      (["--tail", "2"], "other settings"), (["--loudness", "-16"], "other settings"),
      (["--variants", "3"], "another number of variants"), (["--name", "{stem}-x"], "other names"),
      (["--on-exists", "skip"], "another rule"), (["--no-recursive"], "other inputs"),
    ] {
      let refused = try process(["--resume", "out"] + words)
      #expect(
        refused.exitCode == 65 && refused.standardError.contains(reported), "\(refused.summary)")
    }
    // The same options may be repeated: it stops for the inputs.
    try FileManager.default.removeItem(atPath: box("in"))
    let same = try process(["--resume", "out", "--tail", "3600", "--on-exists", "error"])
    #expect(same.exitCode == 75, "\(same.summary)")
  }

  @Test func settingsThatProducedNothingBlockNothing() throws {
    let wrong = try process(Self.chain + ["--encoding", "vorbis", "--output", "out", "in"])
    #expect(wrong.exitCode == 1, "\(wrong.summary)")
    let reported = try box.run("status", "out")
    #expect(reported.standardOutput.contains("finished, 24 failed"), "\(reported.summary)")
    let right = try process(Self.chain + ["--output", "out", "in"])
    #expect(right.exitCode == 0, "\(right.summary)")
    #expect(try results("out").count == Self.count)
  }

  /// Possible remains of files that were being written at a loss of power.
  @Test func aManifestThatIsCutOffBlocksNothing() throws {
    let arguments = Self.chain + ["--output", "out", "in"]
    let first = try process(arguments)
    try #require(first.exitCode == 0, "\(first.summary)")
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    try box.folder.write("{", to: "out/.auricle/\(run)/.run.json.part")
    #expect(try process(["--resume", "out"]).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: box("out/.auricle/\(run)/.run.json.part")))

    try box.folder.write("", to: "out/.auricle/\(run)/run.json")
    let refused = try process(["--resume", "out"])
    #expect(refused.exitCode == 65, "\(refused.summary)")
    #expect(refused.standardError.contains("run.json is damaged"), "\(refused.summary)")
    #expect(refused.standardError.contains("--on-exists skip"), "\(refused.summary)")
    let again = try process(arguments + ["--on-exists", "skip"])
    #expect(again.exitCode == 0, "\(again.summary)")
    #expect(try results("out").count == Self.count)
  }

  @Test func aRunThatWasCutOffWhilePlanningIsReported() throws {
    let arguments = Self.chain + ["--output", "out", "in"]
    try #require(try process(arguments).exitCode == 0)
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    let folder = box("out/.auricle/\(run)/")
    // As it was before the plan was there.
    let written = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: folder + "run.json")))
    var manifest = try #require(written as? [String: Any])
    manifest["plan"] = [
      "files": 0, "failures": 0, "skipped": 0, "replaced": 0, "bytes": 0,
      "xxh64": "0000000000000000",
    ]
    try JSONSerialization.data(withJSONObject: manifest)
      .write(to: URL(fileURLWithPath: folder + "run.json"))
    for name in ["plan.jsonl", "ledger-1.jsonl"] {
      try FileManager.default.removeItem(atPath: folder + name)
    }
    for command in ["status", "report", "verify"] {
      let reported = try box.run(command, "out")
      #expect(reported.exitCode == 0, "\(command): \(reported.summary)")
      #expect(
        command == "verify"
          || reported.standardOutput.contains("cut off while it was planned; go on"),
        "\(reported.summary)")
    }
    #expect(try status("out")["state"] as? String == "unfinished")
    for name in try TemporaryNames.below(box("out")) {
      try FileManager.default.removeItem(atPath: box("out/" + name))
    }
    #expect(try process(["--resume", "out"]).exitCode == 0)
    #expect(try results("out").count == Self.count)
  }

  @Test func theSameCommandAgainGoesOn() throws {
    let arguments = Self.chain + ["--output", "out", "--jobs", "1", "in"]
    try box.folder.write("in the way", to: "f.txt")
    let first = try process(arguments)
    try #require(first.exitCode == 0, "\(first.summary)")
    // As if the last files had never been accounted for.
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    let ledger = box("out/.auricle/\(run)/ledger-1.jsonl")
    var lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
    lines.removeLast(6)
    // The last line is torn.
    let text = lines.joined(separator: "\n") + "\n{\"t\":\"kept\",\"ind"
    try text.write(toFile: ledger, atomically: true, encoding: .utf8)
    let before = try #require(try status("out")["counts"] as? [String: Int])
    #expect((before["pending"] ?? 0) > 0)
    let second = try process(arguments)
    #expect(second.standardError.contains("going on"), "\(second.summary)")
    // Existing whole results without a record are not replaced.
    #expect(try status("out")["files"] as? Int == Self.count)
    #expect(try status("out")["damagedLines"] as? Int == 0)
  }

  @Test func theLastRunIsTheLastWhereTheClockWasSetBack() throws {
    let first = try process(Self.chain + ["--quiet", "--output", "out", "in/f1.wav"])
    try #require(first.exitCode == 0, "\(first.summary)")
    // As if it had been begun when the clock was wrong.
    let name = try #require(box.names("out/.auricle").first)
    try FileManager.default.moveItem(
      atPath: box("out/.auricle/\(name)"), toPath: box("out/.auricle/20991231-235959-abcd"))
    for (number, file) in ["in/f2.wav", "in/f4.wav", "in/f5.wav"].enumerated() {
      let next = try process(Self.chain + ["--quiet", "--output", "out", file])
      try #require(next.exitCode == 0, "\(next.summary)")
      let state = try #require(
        try box.run("report", "out", "--format", "json").json as? [String: Any])
      #expect((state["run"] as? String)?.hasPrefix("21000101-00000\(number)-") == true)
      #expect("\(state)".contains(file))
    }
  }

  @Test func changedResultsAreFound() throws {
    try #require(try process(Self.chain + ["--output", "out", "in"]).exitCode == 0)
    #expect(try box.run("verify", "out").exitCode == 0)
    let handle = try #require(FileHandle(forWritingAtPath: box("out/f1.wav")))
    try handle.seek(toOffset: 1000)
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    try FileManager.default.removeItem(atPath: box("out/f2.wav"))
    let result = try box.run("verify", "out")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.lines.count == 2, "\(result.summary)")
    #expect(result.standardOutput.contains("f1.wav was changed"))
    #expect(result.standardOutput.contains("f2.wav is missing"))
  }

  /// Two that begin at once do not both write into one folder.
  @Test func oneRunAtATime() throws {
    unsafe mkfifo(box("list"), 0o600)
    let arguments = ["process"] + Self.chain + ["--output", "out"]
    // It has a run, and waits for its list.
    let first = try ChildProcess(
      "/bin/sh",
      ["-c", "exec \"$0\" \"$@\" --from-file - <>list", Places.auricle] + arguments,
      environment: box.environment, in: box.folder.path)
    let hasBegun = first.waits {
      (try? TemporaryNames.below(box("out/.auricle")))?.contains { $0.hasSuffix("/lock") } == true
    }
    try #require(hasBegun, "\(first.standardError)")
    let second = try process(Self.chain + ["--output", "out", "in"])
    #expect(second.exitCode == 75, "\(second.summary)")
    #expect(second.standardError.contains("another auricle is at work"), "\(second.summary)")
    first.send(signal: SIGKILL)
    _ = first.wait()
    #expect(try process(Self.chain + ["--output", "out", "in"]).exitCode == 0)
    #expect(try results("out").count == Self.count)
  }

  @Test func foldersWithoutARunAreReported() throws {
    for command in ["status", "report", "verify"] {
      let none = try box.run(command, "in")
      #expect(none.exitCode == 66, "\(none.summary)")
      let nowhere = try box.run(command, "nowhere")
      #expect(nowhere.exitCode == 66, "\(nowhere.summary)")
    }
    let resume = try process(["--resume", "in"])
    #expect(resume.exitCode == 66, "\(resume.summary)")
  }
}
