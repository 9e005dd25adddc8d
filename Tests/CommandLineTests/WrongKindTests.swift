// Files of the wrong kind, and standard input: the messages name the right command.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct WrongKindTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.noise(seed: 3, amplitude: 0.25, frameCount: 4800)]).write(
      to: box("a.wav"))
    let track: [UInt8] = [0, 0x90, 60, 100, 0x60, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    let song =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
      + [0, 0, 0, UInt8(track.count)] + track
    try Data(song).write(to: URL(fileURLWithPath: box("song.mid")))
  }

  @Test(arguments: [
    ["measure", "song.mid"], ["convert", "song.mid", "x.wav"],
    ["process", "--loudness", "-16", "--output", "out", "song.mid"],
  ]) func aSongNamesRender(arguments: [String]) throws {
    let result = try box.run(arguments)
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(result.standardError.contains("auricle render"), "\(result.summary)")
    #expect(!result.standardError.contains("fluidsynth"))
  }

  @Test func aSongIsNoSoundFile() throws {
    let result = try box.run("file", "info", "song.mid")
    #expect(result.exitCode == 65 && result.standardError.contains("auricle midi info"))
  }

  @Test func aSoundFileIsNoSong() throws {
    for arguments in [["render", "a.wav", "-o", "x.wav"], ["midi", "info", "a.wav"]] {
      let result = try box.run(arguments)
      #expect(result.exitCode == 65, "\(result.summary)")
      #expect(result.standardError.contains("auricle process"), "\(result.summary)")
    }
  }

  @Test(arguments: [
    ["preset", "show", "a.wav"], ["preset", "check", "./a.wav"], ["graph", "show", "a.wav"],
    ["process", "--preset", "a.wav", "--output", "out", "a.wav"], ["info", "a.wav"],
    ["process", "--unit", "./a.wav", "--output", "out", "a.wav"], ["plot", "a.wav"],
    ["say", "--lines", "a.wav", "-o", "out"],
  ]) func aSoundFileIsNoPresetUnitOrText(arguments: [String]) throws {
    let result = try box.run(arguments)
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(result.standardError.contains("a sound file: auricle process"), "\(result.summary)")
    let song = try box.run(arguments.map { $0.replacing("a.wav", with: "song.mid") })
    #expect(song.exitCode == 65, "\(song.summary)")
    #expect(song.standardError.contains("a MIDI file: auricle render"), "\(song.summary)")
  }

  /// A name of another kind than the command wants names the option and the command that are for it.
  @Test(arguments: [
    (["info", "telephone"], 69, "no component, but a preset (--preset telephone)"),
    (["validate", "telephone"], 2, "no component, but a preset"),
    (["process", "--unit", "telephone", "-o", "out", "a.wav"], 69, "no component, but a preset"),
    (["live", "--unit", "telephone", "--output", "file:o.wav"], 69, "no component, but a preset"),
    (["info", "mpeg-layer3"], 69, "no component, but an encoding (--encoding mpeg-layer3)"),
    (["preset", "show", "aufx:lpas:appl"], 66, "no preset, but a unit (--unit aufx:lpas:appl)"),
    (["graph", "show", "aac"], 66, "no preset, but a container"),
    (["process", "-p", "aufx:lpas:appl", "-o", "out", "a.wav"], 66, "no preset, but a unit"),
    (["say", "One", "--voice", "telephone"], 64, "no voice, but a preset"),
    (["say", "--lines", "telephone", "-o", "out"], 66, "no file, but a preset"),
    (["play", "telephone"], 66, "no file, but a preset"),
    (["play", "a.wav", "--device", "telephone"], 69, "no device, but a preset"),
    (["measure", "telephone"], 66, "no file, but a preset"),
    (["file", "info", "aufx:lpas:appl"], 66, "no file, but a unit"),
    (["process", "-p", "telephone", "-o", "out", "telephone"], 66, "but a preset"),
    (["render", "song.mid", "--bank", "telephone", "-o", "x.wav"], 66, "bank, but a preset"),
  ]) func aNameOfAnotherKindNamesItsPlace(words: [String], code: Int32, says: String) throws {
    let result = try box.run(words)
    #expect(result.exitCode == code, "\(result.summary)")
    #expect(result.standardError.contains("is no ") && result.standardError.contains(says))
    #expect(result.standardError.split(separator: "\n").count == 1, "\(result.summary)")
    // The unit that speaks may note settings of a sound server.
    #expect(box.names("").filter { $0 != "home" } == ["a.wav", "song.mid"])
  }

  @Test func aSoundBankNamesRender() throws {
    try Data("RIFF\u{8}\0\0\0sfbkLIST".utf8).write(to: URL(fileURLWithPath: box("b.sf2")))
    for words in [["play", "b.sf2"], ["file", "info", "b.sf2"], ["info", "b.sf2"]] {
      let result = try box.run(words)
      #expect(result.exitCode == 65 && result.standardError.contains("auricle render --bank"))
    }
  }

  /// On a terminal, a message breaks between words.
  @Test func messagesFitATerminal() throws {
    let result = try runProcess(
      "script", ["-qec", "stty cols 60; \(Places.auricle) info nope", "/dev/null"],
      environment: box.environment, in: box.folder.path)
    let lines = result.standardOutput.split { $0.isNewline }
    #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 60 }, "\(result.summary)")
  }

  @Test func aFileIsNoRun() throws {
    let result = try box.run("verify", "a.wav")
    #expect(result.exitCode == 66 && result.standardError.contains("a.wav is a file"))
  }

  @Test func aPlanOfNothingIsNotMade() throws {
    let result = try box.run(
      "plan", "--loudness", "-16", "--output", "out", "--shards", "2", "a.wav", "nothing")
    #expect(result.exitCode == 66, "\(result.summary)")
    #expect(result.standardError == "auricle: there is no file or folder nothing\n")
    #expect(!FileManager.default.fileExists(atPath: box("out")))
  }

  @Test(arguments: ["< a.wav", "< <(cat a.wav)"]) func standardInputIsMeasured(way: String) throws {
    let script = "\(Places.auricle) measure --format json - \(way)"
    let result = try runProcess(
      "/bin/bash", ["-c", script], environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    let found = try #require((try result.json as? [[String: Any]])?.first)
    #expect(found["path"] as? String == "-" && found["frames"] as? Int == 4800)
    let info = try runProcess(
      "/bin/bash", ["-c", "\(Places.auricle) file info - \(way)"], environment: box.environment,
      in: box.folder.path)
    #expect(info.exitCode == 0, "\(info.summary)")
  }

  @Test func standardInputThatIsNoSoundIsNamed() throws {
    let result = try runProcess(
      "/bin/bash", ["-c", "echo text | \(Places.auricle) measure -"],
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 65 && result.standardError.contains("standard input"))
    #expect(!result.standardError.contains("/proc"))
  }

  @Test func tablesFitALine() throws {
    let result = try box.run("measure", "a.wav")
    #expect(result.lines.allSatisfy { $0.count <= 100 }, "\(result.summary)")
    #expect(!result.standardOutput.contains("momentary"))
    #expect(try box.run("measure", "--verbose", "a.wav").standardOutput.contains("momentary"))
  }

  /// Names that leave no room for their figures have them below.
  @Test func linesOfLongNamesFit() throws {
    let folder = "in/" + String(repeating: "long ", count: 12) + "name"
    try box.folder.makeFolder(folder)
    try FileManager.default.copyItem(atPath: box("a.wav"), toPath: box(folder + "/a.wav"))
    try box.folder.write("no sound", to: folder + "/b.wav")
    let result = try box.run("process", "--loudness", "-16", "--output", "out", "in")
    #expect(result.exitCode == 1 && result.lines.count == 2, "\(result.summary)")
    let report = try box.run("report", "out")
    #expect((result.lines + report.lines).allSatisfy { $0.count <= 100 }, "\(report.summary)")
  }

  @Test func submittingWithoutSlurmIsOneSentence() throws {
    let planned = try box.run(
      "plan", "--loudness", "-16", "--output", "out", "--shards", "1", "a.wav")
    try #require(planned.exitCode == 0, "\(planned.summary)")
    let result = try box.run("submit", "out", "--slurm", environment: ["PATH": "/nowhere"])
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(result.standardError.hasPrefix("auricle: there is no scontrol here"))
    #expect(result.lines.isEmpty && result.standardError.split(separator: "\n").count == 1)
  }

  @Test func severalFilesAreOnlyPlayedOnce() throws {
    let result = try box.run("play", "a.wav", "a.wav", "--loop")
    #expect(result.exitCode == 64 && result.standardError.contains("--loop plays one file"))
  }

  @Test func aPipeIsPlayed() throws {
    try box.folder.makeFolder("temporary")
    let script =
      "cat a.wav | \(Places.auricle) play - --device file:\(box("played.wav")),clock=free"
    let result = try runProcess(
      "/bin/bash", ["-c", script],
      environment: box.environment.merging(["TMPDIR": box("temporary")]) { $1 },
      in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try Sound(path: box("played.wav")).channels[0].contains { $0 != 0 })
    let left = try FileManager.default.contentsOfDirectory(atPath: box("temporary"))
    #expect(left.isEmpty, "\(left)")
  }

  @Test func nearNamesAreNear() throws {
    for word in ["nope", "what"] {
      let result = try box.run("info", word)
      #expect(result.exitCode == 69 && !result.standardError.contains("did you mean"))
    }
    #expect(try box.run("info", "lpaz").standardError.contains("aufx:lpas:appl"))
  }
}
