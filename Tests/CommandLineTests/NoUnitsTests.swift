// Chains without units, units that can make nothing of a sound file, and commands that are not there.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import TestSupport
import Testing

@Suite struct NoUnitsTests {
  private let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.makeSounds(2)
  }

  @Test func filesAreStoredAsAnotherKindAlone() throws {
    let result = try box.run("process", "--container", "flac", "--output", "out", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["0.flac", "1.flac"])
    for number in 0...1 {
      let before = try Sound(path: box("in/\(number).wav"))
      #expect(try Sound(path: box("out/\(number).flac")) == before)
    }
  }

  @Test(arguments: [
    ["--sample-rate", "24k", "--output", "out", "in/0.wav"],
    ["--sample-rate", "24k", "--output-file", "out/0.wav", "in/0.wav"],
    ["--preset", "p.yaml", "--output", "out", "in/0.wav"],
  ])
  func theSampleRateAloneIsChanged(words: [String]) throws {
    try box.folder.write("auricle: 1\nname: p\noutput: {sample rate: 24 kHz}\n", to: "p.yaml")
    try box.folder.makeFolder("out")
    let result = try box.run(["process"] + words)
    #expect(result.exitCode == 0, "\(result.summary)")
    let sound = try Sound(path: box("out/0.wav"))
    #expect(sound.sampleRate == 24_000 && sound.frameCount == 1_000)
  }

  @Test func anEmptyListOfUnitsIsAChain() throws {
    try box.folder.write("auricle: 1\nname: p\nunits: []\noutput: {peak: -6 dBFS}\n", to: "p.yaml")
    #expect(try box.run("preset", "check", "p.yaml").exitCode == 0)
    #expect(try box.run("preset", "show", "p.yaml").exitCode == 0)
    #expect(try box.run("graph", "show", "p.yaml").exitCode == 0)
    let result = try box.run("process", "--preset", "p.yaml", "--output", "out", "in/0.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let peak = try Sound(path: box("out/0.wav")).channels[0].map(abs).max() ?? 0
    #expect(abs(peak - 0.5012) < 0.001, "\(peak)")
  }

  @Test func chainsWithoutTheFileAreRefused() throws {
    for (unit, need) in [
      ("eg-sampler", "is an instrument and needs notes (MIDI)"),
      ("eg-fifths", "is a MIDI processor and needs notes (MIDI)"),
      ("eg-metro", "is a generator"),
    ] {
      let words = ["process", "--unit", "http://lv2plug.in/plugins/\(unit)", "-o", "out", "in"]
      let result = try box.run(words)
      #expect(result.exitCode == 64, "\(result.summary)")
      #expect(result.standardError.contains(need), "\(result.summary)")
      #expect(box.names("out").isEmpty)
    }
    let mixed = try box.run(
      "process", "--unit", "http://lv2plug.in/plugins/eg-metro", "--mix", "0.5", "-o", "out", "in")
    #expect(mixed.exitCode == 0, "\(mixed.summary)")
  }

  @Test func aMIDIFileIsCalledWhatItIs() throws {
    try box.folder.write("MThd\0\0\0\u{6}\0\0\0\u{1}\0`MTrk\0\0\0\u{4}\0\u{7F}/\0", to: "tune.mid")
    let result = try box.run("process", "--container", "flac", "-o", "out", "tune.mid")
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect("\(result.summary)".contains("tune.mid is a MIDI file: auricle render renders it"))
  }

  /// A low-pass above half the rate of a file is bypassed for that file, with a note.
  @Test func rangesEndWhereTheRatesOfFilesLetThem() throws {
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 2_000)
    try Sound([noise], sampleRate: 96_000).write(to: box("high.wav"))
    try Sound([noise], sampleRate: 44_100).write(to: box("low.wav"))
    try box.folder.write(
      """
      auricle: 1
      name: p
      units: [{unit: aufx:lpas:appl, parameters: {cutoff frequency: 30 kHz}}]
      """, to: "p.yaml")
    let unit = ["--unit", "aufx:lpas:appl", "--set", "cutoff frequency=30 kHz"]
    for (number, chain) in [unit, ["--preset", "p.yaml"]].enumerated() {
      let result = try box.run(["process"] + chain + ["-o", "out\(number)", "high.wav", "low.wav"])
      #expect(result.exitCode == 0, "\(result.summary)")
      #expect(box.names("out\(number)") == ["high.wav", "low.wav"])
      #expect("\(result.summary)".contains("at 44100 Hz: the unit is bypassed"))
    }
  }
}
