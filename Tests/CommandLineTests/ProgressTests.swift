// Reports of a run while it goes on and when it ends: events for machines, lines for people.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct ProgressTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    for (number, name) in ["in/a.wav", "in/b.wav", "in/日本 語.wav"].enumerated() {
      try box.folder.makeFolder("in")
      try Sound(
        [TestSignal.noise(seed: UInt64(number + 1), amplitude: 0.25, frameCount: 4800)],
        sampleRate: 48_000
      ).write(to: box(name), encoding: .pcm16)
    }
    try box.folder.write("no sound", to: "in/bad1.wav")
    try box.folder.write("none either", to: "in/bad2.wav")
  }

  private func process(_ more: String..., environment: [String: String?] = [:]) throws
    -> ProcessResult
  {
    try runAuricle(
      ["process", "--unit", "aufx:lpas:appl", "--output", "out"] + more,
      environment: box.environment.merging(environment) { $1 }, in: box.folder.path)
  }

  @Test func everyEventIsALine() throws {
    let lines = try process("--format", "json", "in").jsonLines
    let events = lines.map { $0["event"] as? String }
    #expect(events.first == "run" && events.last == "summary", "\(events)")
    #expect(events.count { $0 == "started" } == 5)
    #expect(events.count { $0 == "file" } == 5)
    let run = try #require(lines.first)
    #expect(run["files"] as? Int == 5)
    #expect(run["output"] as? String == "out")
    #expect((run["ledger"] as? String)?.hasPrefix("out/.auricle/") == true)
    let summary = try #require(lines.last)
    #expect(summary["state"] as? String == "finished")
    let counts = try #require(summary["counts"] as? [String: Int])
    #expect(counts == ["done": 3, "failed": 2, "quarantined": 0, "skipped": 0, "pending": 0])
    let failures = try #require(summary["failures"] as? [[String: Any]])
    #expect(failures.count == 1, "\(failures)")
    #expect(failures.first?["files"] as? Int == 2)
    #expect(failures.first?["reason"] as? String == "is no audio file of a known kind")
    #expect(summary["resume"] == nil)
    // A file's begin event comes before its done event.
    for index in 0..<5 {
      let own = lines.indices.filter { lines[$0]["index"] as? Int == index }
      #expect(own.map { events[$0] } == ["started", "file"])
    }
  }

  @Test("A result is one line of the requested facts; --verbose adds a second one")
  func verbose() throws {
    let first = try process("--loudness", "-30", "--new-run", "in/a.wav").lines
    try #require(first.count == 1, "\(first)")
    #expect(first[0].contains("true peak") && !first[0].contains("RMS"))
    let both = try process(
      "--loudness", "-30", "--new-run", "--overwrite", "--verbose", "in/a.wav"
    ).lines
    try #require(both.count == 2, "\(both)")
    #expect(both[0] == first[0])
    for word in ["peak ", "RMS ", "wav, pcm16, 48000 Hz, 1 ch"] {
      #expect(both[1].contains(word), "\(both[1])")
    }
    #expect(both.allSatisfy { $0.count <= 100 }, "\(both)")
    #expect(try process("-q", "-v", "in/a.wav").exitCode == 64)
  }

  @Test(
    "Chains, presets and rules are wrapped at 100 columns",
    arguments: [
      ["status", "out"], ["preset", "list"], ["preset", "show", "podcast-voice"],
      ["validate", "--list-checks"],
    ]) func wrapped(words: [String]) throws
  {
    if words[0] == "status" {
      let run = try box.run("process", "--preset", "podcast-voice", "-o", "out", "in/a.wav")
      try #require(run.exitCode == 0, "\(run.summary)")
    }
    let result = try runAuricle(words, environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0 && result.lines.count > 4, "\(result.summary)")
    // A path is not parted.
    let long = result.lines.filter { $0.count > 100 && !$0.contains("/") }
    #expect(long.isEmpty, "\(long)")
  }

  /// Going to the end of MP3 to read it back, its decoder complains of the part that it did not read.
  @Test func decodersAreSilentAboutGoodResults() throws {
    try box.folder.makeFolder("low")
    for index in 0..<40 {
      try Sound(
        [
          TestSignal.noise(
            seed: UInt64(index), amplitude: Float(index + 1) / 400, frameCount: 6000 + 100 * index)
        ], sampleRate: 8000
      ).write(to: box("low/\(index).wav"), encoding: .pcm16)
    }
    let result = try process("--container", "mp3", "low")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!result.standardError.contains("mpg123"), "\(result.summary)")
  }

  @Test func aSingleFileReportsTheSame() throws {
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--output-file", "one.wav", "--format", "json",
      "in/a.wav")
    let events = try result.jsonLines.map { $0["event"] as? String }
    #expect(events == ["run", "started", "file", "summary"], "\(result.summary)")
  }

  @Test func theEndIsATable() throws {
    let result = try process("in")
    #expect(result.exitCode == 1)
    let text = result.standardError
    #expect(text.contains("why files failed:\n    2×  is no audio file of a known kind"), "\(text)")
    #expect(text.contains("  done    3\n  failed  2\n"), "\(text)")
    #expect(text.contains("ledger  out/.auricle/"), "\(text)")
    #expect(!text.contains("\u{1B}"), "an escape where there is no terminal: \(text)")
  }

  /// Files shorter than 0.4 s have none by the standard.
  @Test func aLoudnessThatIsNotThereIsNotReported() throws {
    let result = try process("in", "--measure")
    #expect(result.standardOutput.contains("dBTP"), "\(result.summary)")
    #expect(!result.standardOutput.contains("LUFS"), "\(result.summary)")
    let measured = try box.run("measure", "in/a.wav")
    #expect(measured.standardOutput.contains("  none  "), "\(measured.summary)")
  }

  @Test func statusReportsWhy() throws {
    _ = try process("in", "-q")
    let text = try box.run("status", "out").standardOutput
    #expect(text.contains("State     finished, 2 failed (auricle report out)"), "\(text)")
    #expect(text.contains("2×  is no audio file of a known kind"), "\(text)")
    let json = try #require(box.run("status", "out", "--format", "json").json as? [String: Any])
    #expect((json["failures"] as? [[String: Any]])?.first?["files"] as? Int == 2)
    #expect(json["state"] as? String == "finished")
  }

  @Test func aRunThatGoesOnIsReportedAsRunning() throws {
    let child = try box.start(
      "process", "--unit", "aufx:mrev:appl", "--tail", "86400", "--output", "out it", "in")
    defer { child.send(signal: SIGKILL) }
    try #require(box.waitForFirstResult(of: child, in: "out it"), "\(child.standardError)")
    let status = try #require(
      box.run("status", "out it", "--format", "json").json as? [String: Any])
    #expect(status["state"] as? String == "running", "\(status)")
    #expect(status["process"] is Int)
    child.send(signal: SIGINT)
    let result = child.wait()
    #expect(
      result.standardError.contains("go on with: auricle process --resume 'out it'"),
      "\(result.summary)")
    let after = try box.run("status", "out it").standardOutput
    // Files not begun were not tried either.
    #expect(!result.standardError.contains("to be tried again"), "\(result.summary)")
    #expect(
      after.contains("interrupted; go on with: auricle process --resume 'out it'"), "\(after)")
  }

  /// On a terminal of so many columns, made by `script`.
  private func onTerminal(columns: Int, _ environment: [String: String?]) throws -> String {
    let command =
      "stty cols \(columns) rows 12; exec \(Places.auricle) process --unit aufx:mrev:appl "
      + "--tail 200 --output out in > results"
    return try runProcess(
      "script", ["-qec", command, "/dev/null"],
      environment: box.environment.merging(environment) { $1 }, in: box.folder.path
    ).standardOutput
  }

  @Test(.enabled(if: hasTerminals, "there are no pseudo-terminals"), arguments: [8, 20, 40, 100])
  func drawingsFitTheTerminal(columns: Int) throws {
    let text = try onTerminal(
      columns: columns, ["TERM": "xterm", "LANG": "C.UTF-8", "NO_COLOR": "1"])
    let draws = text.split(separator: "\u{1B}[J").filter { $0.contains("\u{1B}[K") }
    #expect(!draws.isEmpty, "nothing was drawn: \(text)")
    for draw in draws {
      for line in draw.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }) {
        guard line.hasSuffix("\u{1B}[K") else { continue }
        let shown = line.replacing("\u{1B}[K", with: "").replacing(/\u{1B}\[\d+A/, with: "")
        #expect(shown.count < columns, "\(shown)")
      }
    }
    #expect(!text.contains("\u{1B}[3"), "a colour in spite of NO_COLOR")
    // A message that is too wide breaks between words.
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("3 files done, 2 failed"), "\(text)")
  }
}
