// `auricle process` over real files, with units that ship and LV2 plug-ins.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct ProcessTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private static let lookahead = "http://plugin.org.uk/swh-plugins/fastLookaheadLimiter"
  private static let amp = "http://lv2plug.in/plugins/eg-amp"

  private func noise(_ frameCount: Int = 24_000, seed: UInt64 = 1, amplitude: Float = 0.25)
    -> [Float]
  {
    TestSignal.noise(seed: seed, amplitude: amplitude, frameCount: frameCount)
  }

  @Test func aPresetOverFilesAndFolders() throws {
    for (index, name) in ["talk1.wav", "talks/b.flac", "talks/sub/c.aiff"].enumerated() {
      try box.folder.write("", to: name)
      try Sound([noise(seed: UInt64(index))]).write(to: box(name), encoding: .pcm16)
    }
    try box.folder.write("not sound", to: "talks/notes.txt")
    let result = try box.run(
      "process", "--preset", "podcast-voice", "--output", "out/", "talk1.wav", "talks/")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try TemporaryNames.below(box("out")) == ["b.flac", "sub/c.aiff", "talk1.wav"])
    #expect(result.lines.count == 3)
    #expect(result.errorLines.last?.hasPrefix("3 files done") == true, "\(result.summary)")
    let reader = try AudioFileReader(path: box("out/sub/c.aiff"))
    #expect(reader.format.encoding == .pcm16)
    #expect(reader.format.channelCount == 1)
  }

  @Test func unitsInOrderWithTheirSettings() throws {
    try Sound([noise(), noise(seed: 2)]).write(to: box("in.wav"))
    // Twice the example amplifier: the first at -6 dB, the second mixed to one half at -20 dB.
    let result = try box.run(
      "process", "--unit", Self.amp, "--set", "gain=-6.0206", "--unit", Self.amp, "--mix", "50 %",
      "--set", "gain=-20 dB", "--tail", "none", "--output-file", "loud.wav", "in.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let input = try Sound(path: box("in.wav")).channels
    let output = try Sound(path: box("loud.wav")).channels
    let expected = input.map { $0.map { $0 * 0.5 * 0.55 } }
    for (one, other) in zip(output, expected) { #expect(maximumDifference(one, other) < 1e-5) }
  }

  @Test func anImpulseComesOutAtItsOwnPlace() throws {
    let impulse = TestSignal.impulse(at: 1000, amplitude: 0.5, frameCount: 5000)
    try Sound([impulse, impulse]).write(to: box("in.wav"))
    let result = try box.run(
      "process", "--unit", Self.lookahead, "--format", "json", "--output", "out", "in.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try result.fileLines.first?["latencyFrames"] as? Int == 240)
    let output = try Sound(path: box("out/in.wav"))
    for channel in output.channels { #expect(peakIndex(channel) == 1000) }

    let kept = try box.run(
      "process", "--unit", Self.lookahead, "--latency", "keep", "--output", "kept", "in.wav")
    #expect(kept.exitCode == 0)
    #expect(peakIndex(try Sound(path: box("kept/in.wav")).channels[0]) == 1240)
  }

  @Test func reverbsRingOut() throws {
    try Sound([noise(4800), noise(4800, seed: 2)]).write(to: box("in.wav"))
    for (index, unit) in ["aufx:mrev:appl", "http://plugin.org.uk/swh-plugins/plate"].enumerated() {
      let out = "out\(index)"
      let result = try box.run(
        "process", "--unit", unit, "--format", "json", "--output", out, "in.wav")
      #expect(result.exitCode == 0, "\(result.summary)")
      let sound = try Sound(path: box(out + "/in.wav"))
      #expect(sound.frameCount > 4800 + 12_000, "\(unit): \(sound.frameCount)")
      // It ends with sound that is just audible, not with a stretch of silence.
      let end = sound.channels.map { peak($0.suffix(1)) }.max() ?? 0
      #expect(end > 3.1e-5 && end < 0.01, "\(unit): ends at \(end)")
      #expect(try result.fileLines.first?["tailFrames"] as? Int == sound.frameCount - 4800)
    }
  }

  @Test(arguments: [
    ("none", 4800), ("keep-length", 4800), ("0.25", 16_800), ("1 s", 52_800), ("250ms", 16_800),
  ])
  func tailsAsAsked(tail: String, frames: Int) throws {
    try Sound([noise(4800), noise(4800, seed: 2)]).write(to: box("in.wav"))
    let result = try box.run(
      "process", "--unit", "aufx:mrev:appl", "--tail", tail, "--output", "out", "in.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try Sound(path: box("out/in.wav")).frameCount == frames)
  }

  /// Echoes that are louder than silence when the longest tail is over, and ones that are not.
  @Test(arguments: [
    ("100 %", "0.5 s", "still sounding 30 s after the end of the input"),
    ("100 %", "0.45 s", "cut 30 s after the end of the input, in a pause"),
    ("99.9 %", "0.45 s", "cut 300 s after the end of the input, in a pause"),
    ("50 %", "0.45 s", nil),
  ])
  func tailsThatAreCutAreReported(feedback: String, time: String, note: String?) throws {
    try Sound([noise(4800)]).write(to: box("in.wav"))
    let result = try box.run(
      "process", "--unit", "aufx:dely:appl", "--set", "feedback=\(feedback)", "--set",
      "delay time=\(time)", "--set", "low-pass cutoff=22050 Hz", "--output", "out", "in.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let notes = result.standardError.split(separator: "\n").filter { $0.hasPrefix("note") }
    #expect(notes.count == (note == nil ? 0 : 1), "\(result.summary)")
    if let note {
      #expect(notes.first?.contains(note) == true, "\(result.summary)")
      #expect(notes.first?.hasSuffix("--tail SECONDS keeps more") == true, "\(result.summary)")
    }
  }

  @Test func unitsThatSayTheSameAreOneNote() throws {
    try Sound([noise(), noise(seed: 2)]).write(to: box("in.wav"))
    let amp = ["--unit", Self.amp]
    let result = try runAuricle(
      ["process"] + amp + amp + amp + ["--output", "out", "in.wav"],
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    let notes = result.standardError.split(separator: "\n").filter { $0.hasPrefix("note") }
    #expect(notes.count == 1, "\(result.summary)")
  }

  @Test func channelsAreAdaptedAndReported() throws {
    try Sound([noise(), noise(seed: 2)]).write(to: box("stereo.wav"))
    try Sound([noise()]).write(to: box("mono.wav"))
    let stereo = try box.run(
      "process", "--unit", "http://plugin.org.uk/swh-plugins/amp", "--output", "out", "stereo.wav")
    #expect(stereo.exitCode == 0, "\(stereo.summary)")
    #expect(stereo.standardError.contains("note: "), "\(stereo.summary)")
    #expect(try Sound(path: box("out/stereo.wav")).channels.count == 2)
    let mono = try box.run("process", "--unit", Self.lookahead, "--output", "out", "mono.wav")
    #expect(mono.exitCode == 0, "\(mono.summary)")
    #expect(mono.standardError.contains("note: "), "\(mono.summary)")
    #expect(try Sound(path: box("out/mono.wav")).channels.count == 1)
  }

  @Test func notesNameTheirFilesOnce() throws {
    try box.folder.makeFolder("in")
    for name in ["a", "b", "c"] { try Sound([noise()]).write(to: box("in/\(name).wav")) }
    let result = try box.run(
      "process", "--unit", "aufx:hpas:appl", "--channels", "2", "--output", "many", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    let notes = result.standardError.split(separator: "\n").filter { $0.hasPrefix("note") }
    #expect(notes.count == 2, "\(result.summary)")
    #expect(notes.first?.hasPrefix("note: in/a.wav: ") == true, "\(result.summary)")
    #expect(notes.last?.hasPrefix("note of 3 files: ") == true, "\(result.summary)")
  }

  /// Their figures are of one file alone.
  @Test(arguments: [
    (["--encoding", "pcm16"], "note of 3 files: samples beyond full scale were clipped"),
    (
      ["--loudness", "-3", "--true-peak", "-20"],
      "note of 3 files: loudness other than -3.0 LUFS below the true peak ceiling of -20.0 dBTP: "
        + "of more, the limiter takes most away again"
    ),
    (
      ["--normalize", "-1", "--container", "w64", "--encoding", "ms-adpcm"],
      "note of 3 files: w64 files with ms-adpcm hold whole blocks and cannot store the length of the "
        + "sound: longer by some frames"
    ),
  ])
  func notesWithFiguresComeOnceToo(options: [String], last: String) throws {
    try box.folder.makeFolder("in")
    for (index, name) in ["a", "b", "c"].enumerated() {
      let loud = TestSignal.noise(
        seed: UInt64(index), amplitude: 3 + Float(index), frameCount: 24_000 + index)
      try Sound([loud]).write(to: box("in/\(name).wav"), encoding: .float32)
    }
    let result = try runAuricle(
      ["process", "--unit", "aufx:hpas:appl"] + options + ["--output", "many", "in"],
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    let notes = result.standardError.split(separator: "\n").filter { $0.hasPrefix("note") }
    #expect(notes.count == 2 && notes.last.map(String.init) == last, "\(result.summary)")
  }

  @Test func outputFormatsAndTexts() throws {
    var metadata = AudioFileMetadata()
    metadata.texts[.title] = "A title"
    try Sound([noise(), noise(seed: 2)], sampleRate: 44_100)
      .write(to: box("in.wav"), encoding: .pcm16, metadata: metadata)
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--container", "flac", "--encoding", "pcm24",
      "--sample-rate", "48 kHz", "--tail", "none", "--output", "out", "in.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let reader = try AudioFileReader(path: box("out/in.flac"))
    #expect(reader.format.container == .flac)
    #expect(reader.format.encoding == .pcm24)
    #expect(reader.format.sampleRate == 48_000)
    #expect(reader.frameCount == 26_122)
    #expect(reader.metadata.texts[.title] == "A title")
    // The name of the one output sets its kind.
    let named = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--output-file", "named.aiff", "in.wav")
    #expect(named.exitCode == 0, "\(named.summary)")
    #expect(try AudioFileReader(path: box("named.aiff")).format.container == .aiff)
  }

  @Test func nothingIsReplacedUnasked() throws {
    try Sound([noise()]).write(to: box("a.wav"))
    try Sound([noise()]).write(to: box("b.wav"))
    try box.folder.write("precious", to: "out/b.wav")
    let refused = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--output", "out", "a.wav", "b.wav")
    #expect(refused.exitCode == 74)
    #expect(refused.standardError.contains("--overwrite"))
    #expect(box.names("out") == ["b.wav"])
    #expect(try String(contentsOfFile: box("out/b.wav"), encoding: .utf8) == "precious")
    let done = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--overwrite", "--output", "out", "a.wav", "b.wav")
    #expect(done.exitCode == 0, "\(done.summary)")
    #expect(box.names("out") == ["a.wav", "b.wav"])
  }

  @Test func jsonReportsAllOfAFile() throws {
    try Sound([noise()]).write(to: box("a.wav"))
    try box.folder.write("no sound", to: "bad.wav")
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--format", "json", "--quiet", "--output", "out",
      "a.wav", "bad.wav")
    #expect(result.exitCode == 1)
    let lines = try result.fileLines
    try #require(lines.count == 2, "\(result.summary)")
    #expect(lines[0]["status"] as? String == "done")
    let output = try #require(lines[0]["output"] as? [String: Any])
    #expect(output["path"] as? String == "out/a.wav")
    #expect(output["sampleRate"] as? Double == 48_000)
    #expect(output["peakDecibels"] is Double)
    #expect(lines[1]["status"] as? String == "failed")
    #expect(lines[1]["code"] as? Int == 65)
    #expect(lines[1]["category"] as? String == "badData")
    #expect(result.errorLines.count == 1, "\(result.summary)")
  }

  @Test func quietSaysNothing() throws {
    try Sound([noise()]).write(to: box("a.wav"))
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "-q", "-o", "out", "a.wav")
    #expect(result.exitCode == 0)
    #expect(result.standardOutput.isEmpty && result.standardError.isEmpty, "\(result.summary)")
  }
}

enum TemporaryNames {
  /// All files below a folder, by their paths in it, sorted.
  static func below(_ path: String) throws -> [String] {
    let all = FileManager.default.subpaths(atPath: path) ?? []
    return all.filter { name in
      !name.hasPrefix(".auricle")
        && (try? FileManager.default.attributesOfItem(atPath: path + "/" + name)[.type])
          as? FileAttributeType
          == .typeRegular
    }.sorted()
  }
}
