// Presets joined to components: found units, settings, and everything that does not fit.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import ChainPresets
import Synchronization
import Testing
import UnitChains

@Suite(.serialized) struct ChainResolutionTests {
  private let registry = makeTestRegistry()

  private func errors(_ text: String) throws -> PresetErrors {
    let preset = try ChainPreset(text: text, name: "p.yaml")
    return try #require(throws: PresetErrors.self) { try ResolvedChain(preset, in: registry) }
  }

  @Test func aMistakeInTheTextDoesNotHideAMissingUnit() throws {
    let text = """
      auricle: 1
      name: x
      units:
        - {unit: aufx:test:Auri, paramters: {cutoff frequency: 1 kHz}}
        - {unit: "aufx:gone:Auri", bypass: yes}
        - {unit: aufx:test:Auri, parameters: {cutoff frequency: 99 kHz}}
      """
    let reading = try #require(throws: PresetErrors.self) {
      try ChainPreset(text: text, name: "p.yaml")
    }
    #expect(reading.diagnostics.map(\.position?.line) == [4, 5])
    let all = reading.joined(with: registry)
    #expect(all.diagnostics.map(\.position?.line) == [4, 5, 5, 6])
    #expect(all.category == .badData)
    #expect(all.joined(with: registry) == all)
  }

  @Test func parametersAndPresetsAreFoundAndSet() throws {
    let preset = try ChainPreset(
      text: """
        auricle: 1
        name: x
        units:
          - unit: aufx:test:Auri
            name: First
            preset: soft rain
            parameters: {Cutoff-Frequency: 1.5 kHz, 7: High}
            mix: 25 %
          - {unit: Test Filter, preset: 1, bypass: true}
          - {unit: "auricle: test filter", preset: Storm}
        """)
    let chain = try ResolvedChain(preset, in: registry)
    try #require(chain.stages.count == 3)
    let stage = chain.stages[0]
    #expect(stage.label == "First")
    #expect(stage.component.name == "Auricle: Test Filter")
    #expect(stage.preset?.number == 0 && stage.preset?.name == "Soft Rain")
    #expect(stage.parameters.map(\.id) == [0, 7])
    #expect(stage.parameters.map(\.value) == [1500, 2])
    #expect(stage.allParameters.count == 4)
    #expect(stage.mix == 0.25 && !stage.isBypassed)
    #expect(chain.stages[1].label == "Auricle: Test Filter")
    #expect(chain.stages[1].isBypassed && chain.stages[1].preset?.number == 1)
    #expect(chain.stages[2].preset?.number == 1)

    // The preset comes first, the parameters are set over it.
    let unit = try stage.makeUnit()
    try stage.configure(unit)
    #expect(try unit.parameter(0) == 1500)
    #expect(try unit.parameter(7) == 2)
    let other = try chain.stages[2].makeUnit()
    try chain.stages[2].configure(other)
    #expect(try other.parameter(0) == 5000)
    #expect(try other.parameter(1) == 3)

    let stages = chain.chainGraph(sampleRate: 44_100).nodes.compactMap {
      if case .stage(let stage, _, _) = $0 { stage } else { nil }
    }
    #expect(stages.map(\.label) == ["First", "Auricle: Test Filter", "Auricle: Test Filter"])
    #expect(stages.map(\.mix) == [0.25, 1, 1])
    #expect(stages.map(\.isBypassed) == [false, true, false])
    let made = try stages[0].makeUnit()
    try stages[0].configure(made)
    #expect(try made.parameter(0) == 1500)
  }

  @Test func eachComponentIsOpenedOnce() throws {
    let entries = Array(repeating: UnitEntry(unit: "aufx:test:Auri"), count: 5)
    let before = openedUnits.load(ordering: .relaxed)
    _ = try ResolvedChain(ChainPreset(name: "x", units: entries), in: registry)
    #expect(openedUnits.load(ordering: .relaxed) == before + 1)
  }

  @Test func everythingIsReportedAtOnce() throws {
    let found = try errors(
      """
      auricle: 1
      name: x
      units:
        - unit: aufx:tset:Auri
        - unit: aufx:test:Auri
          preset: Drizzle
          parameters: {cutof: 80, resonance: 99 dB, Resonance: 0, mode: Hi, level: 0}
        - unit: Broken
        - unit: aufx:test:Auri
          preset: STORM
      output: {container: wva, encoding: same}
      """)
    #expect(
      found.description == """
        p.yaml:4:11: error: no component "aufx:tset:Auri" is installed; did you mean aufx:test:Auri \
        (Auricle: Test Filter)?
          - unit: aufx:tset:Auri
                  ^
        p.yaml:6:13: error: Auricle: Test Filter has no preset 'Drizzle'; it has 'Soft Rain', \
        'Storm' and 'storm'
            preset: Drizzle
                    ^
        p.yaml:7:18: error: there is no parameter 'cutof'; did you mean 'cutoff frequency'?
            parameters: {cutof: 80, resonance: 99 dB, Resonance: 0, mode: Hi, level: 0}
                         ^
        p.yaml:7:40: error: 99 dB is above the maximum 40 dB of 'resonance', which goes from -20 dB \
        to 40 dB
            parameters: {cutof: 80, resonance: 99 dB, Resonance: 0, mode: Hi, level: 0}
                                               ^
        p.yaml:7:67: error: 'mode' has no value 'Hi'; it is 'Low', 'Band' or 'High'
            parameters: {cutof: 80, resonance: 99 dB, Resonance: 0, mode: Hi, level: 0}
                                                                          ^
        p.yaml:7:71: error: 'level' is a meter and cannot be set
            parameters: {cutof: 80, resonance: 99 dB, Resonance: 0, mode: Hi, level: 0}
                                                                              ^
        p.yaml:8:11: error: Auricle: Broken: its binary is missing
          - unit: Broken
                  ^
        p.yaml:10:13: error: 'STORM' is the name of 2 presets of Auricle: Test Filter; give the \
        number: 1 or 2
            preset: STORM
                    ^
        """)
    #expect(found.category == .badData)
  }

  @Test func aParameterIsSetOnce() throws {
    let found = try errors(
      "auricle: 1\nname: x\nunits: [{unit: Test Filter, parameters: {resonance: 1, 1: 2}}]\n")
    #expect(found.diagnostics.map(\.message) == ["the parameter 'resonance' is set twice"])
    #expect(found.diagnostics.first?.position == SourcePosition(line: 3, column: 56))
  }

  @Test func aMissingComponentAloneIsUnavailable() throws {
    let found = try errors("auricle: 1\nname: x\nunits: [{unit: \"http://example.org/nothing\"}]\n")
    #expect(found.category == .unavailable)
    #expect(found.description.contains("no component \"http://example.org/nothing\" is installed"))
  }

  @Test func commandLinesHaveNoPlaces() throws {
    var entry = UnitEntry(unit: "Test Filter")
    entry.parameters = [try ParameterSetting(assignment: "resonance=99")]
    let error = try #require(throws: PresetErrors.self) {
      try ResolvedChain(ChainPreset(name: "x", units: [entry]), in: registry)
    }
    #expect(
      error.description
        == "error: Auricle: Test Filter: 99 dB is above the maximum 40 dB of 'resonance', which goes from "
        + "-20 dB to 40 dB")
    #expect(error.category == .usage)
    let missing = try #require(throws: PresetErrors.self) {
      try ResolvedChain(ChainPreset(name: "x", units: [UnitEntry(unit: "nope")]), in: registry)
    }
    #expect(missing.category == .unavailable)
  }

  @Test func formatNamesAreChecked() throws {
    let formats = FormatNames(
      containers: ["wav", "flac"], encodings: ["pcm16", "pcm24"],
      isContainer: { ["wav", "flac", "wave"].contains($0) })
    let text = "auricle: 1\nname: x\nunits: [{unit: Test Filter}]\noutput: "
    let good = try ChainPreset(text: text + "{container: WAVE, encoding: pcm24}")
    #expect(
      try ResolvedChain(good, in: registry, formats: formats).output.container?.value == "wave")
    let bad = try ChainPreset(text: text + "{container: wva, encoding: quux}", name: "p.yaml")
    let error = try #require(throws: PresetErrors.self) {
      try ResolvedChain(bad, in: registry, formats: formats)
    }
    #expect(
      error.diagnostics.map(\.message) == [
        "there is no container 'wva'; did you mean 'wav'?",
        "there is no encoding 'quux'; it is same, pcm16 or pcm24",
      ])
    #expect(error.diagnostics.map { $0.position?.column } == [21, 36])
  }

  @Test func namesAreListedOnlyForAFault() throws {
    let count = Atomic<Int>(0)
    @Sendable func names() -> [String] {
      count.add(1, ordering: .relaxed)
      return ["wav"]
    }
    let formats = FormatNames(
      containers: names(), encodings: names(), isContainer: { $0 == "wav" },
      isEncoding: { $0 == "pcm16" })
    let text = "auricle: 1\nname: x\nunits: [{unit: Test Filter}]\noutput: "
    let good = try ChainPreset(text: text + "{container: wav, encoding: pcm16}")
    #expect(good.problems(with: formats).isEmpty && count.load(ordering: .relaxed) == 0)
    let bad = try ChainPreset(text: text + "{container: wva}")
    #expect(bad.problems(with: formats).count == 1 && count.load(ordering: .relaxed) == 1)
  }

  @Test func encodingsThatAContainerDoesNotAcceptAreFound() throws {
    let formats = FormatNames(
      containers: ["wav", "ogg"], encodings: ["pcm24", "vorbis"],
      refusal: { file, _ in
        file.settings.container?.value == "ogg" && file.settings.encoding?.value == "pcm24"
          ? "ogg takes no pcm24" : nil
      })
    let text = """
      auricle: 1
      name: x
      units: [{unit: Test Filter}]
      output: {encoding: pcm24}
      render:
        - {name: master, container: wav}
        - {name: web, container: ogg}
        - {name: mail, container: ogg, encoding: vorbis}
      """
    let refused = try ChainPreset(text: text, name: "p.yaml").refusedFiles(with: formats)
    #expect(refused.map(\.message) == ["ogg takes no pcm24"])
    #expect(refused.first?.position == SourcePosition(line: 7, column: 28))
  }

  @Test func presetsAreShownWithFactsOfTheUnits() throws {
    let preset = try ChainPreset(
      text: """
        auricle: 1
        name: Rain
        description: Softly.
        author: A
        tags: [a, b]
        units:
          - unit: aufx:test:Auri
            name: First
            parameters: {cutoff frequency: 1.5 kHz, mode: High}
            mix: 25 %
          - {unit: Auricle: Test Filter, preset: Storm, bypass: true}
        output: {tail: 2 s}
        """.replacing("Auricle: Test Filter", with: "Test Filter"))
    #expect(
      try ResolvedChain(preset, in: registry).renderedText(heading: "rain") == """
        Rain  (rain)
          Softly.
          author A; tags a, b

        1  First: Auricle: Test Filter  (mix 25 %)
             unit  aufx:test:Auri
             cutoff frequency  1500 Hz  default 6900 Hz  10 Hz to 22050 Hz
             mode              High     default Low      Low to High
             1 more at its default

        2  Auricle: Test Filter  (bypassed)
             unit  Test Filter
             preset  Storm
             3 more at the preset's value

        Output
             tail 2 s, latency compensate, container same, encoding same, sample rate same

        """)
    #expect(
      preset.renderedText() == """
        Rain
          Softly.
          author A; tags a, b

        1  First: aufx:test:Auri  (mix 25 %)
             cutoff frequency  1.5 kHz
             mode              High

        2  Test Filter  (bypassed)
             preset  Storm

        Output
             tail 2 s, latency compensate, container same, encoding same, sample rate same

        """)
  }
}
