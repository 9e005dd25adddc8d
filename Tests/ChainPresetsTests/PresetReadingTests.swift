// Good presets: every key, every spelling, YAML and JSON.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import ResultSettings
import Testing

@Suite struct PresetReadingTests {
  static let example = """
    auricle: 1
    name: Podcast voice
    description: High-pass, level, tame peaks
    author: Somebody
    license: CC0-1.0
    tags: [voice, "2024"]
    units:
      - unit: aufx:hpas:appl
        name: Rumble
        parameters: {cutoff frequency: 80 Hz, resonance: 0 dB}
      - unit: http://calf.sourceforge.net/plugins/Compressor
        preset: http://example.org/presets#soft      # before the parameters
        parameters: {threshold: 0.1, ratio: 4, 7: true, mode: RMS}
        bypass: true
        mix: 80 %
    output: {tail: 2.5 s, latency: keep, container: FLAC, encoding: pcm24, sample rate: 44.1 kHz}

    """

  @Test func theVersionOfTheSoundIsKept() throws {
    let text = "auricle: 1\nname: x\nversion: 3\nunits: [{unit: u}]\n"
    let preset = try ChainPreset(text: text)
    #expect(preset.version == 3)
    #expect(try ChainPreset(text: preset.canonicalJSON) == preset)
    #expect(try ChainPreset(text: Self.example).version == nil)
  }

  @Test func everyKeyIsRead() throws {
    let preset = try ChainPreset(text: Self.example)
    #expect(preset.name == "Podcast voice")
    #expect(preset.description == "High-pass, level, tame peaks")
    #expect(preset.author == "Somebody")
    #expect(preset.license == "CC0-1.0")
    #expect(preset.tags == ["voice", "2024"])
    try #require(preset.units.count == 2)
    let first = preset.units[0]
    #expect(first.unit.value == "aufx:hpas:appl")
    #expect(first.unit.position == SourcePosition(line: 8, column: 11))
    #expect(first.label == "Rumble")
    #expect(first.preset == nil)
    #expect(first.mix == 1)
    #expect(!first.isBypassed)
    #expect(first.parameters.map(\.name.value) == ["cutoff frequency", "resonance"])
    #expect(first.parameters.map(\.value.value) == ["80 Hz", "0 dB"])
    #expect(first.parameters[1].value.position == SourcePosition(line: 10, column: 54))
    let second = preset.units[1]
    #expect(second.unit.value == "http://calf.sourceforge.net/plugins/Compressor")
    #expect(second.preset?.value == "http://example.org/presets#soft")
    #expect(second.parameters.map(\.name.value) == ["threshold", "ratio", "7", "mode"])
    #expect(second.parameters.map(\.value.value) == ["0.1", "4", "true", "RMS"])
    #expect(second.isBypassed)
    #expect(second.mix == 0.8)
    #expect(preset.output.tail == .seconds(2.5))
    #expect(preset.output.latency == .keep)
    #expect(preset.output.container?.value == "flac")
    #expect(preset.output.encoding?.value == "pcm24")
    #expect(preset.output.sampleRate == 44100)
  }

  @Test func whatIsLeftOutHasDefaults() throws {
    let preset = try ChainPreset(text: "auricle: 1\nname: x\nunits:\n- unit: aufx:lmtr:appl\n")
    #expect(preset.description.isEmpty && preset.author.isEmpty && preset.license.isEmpty)
    #expect(preset.tags.isEmpty)
    #expect(preset.units == [UnitEntry(unit: "aufx:lmtr:appl")])
    #expect(preset.output == OutputSettings())
    #expect(preset.output.tail == .automatic)
    #expect(preset.output.latency == .compensate)
    #expect(preset.output.container == nil && preset.output.sampleRate == nil)
  }

  @Test(arguments: [
    ("auto", TailPolicy.automatic), ("none", .none), ("keep-length", .keepLength),
    ("0", .seconds(0)), ("2.5", .seconds(2.5)), ("2.5s", .seconds(2.5)), ("250 ms", .seconds(0.25)),
    ("1 min", .seconds(60)), ("\"3 s\"", .seconds(3)),
  ])
  func tails(text: String, expected: TailPolicy) throws {
    let preset = try ChainPreset(
      text: "auricle: 1\nname: x\nunits: [{unit: u}]\noutput: {tail: \(text)}")
    #expect(preset.output.tail == expected)
  }

