// Commands that are refused once the run is made, and reports on the drawing of variants.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct RefusedCommandTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.makeSounds(1)
  }

  private func write(_ parameters: String, to name: String) throws {
    try box.folder.write(
      "auricle: 1\nname: p\nunits:\n  - unit: aufx:lpas:appl\n    parameters: {\(parameters)}\n",
      to: name)
  }

  /// Why it is refused, and its exit code, are not hidden by a report that there is nothing for.
  @Test func aReportDoesNotHideWhyARunIsRefused() throws {
    try write("cutoff frequency: 900 kHz", to: "p.yaml")
    for (chain, code, reported) in [
      (["--preset", "p.yaml"], Int32(65), "above the maximum"),
      (["--unit", "aufx:nope:appl"], 69, "no component"),
    ] {
      for format in ["text", "json"] {
        let result = try box.run(
          ["process"] + chain + ["-o", "out", "--report", "r.html", "--format", format, "in"])
        #expect(result.exitCode == code, "\(result.summary)")
        #expect(result.standardError.contains(reported), "\(result.summary)")
        #expect(!result.standardError.contains("plan.jsonl"), "\(result.summary)")
        // No message names a missing file.
        let last = result.lines.last ?? ""
        #expect(!last.contains("\"ledger\"") && !last.contains("\"report\""), "\(last)")
        #expect(box.names("").sorted() == ["in", "p.yaml"])
      }
    }
  }

  /// The last line of events says it, also if there is no other.
  @Test(arguments: [["--output", "out", "in"], ["--output-file", "one.wav", "in/0.wav"]])
  func aRefusalForResultsThatExistIsAnEvent(words: [String]) throws {
    let command = ["process", "--preset", "telephone"] + words
    #expect(try box.run(command).exitCode == 0)
    let result = try box.run(command + ["--format", "json"])
    #expect(result.exitCode == 74, "\(result.summary)")
    let lines = try result.jsonLines
    try #require(lines.count == 1, "\(result.summary)")
    #expect(lines[0]["event"] as? String == "summary" && lines[0]["state"] as? String == "refused")
    let reason = try #require(lines[0]["error"] as? String)
    #expect(reason.contains("exists, nothing was done"), "\(reason)")
    #expect(lines[0]["ledger"] == nil)
    #expect(try box.run(command + ["--format", "json", "-q"]).lines.isEmpty)
  }

  /// The parser reads the next word as the value: a folder of inputs, when a variable is empty.
  @Test func anOptionWithNothingBehindItsEqualSignIsRefused() throws {
    for words in [["--output=", "in", "in/0.wav"], ["--output", "out", "--preset=", "in"]] {
      let result = try box.run(["process", "--preset", "telephone"] + words)
      #expect(result.exitCode == 64, "\(result.summary)")
      #expect(result.standardError.contains("= has no value"), "\(result.summary)")
      #expect(box.names("") == ["in"] && box.names("in") == ["0.wav"])
    }
    let result = try box.run(
      "process", "--preset", "telephone", "-q", "-j1", "--output=out", "--", "in")
    #expect(result.exitCode == 0 && result.standardError.isEmpty, "\(result.summary)")
  }

  @Test func reportsShowHowVariantsAreDrawn() throws {
    try write("cutoff frequency: {random: [200 Hz, 2 kHz]}", to: "r.yaml")
    let result = try box.run(
      "process", "--preset", "r.yaml", "--variants", "2", "--seed", "71", "-o", "out", "-q",
      "--report", "r.csv", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    let table = try String(contentsOfFile: box("r.csv"), encoding: .utf8)
    let lines = table.split(separator: "\r\n")
    #expect(lines[0].contains(",random values,"))
    #expect(lines.dropFirst().allSatisfy { $0.contains("Low-Pass Filter cutoff frequency: ") })
    let page = try box.run("report", "out", "--format", "html").standardOutput
    #expect(page.contains("2 variants of each file, seed 71"))
    // A request for other variants is refused with the run's own.
    let other = try box.run("process", "--resume", "out", "--seed", "3")
    #expect(other.exitCode == 65, "\(other.summary)")
    #expect(other.standardError.contains("variants (2) or another seed (71)"), "\(other.summary)")
  }

  /// With a custom search path, the contents of `~/.lv2` are not found.
  @Test(arguments: [false, true]) func aPresetThatNoHostFindsIsReported(isSearched: Bool) throws {
    let bundle = "/usr/lib/lv2/calf.lv2"
    try box.folder.makeFolder("lv2")
    try FileManager.default.createSymbolicLink(
      atPath: box("lv2/calf.lv2"), withDestinationPath: bundle)
    let path = box("lv2") + (isSearched ? ":~/.lv2" : "")
    let saved = try box.run(
      "preset", "save", "Warm", "--unit", UnitPresetTests.filter, "--set", "freq=800 Hz",
      environment: ["LV2_PATH": path, "XDG_CACHE_HOME": box("cache")])
    #expect(saved.exitCode == 0, "\(saved.summary)")
    let isReported = saved.standardError.contains("LV2_PATH does not name")
    #expect(isReported != isSearched, "\(saved.summary)")
  }

  /// Sentences are counted without the names of files, also if these are single letters.
  @Test func reasonsAreWholeWordsWhateverFilesAreCalled() throws {
    for name in ["a", "o", "e"] { try box.folder.write("junk", to: name) }
    let result = try box.run(
      "process", "--preset", "telephone", "-o", "out", "a", "o", "e", "--format", "json")
    #expect(result.exitCode == 1, "\(result.summary)")
    let last = try #require(result.lines.last)
    #expect(
      last.contains(#""failures":[{"reason":"is no audio file of a known kind","files":3}]"#),
      "\(last)")
  }

  @Test func exportedFilesAreNamedAsTheyAre() throws {
    let result = try box.run("preset", "export", "telephone", "phone/")
    #expect(result.lines == ["phone/telephone.yaml", "phone/SHA256SUMS"], "\(result.summary)")
  }
}
