// Canonical JSON: one text for every spelling of a preset, and a preset itself.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import Testing

@Suite struct PresetJSONTests {
  @Test func canonicalTextIsExact() throws {
    let preset = try ChainPreset(
      text: """
        auricle: 1
        name: "A \\"b\\" ü"
        units:
        - unit: aufx:hpas:appl
          parameters: {resonance: -0, cutoff frequency: 1.50 khz, mode: RMS, 3: true, ratio: 4:1}
          mix: 80 %
        output: {tail: 500 ms}
        """)
    #expect(
      preset.canonicalJSON == """
        {"auricle":1,"name":"A \\"b\\" ü","output":{"container":"same","encoding":"same",\
        "latency":"compensate","sample rate":"same","tail":"0.5 s"},"tags":[],\
        "units":[{"bypass":false,"mix":0.8,"parameters":{"3":true,"cutoff frequency":"1.5 kHz",\
        "mode":"RMS","ratio":"4:1","resonance":0},"unit":"aufx:hpas:appl"}]}
        """)
  }

  @Test func spellingDoesNotMatter() throws {
    let first = try ChainPreset(
      text: "auricle: 1\nname: x\nunits: [{unit: u, parameters: {b: 0.10 S, a: 2.0}, mix: 50 %}]\n")
    let second = try ChainPreset(
      text: """
        # the same
        auricle: 1
        output: {tail: auto}
        units:
          - mix: 0.5
            unit: "u"
            bypass: false
            parameters:
              a: 2
              b: "0.1 s"
        name: 'x'
        """)
    #expect(first.canonicalJSON == second.canonicalJSON)
  }

  @Test func jsonReadsBackAsTheSamePreset() throws {
    let preset = try ChainPreset(text: PresetReadingTests.example)
    for json in [preset.canonicalJSON, preset.indentedJSON] {
      let again = try ChainPreset(text: json)
      #expect(again.canonicalJSON == preset.canonicalJSON)
      #expect(again.name == preset.name && again.output == preset.output)
      #expect(again.tags == preset.tags && again.author == preset.author)
    }
  }

  @Test(
    "Brackets in texts are no levels of the canonical text",
    arguments: [
      String(repeating: "[", count: 29) + "\n  " + String(repeating: "{", count: 29),
      String(repeating: "[{", count: 9) + "\n  " + String(repeating: "}]", count: 9),
      Array(repeating: "x]", count: 600).joined(separator: "\n  : "),
    ])
  func bracketsInTextsReadBack(text: String) throws {
    let preset = try ChainPreset(
      text: "auricle: 1\nname: x\nunits:\n- unit: u\ndescription: >\n  a \(text)\nlicense: '[{'\n")
    for json in [preset.canonicalJSON, preset.indentedJSON] {
      let again = try ChainPreset(text: json)
      #expect(again.canonicalJSON == preset.canonicalJSON)
      #expect(again.description == preset.description)
    }
    let plain = try ChainPreset(text: "auricle: 1\nname: '[a] {b}'\nunits: [{unit: u}]\n")
    #expect(plain.canonicalJSON.contains("\"[a] {b}\""))
  }

  @Test func indentedTextHasAValueALine() throws {
    let preset = try ChainPreset(text: "auricle: 1\nname: x\ntags: [a, b]\nunits: [{unit: u}]\n")
    #expect(
      preset.indentedJSON == """
        {
          "auricle": 1,
          "name": "x",
          "output": {
            "container": "same",
            "encoding": "same",
            "latency": "compensate",
            "sample rate": "same",
            "tail": "auto"
          },
          "tags": ["a", "b"],
          "units": [
            {
              "bypass": false,
              "mix": 1,
              "parameters": {},
              "unit": "u"
            }
          ]
        }
        """)
  }
}
