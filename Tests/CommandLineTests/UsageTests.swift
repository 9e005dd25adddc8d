// Commands called wrongly: exit code 64, a sentence, nothing on standard output.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.silence(frameCount: 10)]).write(to: box("a.wav"))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var says: String
    init(_ says: String, _ arguments: String...) {
      self.says = says
      self.arguments = arguments
    }
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let cases: [Case] = [
    Case("there is no command 'frobnicate' (auricle --help)", "frobnicate"),
    Case("there is no command 'proces'; did you mean 'process'?", "proces"),
    Case("there is no command 'preset lst'; did you mean 'list'?", "preset", "lst"),
    Case("there is no command 'scann'", "help", "scann"),
    Case("Unknown option '--presett'. Did you mean '--preset'?", "process", "--presett", "x"),
    Case("Unknown option '--settel'", "watch", "in", "--settel", "3"),
    Case("Usage: auricle process [", "process", "a.wav"),
    Case("Unknown option", "list", "--frobnicate"),
    Case("is not a code", "list", "abc"),
    Case("4 parts", "list", "aufx:lpas:appl:x"),
    Case("invalid", "list", "--format", "xml"),
    Case("Missing expected argument", "info"),
    Case("Missing expected argument", "process", "--preset", "telephone", "--output", "out"),
    Case("Name a chain", "process", "--output", "out", "a.wav"),
    Case("not both", "process", "--preset", "a", "--unit", "b", "--output", "out", "a.wav"),
    Case(
      "takes one preset, not 2", "process", "--preset", "telephone", "--preset", "podcast-voice",
      "--output", "out", "a.wav"),
    Case(
      "takes one list, not 2", "process", "--preset", "telephone", "--output", "out", "--from-file",
      "a", "--from-file", "b"),
    Case("Say where results go", "process", "--preset", "telephone", "a.wav"),
    Case(
      "not both", "process", "--preset", "telephone", "--output", "out", "--output-file", "o.wav",
      "a.wav"),
    Case("Results are files", "process", "--preset", "telephone", "--output", "-", "a.wav"),
    Case("is empty", "process", "--preset", "telephone", "--output", "", "a.wav"),
    Case(
      "before the first --unit", "process", "--set", "gain=1", "--unit", "aufx:pmeq:appl",
      "--output", "out", "a.wav"),
    Case(
      "brings its own", "process", "--preset", "telephone", "--mix", "1", "--output", "o", "a.wav"),
    Case(
      "has no '='", "process", "--unit", "aufx:pmeq:appl", "--set", "gain", "--output", "o", "a.wav"
    ),
    Case(
      "--mix takes", "process", "--unit", "aufx:pmeq:appl", "--mix", "2", "--output", "o", "a.wav"),
    Case(
      "above the maximum 20 dB", "process", "--unit", "aufx:pmeq:appl", "--set", "gain=99",
      "--output", "o", "a.wav"),
    Case(
      "no parameter", "process", "--unit", "aufx:pmeq:appl", "--set", "x=9", "--output", "o",
      "a.wav"),
    Case("--tail", "process", "--preset", "telephone", "--tail", "-1", "--output", "out", "a.wav"),
    Case(
      "--latency", "process", "--preset", "telephone", "--latency", "no", "--output", "out", "a.wav"
    ),
    Case(
      "there is no container", "process", "--preset", "telephone", "--container", "doc",
      "--output", "out", "a.wav"),
    Case(
      "no container has files that end in '.xyz'", "process", "--preset", "telephone",
      "--output-file", "out.xyz", "a.wav"),
    Case(
      "'{stem}.wav' ends in .wav, which flac files do not: end it in .flac", "process", "--preset",
      "telephone", "--name", "{stem}.wav", "--container", "flac", "--output", "out", "a.wav"),
    Case(
      "'o.mp3' ends in .mp3, which w64 files do not", "process", "--preset", "telephone",
      "--container", "w64", "--output-file", "o.mp3", "a.wav"),
    Case(
      "--sample-rate takes 1000 to 768000 Hz, not 'fast'", "graph", "show", "telephone",
      "--sample-rate", "fast"),
    Case(
      "there is no encoding", "process", "--preset", "telephone", "--encoding", "pcm99",
      "--output", "out", "a.wav"),
    Case(
      "cannot write", "process", "--preset", "telephone", "--encoding", "vorbis",
      "--output", "out", "a.wav"),
    Case(
      "--sample-rate takes", "process", "--preset", "telephone", "--sample-rate", "fast",
      "--output", "out", "a.wav"),
    Case(
      "from 1000 to 768000 Hz", "process", "--preset", "telephone", "--sample-rate", "1",
      "--output", "out", "a.wav"),
    Case(
      "exactly one input", "process", "--preset", "telephone", "--output-file", "o.wav", "a.wav",
      "b.wav"),
    Case("is a folder", "process", "--preset", "telephone", "--output-file", ".", "a.wav"),
    Case(
      "would replace the input", "process", "--preset", "telephone", "--overwrite", "--output", ".",
      "a.wav"),
    Case("preset is empty", "process", "--preset", "", "--output", "out", "a.wav"),
    Case("--unit is given an empty text", "process", "--unit", "", "--output", "out", "a.wav"),
    Case(
      "there is no option '-dash.wav'; a file of that name is './-dash.wav'", "process", "--preset",
      "telephone", "--output", "out", "-dash.wav"),
    Case(
      "--jobs takes a number from 1 to 1024, not -1", "process", "--preset", "telephone",
      "--output", "out", "--jobs", "-1", "a.wav"),
    Case(
      "--mix is given twice", "process", "--unit", "aufx:pmeq:appl", "--mix", "1", "--mix", "0.5",
      "--output", "out", "a.wav"),
    Case(
      "--set cutoff frequency is given twice for one unit", "process", "--unit", "aufx:lpas:appl",
      "--set", "cutoff frequency=1 kHz", "--set", "cutoff frequency=2 kHz", "--output", "out",
      "a.wav"),
    Case(
      "--jobs takes a number from 1 to 1024, not 0", "process", "-j0", "--preset", "telephone",
      "--output", "out", "a.wav"),
    Case(
      "The value 'shapde' is invalid for '--dither", "process", "--preset", "telephone",
      "--output", "out", "--dither", "shapde", "a.wav"),
    Case(
      "The value 'some' is invalid for '--trim-silence", "process", "--preset",
      "telephone", "--output", "out", "--trim-silence", "some", "a.wav"),
    Case(
      "--fade-curve says how fades go", "process", "--preset", "telephone", "--fade-curve", "sine",
      "--output", "out", "a.wav"),
    Case(
      "--settle takes seconds", "watch", "in", "--settle", "-1", "--preset", "telephone",
      "--output", "out"),
    Case("leave 'a.wav' out", "process", "--resume", "out", "a.wav"),
    Case("leave --output out", "process", "--resume", "out", "--output", "o"),
    Case("leave --dry-run out", "process", "--resume", "out", "--dry-run"),
    Case("--set belongs to a --unit", "process", "--resume", "out", "--set", "gain=1"),
    Case(
      "leave --on-exists rename out", "process", "--preset", "telephone", "--in-place", "--backup",
      "--on-exists", "rename", "a.wav"),
    Case("The name of the folder to resume is empty", "process", "--resume", ""),
    Case("The name of an input is empty", "process", "--preset", "telephone", "-o", "out", ""),
    Case(
      "The name of the list of inputs is empty", "process", "--preset", "telephone", "-o", "out",
      "--from-file", ""),
    Case("the name of the folder is empty", "status", ""),
    Case("the name of the folder is empty", "report", ""),
    Case("the name of the folder is empty", "verify", ""),
    Case("Missing expected argument", "preset", "show"),
    Case("Missing expected argument", "preset", "check"),
    Case("Missing expected argument", "measure"),
  ]

  @Test(arguments: cases) func isRefused(_ test: Case) throws {
    let result = try runAuricle(test.arguments, environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardOutput.isEmpty)
    #expect(result.standardError.contains(test.says), "\(result.summary)")
    // Nothing was made of it.
    #expect(box.names("").filter { $0 != "a.wav" && $0 != "out" && $0 != "o" }.isEmpty)
    #expect(box.names("out").isEmpty)
  }

  @Test func shortOptionsMayHoldTheirNumber() throws {
    let result = try box.run(
      "process", "-j2", "--unit", "aufx:lpas:appl", "--output", "out", "a.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out").contains("a.wav"))
  }

  @Test func sampleRatesAreReadAlikeEverywhere() throws {
    for rate in ["44.1k", "44.1 kHz", "44100"] {
      let graph = try box.run(
        "graph", "show", "telephone", "--sample-rate", rate, "--format", "json")
      let record = try graph.json as? [String: Any]
      #expect(record?["sampleRate"] as? Double == 44_100, "\(graph.summary)")
    }
  }

  @Test func whatARenderEntryCannotBeNamesIt() throws {
    try box.folder.write(
      """
      auricle: 1
      name: two
      units: [{unit: "aufx:lpas:appl"}]
      render:
        - {name: master, container: wav}
        - {name: web, container: ogg}

      """, to: "two.yaml")
    let result = try box.run(
      "process", "--preset", "two.yaml", "--encoding", "pcm24", "--output", "out", "a.wav")
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(
      result.standardError.contains("render 'web': ogg files do not take the encoding pcm24"),
      "\(result.summary)")
  }

  /// What holds for every input is told once, before anything is made.
  @Test(arguments: [
    (["--container", "mp3", "--sample-rate", "96k"], "no mp3 files at 96000 Hz: MP3 takes only"),
    (["--container", "ac3", "--channels", "8"], "no ac3 files of 8 channels"),
    (["--container", "wav", "--bit-rate", "128k"], "wav files take no bit rate"),
    (["--container", "mp3", "--bit-rate", "900k"], "mp3 files take bit rates from 8000 to 320000"),
    (["--container", "opus", "--sample-rate", "44100"], "Opus takes only the sample rates"),
    (["--tail", "90000"], "--tail takes a day at most, not 90000 s"),
    (["--fade-in", "2:00:00"], "--fade-in takes an hour at most, not 7200 s"),
  ]) func filesThatNoInputCanBecomeAreRefused(words: [String], told: String) throws {
    let result = try box.run(
      ["process", "--preset", "telephone", "--output", "out"] + words + ["a.wav"])
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains(told), "\(result.summary)")
    #expect(!box.names("").contains("out"))
  }

  @Test func inputsThatAreNoneAreTold() throws {
    try box.folder.write("", to: "list")
    let list = try box.run(
      "process", "--preset", "telephone", "--output", "out", "--from-file", "list")
    #expect(list.exitCode == 66)
    #expect(list.standardError.contains("the list list names no files"), "\(list.summary)")
    let preset = try box.run("process", "--preset", "telephone.yaml", "--output", "out", "a.wav")
    #expect(preset.exitCode == 66)
    #expect(
      preset.standardError.contains("did you mean the preset 'telephone', by its name alone?"),
      "\(preset.summary)")
    try box.folder.makeFolder("exported")
    let folder = try box.run("process", "--preset", "exported", "--output", "out", "a.wav")
    #expect(folder.exitCode == 66)
    #expect(folder.standardError.contains("did you mean './exported'?"), "\(folder.summary)")
  }

  @Test(arguments: [
    ["-h"], ["--help"], ["process", "-h"], ["help", "process"], ["process", "-qh"],
  ])
  func helpIsHelp(_ words: [String]) throws {
    let result = try runAuricle(words, environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput.contains("OVERVIEW:"))
  }
}
