// Plain command lines, which need no parser, have the effect that they have with the parser.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

/// Each line is run twice. `--recursive`, the default, sends it to the parser of arguments the second time.
@Suite struct PlainLineTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in/deep")
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)
    for name in ["in/a.wav", "in/deep/b.wav"] {
      try Sound([noise, noise]).write(to: box(name), encoding: .pcm16)
    }
    try box.folder.write("in/a.wav\n", to: "list")
    try box.folder.write(
      "auricle: 1\nname: drawn\nunits:\n- unit: aufx:lpas:appl\n  parameters:\n"
        + "    cutoff frequency: {random: [500 Hz, 5 kHz]}\n", to: "drawn.yaml")
  }

  /// The options of `process` with a value: the names of the parser's description, and values with a visible effect.
  private static let valued: [String: [String]] = [
    "--preset": ["telephone", "none-such"], "-p": ["telephone"], "--unit": ["aufx:hpas:appl"],
    "--format-of": ["native"], "--unit-preset": ["0"], "--set": ["cutoff frequency=80 Hz"],
    "--mix": ["50 %"], "--output": ["out", "a.wav", ""], "-o": ["out"],
    "--name": ["{stem}-x.{ext}"],
    "--on-exists": ["skip", "rename", "never"], "--track": ["1", "-1"],
    "--tail": ["0.5", "none", "-1"], "--latency": ["keep", "x"], "--container": ["flac", "x"],
    "--encoding": ["pcm24"], "--bit-rate": ["192k"], "--strategy": ["vbr"], "--quality": ["5"],
    "--metadata": ["none"], "--video": ["drop", "x"], "--frames-per-slice": ["64", "0"],
    "--sample-rate": ["44100"], "--resample-quality": ["low", "x"], "--channels": ["mono"],
    "--loudness": ["-20", "none", "x"], "--input-loudness": ["-20"], "--true-peak": ["-6"],
    "--normalize": ["-3"], "--dither": ["tpdf", "x"], "--start": ["0.02", "-0.05"],
    "--end": ["0.05"], "--trim": ["0.01..0.06", ".."], "--trim-silence": ["-60"],
    "--fade-in": ["0.02"], "--fade-out": ["0.02", "-1"], "--fade-curve": ["linear", "x"],
    "--output-file": ["one.wav"], "--raw": ["pcm16,8000,1"], "--resume": ["none-such"],
    "--from-file": ["list"], "--report": ["r.json", "r.x"], "--variants": ["2", "0"],
    "--seed": ["7"], "--jobs": ["2", "0"], "-j": ["1"], "--sandbox": ["compat", "x"],
    "--allow-read": ["in", "none-such"], "--memory-limit": ["1G", "1"], "--stall-limit": ["5"],
    "--time-limit": ["30", "-1"], "--max-failures": ["0"], "--format": ["json", "x"],
  ]

  /// The lines around each option: in a folder, with a preset whose values are drawn.
  private static func lines(of option: [String]) -> [[String]] {
    let hasPlace = !["--output", "-o", "--output-file", "--resume"].contains(option[0])
    let hasUnits = ["--unit", "--set", "--mix", "--unit-preset", "--format-of"].contains(option[0])
    let hasInput = !["--from-file", "--resume"].contains(option[0])
    let chain =
      option[0] == "--preset" || option[0] == "-p"
      ? [] : hasUnits ? ["--unit", "aufx:lpas:appl"] : ["--preset", "./drawn.yaml"]
    return [
      chain + option + (hasPlace ? ["--output", "out"] : []) + (hasInput ? ["in/a.wav"] : [])
    ]
  }

  /// The exit code of a line, its results, and its messages without times.
  private func effect(_ words: [String]) throws -> [String] {
    for name in ["out", "a", "b", "one.wav", "r.json", "r.x"] {
      try? FileManager.default.removeItem(atPath: box(name))
    }
    let result = try runAuricle(words, environment: box.environment, in: box.folder.path)
    let names = ["one.wav"] + ((try? TemporaryNames.below(box("out"))) ?? []).map { "out/" + $0 }
    let sounds = names.filter { !$0.contains(".auricle") }.map { name in
      let bytes = FileManager.default.contents(atPath: box(name)) ?? Data()
      return "\(name): \(bytes.count), \(bytes.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) })"
    }
    let errors = result.standardError.split(separator: "\n").filter { !$0.contains(" in 0.") }
    return [String(describing: result.exitCode)] + sounds
      + (result.exitCode == 0 ? [] : errors.map(String.init))
  }

  private func expectSame(_ words: [String]) throws {
    let plain = try effect(words)
    let parsed = try effect([words[0], "--recursive"] + words.dropFirst())
    #expect(plain == parsed, "\(words)")
  }

  @Test(arguments: valued.keys.sorted()) func optionWithValue(name: String) throws {
    for value in Self.valued[name] ?? [] {
      for line in Self.lines(of: [name, value]) { try expectSame(["process"] + line) }
    }
    if name.hasPrefix("--"), let value = Self.valued[name]?.first {
      for line in Self.lines(of: [name + "=" + value]) { try expectSame(["process"] + line) }
    }
  }

  private static let flags = [
    "--overwrite", "--tolerant", "--dual-mono", "--measure", "--in-place", "--backup", "--dry-run",
    "--no-recursive", "--new-run", "--pictures", "--allow-net", "--quiet", "-q", "--verbose", "-v",
  ]

  @Test(arguments: flags) func flag(name: String) throws {
    try expectSame(["process", "--loudness", "-20", "--output", "out", name, "in"])
  }

  @Test(arguments: [
    "--quiet --verbose in", "--output", "--nonsense in", "in --loudness", "-qv in",
    "--quiet=yes in", "--output a --output b in", "-- in",
    "--set cutoff=80 --unit aufx:hpas:appl in",
    "--unit --quiet in", "--start --quiet in", "-x in", "",
  ]) func fault(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    try expectSame(["process", "--preset", "telephone", "--output", "out"] + words)
  }

  @Test func orderOfUnitsCounts() throws {
    let units = ["--unit", "aufx:lpas:appl", "--mix", "0.5", "--set", "cutoff frequency=300 Hz"]
    let others = ["--unit", "aufx:hpas:appl", "--set", "cutoff frequency=900 Hz"]
    let ends = ["--output-file", "one.wav", "in/a.wav"]
    try expectSame(["process"] + units + others + ends)
    try expectSame(["process", "in/a.wav"] + others + units + ends.dropLast())
    #expect(try effect(["process"] + units + others + ends) != effect(["process"] + others + ends))
  }

  @Test func everyOptionOfTheParserIsKnown() throws {
    let help = try runAuricle(["process", "--help-all"], environment: box.environment)
    let names = help.standardOutput.matches(of: /\n +(?:-\w, )?(--[a-z-]+)/).map {
      String($0.output.1)
    }
    let known = Array(Self.valued.keys) + Self.flags + ["--recursive", "--help", "--version"]
    let unknown = names.filter { !known.contains($0) }
    #expect(names.count > 50 && unknown.isEmpty, "\(unknown)")
  }

  @Test func otherCommandsReadTheirLines() throws {
    for line in [
      ["convert", "in/a.wav", "one.wav", "--encoding", "pcm24"],
      ["convert", "in", "out/", "--container", "flac"], ["convert", "--list-formats", "in"],
    ] { try expectSame(line) }
    // These have no option that changes nothing: `--` sends them to the parser.
    for line in [
      ["info", "--format", "json", "aufx:hpas:appl"], ["info"], ["list", "aufx:*:appl"],
      ["list", "--uris", "--search", "reverb"], ["list", "--format", "json"],
    ] {
      let plain = try runAuricle(line, environment: box.environment)
      let parsed = try runAuricle(
        line.first == "info" && line.count > 1
          ? line.dropLast() + ["--", line.last ?? ""] : line + ["--"],
        environment: box.environment)
      #expect(plain.exitCode == parsed.exitCode)
      #expect(plain.standardOutput == parsed.standardOutput)
      #expect(plain.standardError == parsed.standardError)
    }
  }
}