  @Test(arguments: [
    ("90", TimePosition(seconds: 90)), ("1.5 s", .init(seconds: 1.5)),
    ("1:30", .init(seconds: 90)), ("\"0:01:30.5\"", .init(seconds: 90.5)),
    ("-5 s", .init(seconds: 5, isFromEnd: true)), ("-500ms", .init(seconds: 0.5, isFromEnd: true)),
    ("\"-1:00\"", .init(seconds: 60, isFromEnd: true)), ("-0", .init(seconds: 0, isFromEnd: true)),
  ])
  func places(text: String, expected: TimePosition) throws {
    let preset = try ChainPreset(
      text: "auricle: 1\nname: x\nunits: [{unit: u}]\noutput: {start: \(text)}")
    #expect(preset.output.start == expected)
    #expect(try ChainPreset(text: preset.canonicalJSON).output.start == expected)
  }

  @Test(arguments: [
    "start: --5", "end: 3 Hz", "start: 1:60", "start: x", "end: 2000000", "start: 5 s, end: 4 s",
    "start: -4 s, end: -5 s", "bit rate: much", "bit rate: -1", "bit rate: 3 s", "metadata: some",
  ])
  func whatMakesNoSenseOfAFile(text: String) {
    #expect(throws: PresetErrors.self) {
      try ChainPreset(text: "auricle: 1\nname: x\nunits: [{unit: u}]\noutput: {\(text)}")
    }
  }

  @Test func bitRatesAndMetadata() throws {
    let preset = try ChainPreset(
      text: """
        auricle: 1
        name: x
        units: [{unit: u}]
        output: {bit rate: 192k, metadata: none, end: -1 s}
        render:
          - {name: a, container: mp3, bit rate: 96 kbit/s}
          - {name: b, container: wav, bit rate: none}
          - {name: c, container: opus}
        """)
    #expect(preset.output.bitRate == .bits(192_000))
    #expect(!preset.output.keepsMetadata)
    #expect(preset.render.map(\.settings.bitRate) == [.bits(96_000), .encoders, .bits(192_000)])
    let again = try ChainPreset(text: preset.canonicalJSON)
    #expect(again.render.map(\.settings) == preset.render.map(\.settings))
    #expect(again.output == preset.output)
  }

  @Test(arguments: [
    ("0", 0.0), ("1", 1), ("0.8", 0.8), (".5", 0.5), ("80 %", 0.8), ("80%", 0.8), ("100 %", 1),
    ("12.5 percent", 0.125), ("\"25 %\"", 0.25), ("1e-1", 0.1),
  ])
  func mixes(text: String, expected: Double) throws {
    let preset = try ChainPreset(
      text: "auricle: 1\nname: x\nunits: [{unit: u, mix: \(text)}]")
    #expect(preset.units[0].mix == expected)
  }

  @Test func indicatorsInsideTextsAreText() throws {
    let preset = try ChainPreset(
      text: """
        auricle: 1
        name: R &B *bold* ? why! <<
        description: |
          &this is *fine* and
          ? so is this
          !yes
        tags: ["&a", '*b', a&b, a*b]   # &not *seen !here
        units: [{unit: "u!*"}]
        """)
    #expect(preset.name == "R &B *bold* ? why! <<")
    #expect(preset.description == "&this is *fine* and\n? so is this\n!yes")
    #expect(preset.tags == ["&a", "*b", "a&b", "a*b"])
    #expect(preset.units[0].unit.value == "u!*")
  }

  @Test func jsonIsRead() throws {
    let json = """
      {"auricle": 1,
      \t"name": "J\\u00e9 \\"q\\"", "units":[{"unit":"aufx:lmtr:appl",
        "parameters":{"pre-gain":"-3 dB","0":0.002, "on":true}, "bypass":false, "mix":0.25}],
       "output": {"tail": "auto", "sample rate": 48000}}
      """
    let preset = try ChainPreset(text: json)
    #expect(preset.name == "Jé \"q\"")
    #expect(preset.units[0].parameters.map(\.value.value) == ["-3 dB", "0.002", "true"])
    #expect(preset.units[0].mix == 0.25)
    #expect(preset.output.sampleRate == 48000)
  }

  @Test func lineEndsAndByteOrderMarkDoNotMatter() throws {
    let plain = try ChainPreset(text: Self.example)
    let windows = Self.example.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    let preset = try ChainPreset(
      source: PresetSource(name: "w.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array(windows.utf8)))
    #expect(preset == plain)
    #expect(preset.units[1].unit.position == plain.units[1].unit.position)
    let old = Self.example.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r")
    #expect(try ChainPreset(text: old) == plain)
  }

  @Test func documentMarksAndDirectivesAreHarmless() throws {
    let preset = try ChainPreset(
      text: "%YAML 1.1\n---\nauricle: 1\nname: x\nunits: [{unit: u}]\n...\n")
    #expect(preset.name == "x")
  }

  @Test func shortTextsAreRead() {
    // Texts of few bytes are kept in another way by Swift's strings.
    for text in ["a", "a: b", "auricle: 1", "[]", "{}", "-", "\"", "é", "{a: b, a: c}"] {
      #expect(throws: PresetErrors.self) { try ChainPreset(text: text) }
    }
  }
}
