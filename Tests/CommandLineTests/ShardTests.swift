// Runs in shards: as one process makes them byte for byte, after any kills, and any repeats of a shard.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ShardTests {
  let box: Sandbox
  private static let count = 18
  private static let chain = ["--unit", "aufx:lpas:appl", "--tail", "0.5"]

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in/sub")
    for index in 0..<Self.count {
      let noise = TestSignal.noise(
        seed: UInt64(index + 1), amplitude: 0.25, frameCount: 2000 + 9970 * (index % 5))
      let name = index % 3 == 0 ? "in/sub/f\(index).wav" : "in/f\(index).wav"
      try Sound([noise]).write(to: box(name), encoding: .pcm16)
    }
  }

  private func results(_ folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try TemporaryNames.below(box(folder)) {
      found[name] = try Data(contentsOf: URL(fileURLWithPath: box(folder + "/" + name)))
    }
    return found
  }

  @discardableResult private func plan(_ more: String..., inputs: [String] = ["in"]) throws
    -> [String: Any]
  {
    let result = try box.run(
      ["plan"] + Self.chain + ["--output", "out", "--format", "json"] + more + inputs)
    #expect(result.exitCode == 0, "\(result.summary)")
    return try #require(result.json as? [String: Any])
  }

  private func shard(_ index: Int) throws -> Int32? {
    try box.run("shard", "out", "--index", "\(index)", "-q").exitCode
  }

  @Test func shardsProduceTheResultsOfOneProcess() throws {
    let shards = try #require(try plan("--shards", "4")["shards"] as? [[String: Any]])
    #expect(shards.count == 4)
    // About the same length of sound: no further apart than the longest file and its weight.
    let seconds = shards.compactMap { $0["seconds"] as? Double }
    #expect((seconds.max() ?? 9) - (seconds.min() ?? 0) <= 2 * (42_000 / 48_000 + 0.3))
    #expect(try box.run("unfinished", "out", "--format", "slurm").standardOutput == "0-3\n")
    #expect(try shard(1) == 0)
    let rest = try box.run("unfinished", "out", "--format", "slurm")
    #expect(rest.standardOutput == "0,2-3\n", "\(rest.summary)")
    #expect(try box.run("merge", "out").exitCode == 75)
    let byArray = try box.run(
      "shard", "out", "-q", environment: ["SLURM_ARRAY_TASK_ID": "0"])
    #expect(byArray.exitCode == 0, "\(byArray.summary)")
    let byParallel = try box.run("shard", "out", "-q", environment: ["PARALLEL_SEQ": "3"])
    #expect(byParallel.exitCode == 0, "\(byParallel.summary)")
    #expect(try shard(3) == 0)
    #expect(try shard(3) == 0, "what is done is not done again")
    #expect(try shard(4) == 65)
    for _ in 0..<2 {
      #expect(try box.run("verify", "out").exitCode == 0)
      let report = try #require(
        box.run("report", "out", "--format", "json").json as? [String: Any])
      let records = try #require(report["records"] as? [[String: Any]])
      #expect(records.compactMap { $0["index"] as? Int } == Array(0..<Self.count))
      #expect(records.allSatisfy { $0["status"] as? String == "done" })
      let merge = try box.run("merge", "out")
      #expect(merge.exitCode == 0, "\(merge.summary)")
    }
    let whole = try box.run(["process"] + Self.chain + ["--output", "whole", "in", "-q"])
    #expect(whole.exitCode == 0, "\(whole.summary)")
    #expect(try results("out") == results("whole"))
  }

  @Test func killedAndDoubledShardsLoseNothing() throws {
    try plan("--shards", "3")
    // Each shard at another place, and a later one each time; one shard is started twice.
    for round in 1...3 {
      let places = [
        KillPlace("renameat2", round), KillPlace("fdatasync", round, after: true),
        KillPlace("pwrite", 2 * round), KillPlace("fsync", 2 * round + 1, after: true),
      ]
      let children = try places.enumerated().map { index, place in
        try ChildProcess(
          Places.auricle, ["shard", "out", "--index", "\(index % 3)", "-j", "1"],
          environment: place.environment("shard", box), in: box.folder.path)
      }
      var kills = 0
      for child in children { kills += child.wait().signal == SIGKILL ? 1 : 0 }
      #expect(kills > 0, "round \(round)")
    }
    let both = try (0..<2).map { _ in try box.start("shard", "out", "--index", "0", "-q") }
    for child in both { #expect(child.wait().exitCode == 0) }
    for index in 1..<3 { #expect(try shard(index) == 0) }
    #expect(try box.run("merge", "out").exitCode == 0)
    #expect(try box.run("verify", "out").exitCode == 0)
    _ = try box.run(["process"] + Self.chain + ["--output", "whole", "in", "-q"])
    #expect(try results("out") == results("whole"))
  }

  @Test func manifestsReportLengthsAndMore() throws {
    let lines = [
      #"{"audio_filepath": "sub/f0.wav", "duration": 1.5, "text": "a b", "speaker": {"id": 3}}"#,
      #"{"id": "rec-1", "sources": [{"type": "file", "channels": [0], "source": "in/f1.wav"}], "duration": 2}"#,
      #"{"id": "rec-2", "sources": [{"type": "command", "source": "sox x"}], "duration": 2}"#,
    ]
    try lines.joined(separator: "\n").write(
      toFile: box("in/set.jsonl"), atomically: true, encoding: .utf8)
    let made = try plan("--shards", "1", inputs: ["in/set.jsonl"])
    #expect(made["files"] as? Int == 3)
    #expect(try shard(0) == 0)
    let report = try #require(box.run("report", "out", "--format", "json").json as? [String: Any])
    let records = try #require(report["records"] as? [[String: Any]])
    let fields = try #require(records[0]["fields"] as? [String: Any])
    #expect(fields["text"] as? String == "a b")
    #expect((fields["speaker"] as? [String: Any])?["id"] as? Int == 3)
    #expect(records[0]["inputSeconds"] as? Double == 1.5)
    #expect((records[1]["fields"] as? [String: Any])?["id"] as? String == "rec-1")
    #expect((records[2]["error"] as? String)?.contains("type command") == true)

    try "one in/f1.wav\ntwo sox in/f2.wav -t wav - |\n".write(
      toFile: box("wav.scp"), atomically: true, encoding: .utf8)
    let kaldi = try box.run(
      ["plan"] + Self.chain + ["--output", "kaldi", "--shards", "2", "--from-file", "wav.scp"])
    #expect(kaldi.exitCode == 0, "\(kaldi.summary)")
    #expect(try box.run("shard", "kaldi", "--index", "0", "-q").exitCode == 0)
    #expect(box.names("kaldi") == ["f1.wav"])
  }

  /// Each part of a recording is a separate item, with its line's fields and its piece of the sound.
  @Test func partsOfRecordingsAreItems() throws {
    let noise = TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 96_000)
    try Sound([noise]).write(to: box("talk.wav"), encoding: .float32)
    let lines = [
      #"{"audio_filepath": "talk.wav", "duration": 0.5, "offset": 0.25, "text": "hello"}"#,
      #"{"audio_filepath": "talk.wav", "duration": 1.0, "offset": 1.0, "text": "world"}"#,
      #"{"audio_filepath": "talk.wav", "offset": 1.5, "text": "rest"}"#,
      #"{"audio_filepath": "talk.wav", "duration": 2.0, "text": "whole"}"#,
      #"{"id": "cut", "start": 0, "duration": 0.25, "recording": {"id": "r", "duration": 2.0, "#
        + #""sources": [{"type": "file", "source": "talk.wav"}]}}"#,
      #"{"audio_filepath": "talk.wav", "duration": 1.0, "offset": 1.0, "text": "again"}"#,
      #"{"audio_filepath": "talk.wav", "duration": -1, "offset": 1.0}"#,
    ]
    try lines.joined(separator: "\n").write(
      toFile: box("parts.jsonl"), atomically: true, encoding: .utf8)
    let chain = ["--unit", "aufx:dely:appl", "--mix", "0", "--tail", "keep-length"]
    let made = try box.run(
      ["plan"] + chain + ["--output", "out", "--shards", "1", "--from-file", "parts.jsonl"])
    #expect(made.exitCode == 0 && made.standardError.contains("another name"), "\(made.summary)")
    #expect(try box.run("shard", "out", "--index", "0", "-q").exitCode == 0)
    let wanted: [String: ArraySlice<Float>] = [
      "talk-0.25-0.75.wav": noise[12_000..<36_000], "talk-1-2.wav": noise[48_000..<96_000],
      "talk-1.5-end.wav": noise[72_000...], "talk.wav": noise[...],
      "talk-0-0.25.wav": noise[..<12_000],
    ]
    #expect(Set(box.names("out")) == Set(wanted.keys))
    for (name, samples) in wanted {
      #expect(try Sound(path: box("out/\(name)")).channels[0][...] == samples, "\(name)")
    }
    let report = try #require(box.run("report", "out", "--format", "json").json as? [String: Any])
    let records = try #require(report["records"] as? [[String: Any]])
    let texts = records.map { ($0["fields"] as? [String: Any])?["text"] as? String ?? "" }
    #expect(texts.prefix(5) == ["hello", "world", "rest", "whole", ""])
    #expect((records[0]["fields"] as? [String: Any])?["offset"] as? Double == 0.25)
    #expect((records.last?["error"] as? String)?.contains("is no time") == true)
    // Places count from the part's ends, and names are chosen.
    let cut = try box.run(
      ["process"] + chain + [
        "--start", "0.1", "--end", "-0.1", "--name", "{segment}/{stem}.{ext}", "--output", "cut",
        "--from-file", "parts.jsonl", "-q",
      ])
    #expect(cut.exitCode == 1, "\(cut.summary)")
    #expect(try Sound(path: box("cut/1-2/talk.wav")).channels[0][...] == noise[52_800..<91_200])
    let clash = try box.run(
      ["process"] + chain + [
        "--name", "{stem}.{ext}", "--output", "x", "--from-file", "parts.jsonl",
      ])
    #expect(clash.exitCode == 64 && clash.standardError.contains("{segment}"), "\(clash.summary)")
  }

  @Test func whatHasChangedIsRefused() throws {
    try plan("--shards", "2")
    let again = try box.run(["plan"] + Self.chain + ["--output", "out", "--shards", "2", "in"])
    #expect(again.exitCode == 65, "\(again.summary)")
    let resume = try box.run("process", "--resume", "out")
    #expect(resume.exitCode == 64, "\(resume.summary)")
    let run = try #require(
      FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    let manifest = box("out/.auricle/\(run)/run.json")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let program = try #require(text.range(of: #""program": ""#))
    var other = text
    other.replaceSubrange(
      program.upperBound..<text.index(program.upperBound, offsetBy: 4), with: "0bad")
    try other.write(toFile: manifest, atomically: true, encoding: .utf8)
    let result = try box.run("shard", "out", "--index", "0")
    #expect(result.exitCode == 65)
    #expect(result.standardError.contains("another build of the program"), "\(result.summary)")
    try text.replacingOccurrences(of: #""version": "1.0.0""#, with: #""version": "1.0.1""#)
      .write(toFile: manifest, atomically: true, encoding: .utf8)
    let unit = try box.run("shard", "out", "--index", "0")
    #expect(unit.exitCode == 65)
    #expect(unit.standardError.contains("in version 1.0.0, where it was 1.0.1"), "\(unit.summary)")
    try text.write(toFile: manifest, atomically: true, encoding: .utf8)
    let plan = box("out/.auricle/\(run)/shards/000000/plan.jsonl")
    let handle = try #require(FileHandle(forWritingAtPath: plan))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("x".utf8))
    try handle.close()
    #expect(try shard(0) == 65)
    #expect(try shard(1) == 0)
  }
}
