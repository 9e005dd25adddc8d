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
    Case("unknown option '--verson'; did you mean '--version'? (auricle --help)", "--verson"),
    Case("unknown option '--hlep'; did you mean '--help'?", "--hlep"),
    Case("there is no command 'versoin'; did you mean '--version'?", "versoin"),
    Case("--report writes a web page", "validate", "aufx:lpas:appl", "--report", "x.pdf"),
    Case("name a folder with -o", "say", "--lines", "a.txt", "-o", "x.wav"),
    Case("there is no command 'preset lst'; did you mean 'list'?", "preset", "lst"),
    Case("there is no command 'scann'", "help", "scann"),
    Case("there is no command 'transcode': auricle convert IN OUT", "transcode", "a.wav"),
    Case(
      "unknown option '--presett'; did you mean '--preset'? (auricle process --help)", "process",
      "--presett", "x"),
    Case("unknown option '--settel'; did you mean '--settle'?", "watch", "in", "--settel", "3"),
    Case(
      "unknown option '--out'; did you mean '--output' or '--output-file'? (auricle", "process",
      "--out", "x", "a.wav"),
    Case("unknown option '--PRESET'; did you mean '--preset'? (", "process", "--PRESET", "x"),
    Case("unknown option '--outputs'; did you mean '--output'? (", "process", "--outputs", "x"),
    Case("there is no command 'midi show'; did you mean 'midi info'?", "midi", "show", "a.mid"),
    Case("there is no command 'process nope' (auricle process --help)", "help", "process", "nope"),
    Case("no option '-v.wav'; a file of that name is './-v.wav'", "process", "-v.wav", "-o", "o"),
    Case(
      "'—output' begins with a dash that is not on the keyboard: write --output", "process",
      "—output", "out", "a.wav"),
    Case("write --loudness=-16", "process", "−−loudness=-16", "-o", "out", "a.wav"),
    // A number below zero is a value, and no option.
    Case(
      "rate from 1000 to 768000 Hz such as 48000, not '-1'", "process", "--sample-rate", "-1", "-o",
      "out", "a.wav"),
    Case(
      "--mix takes 0 to 1 or 0 % to 100 %, not '-0.1'", "process", "--unit", "aufx:lpas:appl",
      "--mix", "-0.1", "-o", "out", "a.wav"),
    Case("--start takes a time such as 90 or 1:30, not '-5'", "play", "--start", "-5", "a.wav"),
    Case("'telephone' is no command, but a preset (--preset telephone)", "telephone"),
    Case("'aufx:lpas:appl' is no command, but a unit", "aufx:lpas:appl"),
    Case("'telephone' is no argument, but a preset", "live", "telephone"),
    Case(
      "'m4a' is no encoding, but a container (--container m4a)", "convert", "--encoding", "m4a",
      "a.wav", "x.m4a"),
    Case(
      "'pcm16' is no container, but an encoding", "convert", "--container", "pcm16", "a.wav",
      "x.wav"),
    Case(
      "there is no container 'wavv'; did you mean 'wav'", "convert", "--container", "wavv",
      "a.wav", "x.wav"),
    Case("unknown option '-v'; did you mean '--version'? (auricle --help)", "-v"),
    Case("'a.wav' is no command, but a sound file: auricle process runs it", "a.wav"),
    Case("argument 'a.wav', which is a sound file: auricle process runs it", "live", "a.wav"),
    Case("'a.wav' is no type of units, but a sound file", "list", "a.wav"),
    Case("did you mean 'file info a.wav'? (auricle file --help)", "file", "a.wav"),
    Case(
      "--loudness takes none or -70 to 0 LUFS, not '-16dBFS'", "process", "--loudness", "-16dBFS"),
    Case("would replace the input a.wav: choose another name", "convert", "a.wav", "a.wav"),
    Case("or --container flac (auricle process --help)", "process", "a.wav"),
    Case("unknown option", "list", "--frobnicate"),
    Case("'abc' is not a code of four characters, such as aufx: find units by name", "list", "abc"),
    Case("auricle: unknown option '--foo' (auricle process --help)", "process", "--foo"),
    // A word is refused with the range, as a number outside of it is.
    Case("-j takes a whole number from 1 to 1024, not '1.5'", "process", "-j", "1.5", "a.wav"),
    Case(
      "--stall-limit takes 0.001 to 1000000 seconds, not 'x'", "play", "--stall-limit", "x", "a"),
    Case(
      "--memory-limit takes a size such as 512M, 8G or 1T, at least 64M, not '1K'", "process",
      "--memory-limit", "1K", "a.wav"),
    Case(
      "--width takes a whole number of pixels from 100 to 10000, not '-1'", "plot", "x", "--width",
      "-1"),
    Case("--level takes a whole number from 1 to 10, not '0'", "plugin", "dev", "--level", "0"),
    Case("--jobs takes a whole number from 1 to 1024, not 'x'", "process", "--jobs", "x", "a.wav"),
    Case(
      "--jobs takes a whole number from 1 to 1024, not '1.5'", "process", "--jobs", "1.5", "a.wav"),
    Case(
      "--channels takes a whole number from 1 to 64, not 'two' (auricle live --help)", "live",
      "--channels=two"),
    Case(
      "--seed takes a whole number from 0 to 18446744073709551615, not '-1'", "process", "--seed",
      "-1", "a.wav"),
    Case("--start takes a time such as 90, 1:30 or -5, not 'x'", "process", "--start", "x", "a"),
    Case("songs are files", "render", "-", "-o", "a.wav"),
    Case("tags are written into files", "tag", "--replaygain", "-"),
    Case("4 parts", "list", "aufx:lpas:appl:x"),
    Case(
      "auricle: --format takes text or json, not 'xml' (auricle list --help)", "list", "--format",
      "xml"),
    Case("auricle: missing expected argument '<unit>' (auricle info --help)", "info"),
    Case("missing expected argument", "process", "--preset", "telephone", "--output", "out"),
    Case("did you mean 'graph show telephone'?", "graph", "telephone"),
    Case(
      "--kind takes response, phase, curve, impulse, step or spectrogram, not 'x'", "plot", "x",
      "--kind", "x"),
    Case(
      "--sample-rate takes 1000 to 768000 Hz, not '1' (auricle graph show --help)", "graph", "show",
      "telephone", "--sample-rate", "1"),
    Case("; a watched folder needs one (auricle watch --help)", "watch", "in", "--preset", "x"),
    Case(
      "--loudness takes none or -70 to 0 LUFS, not '3'", "process", "--loudness", "3", "-o", "out",
      "a.wav"),
    Case(
      "--output takes a name that ends in .svg or .png, not 'x.gif'", "plot", "x", "-o", "x.gif"),
    Case("--level takes a whole number from 1 to 10, not '11'", "validate", "--level", "11", "x"),
    Case(
      "--encoding takes pcm16, pcm24, pcm32 or float32, not 'x'", "record", "x.wav", "--encoding",
      "x"),
    Case("there is no parameter 'x'", "live", "--unit", "aufx:lpas:appl", "--set", "x=1"),
    Case(
      "there is no parameter 'x'", "record", "x.wav", "--unit", "aufx:lpas:appl", "--set", "x=1"),
    // Faults of what was typed come before any device: none is opened, and no file made for it.
    Case(
      "there is no parameter 'x'", "live", "--unit", "aufx:lpas:appl", "--set", "x=1", "--output",
      "file:made.wav,in=a.wav"),
    Case("takes one preset, not 2", "live", "--preset", "telephone", "--preset", "podcast-voice"),
    Case("the text of --unit is empty", "record", "x.wav", "--unit", ""),
    Case("'clock=fast' in the device", "live", "--output", "file:made.wav,clock=fast"),
    Case("'clock=fast' in the device", "record", "x.wav", "--device", "file:b,clock=fast"),
    Case("'clock=fast' in the device", "play", "a.wav", "--device", "file:b,clock=fast"),
    Case("'clock=fast' in the device", "say", "One", "--device", "file:b,clock=fast"),
    Case("did you mean 'preset show telephone'?", "preset", "telephone"),
    Case(
      "'x.flac' is the name of a file: give --output-file x.flac, or --output x.flac/ for a folder",
      "process", "-p", "telephone", "-o", "x.flac", "a.wav"),
    Case("name a chain", "process", "--output", "out", "a.wav"),
    Case("not both", "process", "--preset", "a", "--unit", "b", "--output", "out", "a.wav"),
    Case(
      "takes one preset, not 2", "process", "--preset", "telephone", "--preset", "podcast-voice",
      "--output", "out", "a.wav"),
    Case(
      "takes one list, not 2", "process", "--preset", "telephone", "--output", "out", "--from-file",
      "a", "--from-file", "b"),
    Case("say where results go", "process", "--preset", "telephone", "a.wav"),
    Case(
      "not both", "process", "--preset", "telephone", "--output", "out", "--output-file", "o.wav",
      "a.wav"),
    Case("results are files", "process", "--preset", "telephone", "--output", "-", "a.wav"),
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
    Case("MPEG audio of layer 2, which is read, not written", "convert", "a.wav", "out.mp2"),
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
    Case("the text of --unit is empty", "process", "--unit", "", "--output", "out", "a.wav"),
    Case(
      "there is no option '-dash.wav'; a file of that name is './-dash.wav'", "process", "--preset",
      "telephone", "--output", "out", "-dash.wav"),
    Case(
      "--jobs takes a whole number from 1 to 1024, not '-1'", "process", "--preset", "telephone",
      "--output", "out", "--jobs", "-1", "a.wav"),
    Case(
      "--mix is given twice", "process", "--unit", "aufx:pmeq:appl", "--mix", "1", "--mix", "0.5",
      "--output", "out", "a.wav"),
    Case(
      "--set cutoff frequency is given twice for one unit", "process", "--unit", "aufx:lpas:appl",
      "--set", "cutoff frequency=1 kHz", "--set", "cutoff frequency=2 kHz", "--output", "out",
      "a.wav"),
    Case(
      "-j takes a whole number from 1 to 1024, not '0'", "process", "-j0", "--preset", "telephone",
      "--output", "out", "a.wav"),
    Case(
      "--dither takes tpdf, shaped or none, not 'shapde'", "process", "--preset", "telephone",
      "--output", "out", "--dither", "shapde", "a.wav"),
    Case(
      "--trim-silence takes none or -150 to 0 dBFS, not 'some'", "process", "--preset",
      "telephone", "--output", "out", "--trim-silence", "some", "a.wav"),
    Case(
      "--fade-curve shapes fades, and there is none", "process", "--preset", "telephone",
      "--fade-curve", "sine",
      "--output", "out", "a.wav"),
    Case(
      "--settle takes 0.1 to 86400 seconds, not '-1'", "watch", "in", "--settle", "-1", "--preset",
      "telephone",
      "--output", "out"),
    Case("leave 'a.wav' out", "process", "--resume", "out", "a.wav"),
    Case("leave --output out", "process", "--resume", "out", "--output", "o"),
    Case("leave --dry-run out", "process", "--resume", "out", "--dry-run"),
    Case("--set belongs to a --unit", "process", "--resume", "out", "--set", "gain=1"),
    Case(
      "leave --on-exists rename out", "process", "--preset", "telephone", "--in-place", "--backup",
      "--on-exists", "rename", "a.wav"),
    Case("the name of the folder to resume is empty", "process", "--resume", ""),
    Case("the name of an input is empty", "process", "--preset", "telephone", "-o", "out", ""),
    Case(
      "the name of the list of inputs is empty", "process", "--preset", "telephone", "-o", "out",
      "--from-file", ""),
    Case("the name of the folder is empty", "status", ""),
    Case("the name of the folder is empty", "report", ""),
    Case("the name of the folder is empty", "verify", ""),
    Case("--overwrite takes no value, not 'yes' (auricle process", "process", "--overwrite=yes"),
    Case("2 unexpected arguments: 'b', 'c' (auricle info --help)", "info", "a", "b", "c"),
    Case("unexpected argument 'x' (auricle devices --help)", "devices", "x"),
    Case("unknown option '-x' (auricle devices --help)", "devices", "-x"),
    Case("there is no option '-qx'; a file of that name is './-qx'", "process", "-qx"),
    Case("missing value for '-j' (auricle process --help)", "process", "a.wav", "-j"),
    Case(
      "--on-exists takes error, skip, rename or overwrite, not 'never'", "watch", "in",
      "--on-exists",
      "never"),
    Case(
      "--format-of takes native, lv2, clap, vst3, ladspa or program, not 'au' (auricle info --help)",
      "info",
      "--format-of", "au", "reverb"),
    Case(
      "--port takes a whole number from 0 to 65535, not 'a! b. c'", "studio", "--port", "a! b. c"),
    Case("there is no command 'midi monitor' (auricle midi --help)", "midi", "monitor", "keys"),
    Case(
      "there is no command 'preset telephone'; did you mean 'preset show telephone'?", "preset",
      "telephone"),
    Case("standard input, '-', is named 2 times: name it once", "measure", "-", "-"),
    Case("standard input, '-', is named 3 times", "file", "info", "-", "-", "-"),
    Case("standard input, '-', is named 2 times", "midi", "info", "-", "-"),
    Case("standard input, '-', is named 2 times", "play", "-", "-"),
    Case("recordings are WAVE files: give 'o.mp3' a name that ends in .wav", "record", "o.mp3"),
    Case("missing expected argument", "preset", "show"),
    Case("missing expected argument", "preset", "check"),
    Case("missing expected argument", "measure"),
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

  /// Every fault is one line that begins with the program's name, from any part of it.
  @Test(arguments: [
    ["process", "--presett"], ["process", "-o", "out", "a.wav"], ["frobnicate"], ["info"],
    ["measure", "missing.wav"],
  ]) func faultsAreReportedInOneStyle(words: [String]) throws {
    let result = try runAuricle(words, environment: box.environment, in: box.folder.path)
    #expect(result.errorLines.count == 1, "\(result.summary)")
    #expect(result.standardError.hasPrefix("auricle: "), "\(result.summary)")
  }

  @Test func anEmptyFolderLeavesNothingBehind() throws {
    try box.folder.makeFolder("empty")
    let result = try box.run("process", "-p", "telephone", "--output", "out", "empty")
    #expect(result.exitCode == 66, "\(result.summary)")
    #expect(result.standardError == "auricle: the folder empty has no audio files in it\n")
    #expect(!box.names("").contains("out"))
  }

  /// A name in the wrong place is answered with its kind.
  @Test(arguments: [
    (["folder"], Int32(64), "'folder' is no command, but a folder"),
    (["info", "folder"], 69, "'folder' is no component, but a folder"),
    (["preset", "show", "folder"], 66, "'folder' is no preset, but a folder"),
    (["preset", "show", "Filter"], 66, "auricle list --search Filter lists them"),
  ]) func kindOfName(words: [String], code: Int32, part: String) throws {
    try box.folder.makeFolder("folder")
    _ = try box.run("list")
    let result = try box.run(words)
    #expect(result.exitCode == code && result.standardError.contains(part), "\(result.summary)")
  }

  @Test func everyMissingInputIsAnEvent() throws {
    let result = try box.run(
      "process", "-p", "telephone", "--output", "out", "--format", "json", "one.wav", "two.wav")
    #expect(result.exitCode == 66, "\(result.summary)")
    let events = try result.standardOutput.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    let files = events.filter { $0?["event"] as? String == "file" }
    #expect(
      files.map { ($0?["input"] as? [String: Any])?["path"] as? String } == ["one.wav", "two.wav"])
    #expect(files.allSatisfy { $0?["status"] as? String == "failed" && $0?["code"] as? Int == 66 })
    let counts = events.last??["counts"] as? [String: Any]
    #expect(events.count == 3 && counts?["failed"] as? Int == 2, "\(result.summary)")
  }

  @Test func namesOfNothingLeaveNothingBehind() throws {
    let two = try box.run("process", "-p", "telephone", "--output", "out", "one.wav", "two.wav")
    #expect(two.exitCode == 66, "\(two.summary)")
    #expect(
      two.standardError
        == "auricle: there is no file or folder one.wav, nor the other one that you name\n")
    #expect(!box.names("").contains("out"))
  }

  /// After a mistake in the chain, no message about existing results comes first.
  @Test(arguments: [["--output", "out", "out/a.wav"], ["--output-file", "a.wav", "a.wav"]])
  func aFaultInTheChainComesFirst(words: [String]) throws {
    try box.folder.makeFolder("out")
    try FileManager.default.copyItem(atPath: box("a.wav"), toPath: box("out/a.wav"))
    let result = try box.run(["process", "--unit", "aufx:lpas:appl", "--set", "x=9"] + words)
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains("there is no parameter 'x'"), "\(result.summary)")
    #expect(!result.standardError.contains("exist"), "\(result.summary)")
  }

  /// A factor that is called a gain accepts dB; a word far from every name is not guessed at.
  @Test func plainFactorsAcceptDecibels() throws {
    let uri = "http://calf.sourceforge.net/plugins/Compressor"
    let shown = try box.run("list", "--uris", "--search", uri)
    try #require(shown.standardOutput.contains(uri), "calf-plugins is not installed")
    try box.folder.write(
      "auricle: 1\nname: G\nunits:\n  - unit: \(uri)\n    parameters: {threshold: -20 dB}\n",
      to: "g.yaml")
    let graph = try box.run("graph", "show", "g.yaml")
    #expect(graph.standardOutput.contains("Threshold 0.1"), "\(graph.summary)")
    let far = try box.run("info", "foob")
    #expect(!far.standardError.contains("did you mean"), "\(far.summary)")
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

  /// A message for every input appears once, before anything is made.
  @Test(arguments: [
    (["--container", "mp3", "--sample-rate", "96k"], "no mp3 files at 96000 Hz: MP3 takes only"),
    (["--container", "ac3", "--channels", "8"], "no ac3 files of 8 channels"),
    (["--container", "wav", "--bit-rate", "128k"], "wav files take no bit rate"),
    (["--container", "wav", "--strategy", "vbr"], "wav files have no bits to save"),
    (
      ["--container", "wav", "--encoding", "pcm24", "--strategy", "vbr"],
      "wav files with pcm24 have no bits to save"
    ),
    (["--container", "mp3", "--bit-rate", "900k"], "mp3 files take bit rates from 8000 to 320000"),
    (["--container", "opus", "--sample-rate", "44100"], "Opus takes only the sample rates"),
    (
      ["--tail", "90000"], "--tail takes auto, none, keep-length or 0 to 86400 seconds, not '90000'"
    ),
    (["--fade-in", "2:00:00"], "--fade-in takes 0 to 3600 seconds, not '2:00:00'"),
  ]) func filesThatNoInputCanBecomeAreRefused(words: [String], reported: String) throws {
    let result = try box.run(
      ["process", "--preset", "telephone", "--output", "out"] + words + ["a.wav"])
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains(reported), "\(result.summary)")
    #expect(!box.names("").contains("out"))
  }

  @Test func inputsThatAreNoneAreReported() throws {
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
    try box.folder.write("auricle: 1\nname: x\n", to: "exported/x.yaml")
    try box.folder.write("", to: "exported/SHA256SUMS")
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
