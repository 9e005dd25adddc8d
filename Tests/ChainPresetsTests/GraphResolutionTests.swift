// Side chains, automation, random values and preset files joined to the installed components.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import ChainPresets
import Foundation
import TestSupport
import Testing

@Suite struct GraphResolutionTests {
  private let registry = makeTestRegistry()

  private func chain(_ units: String, name: String = "p.yaml") throws -> ResolvedChain {
    let text = "auricle: 1\nname: x\nunits:\n\(units)\n"
    return try ResolvedChain(ChainPreset(text: text, name: name), in: registry)
  }

  private func message(_ units: String, name: String = "p.yaml") throws -> String {
    let error = try #require(throws: PresetErrors.self) { try chain(units, name: name) }
    return error.diagnostics.map { diagnostic in
      let place = diagnostic.position.map { "\($0.line):\($0.column)" } ?? "-"
      return "\(place) \(diagnostic.message)"
    }.joined(separator: "\n")
  }

  @Test func busesGoByNumberOrName() throws {
    let found = try chain(
      """
        - {unit: "aufx:side:Auri", name: A, output: meter}
        - {unit: "aufx:side:Auri", sidechain: [A, {from: input, bus: second key, gain: 6 dB}]}
        - {unit: "aufx:side:Auri", sidechain: {from: A, bus: 2, output: 1}}
      """)
    #expect(found.stages.map(\.outputBus) == [1, 0, 0])
    #expect(found.stages[1].sideChains.map(\.bus) == [1, 2])
    #expect(found.stages[1].sideChains.map(\.source) == [.stage("A"), .input])
    #expect(found.stages[1].sideChains[1].gainDecibels == 6)
    #expect(found.stages[2].sideChains.map(\.output) == [1])
  }

  @Test(arguments: [
    (
      "  - {unit: Test Filter, sidechain: input}",
      "4:36 Auricle: Test Filter has one input bus only, so nothing can feed a side chain"
    ),
    (
      "  - {unit: Side Filter, sidechain: {from: input, bus: 3}}",
      "4:55 there is no side chain bus of Auricle: Side Filter with the number 3; there are 1 to 2"
    ),
    (
      "  - {unit: Side Filter, sidechain: {from: input, bus: Kee}}",
      "4:55 there is no side chain bus of Auricle: Side Filter with the name 'Kee'; did you mean "
        + "'Key'?"
    ),
    (
      "  - {unit: Side Filter, sidechain: [{from: input, bus: 1}, {from: input, bus: Key}]}",
      "4:79 the input bus 1 of Auricle: Side Filter is fed twice"
    ),
    (
      "  - {unit: Test Filter, output: 1}",
      "4:33 there is no output bus of Auricle: Test Filter with the number 1; there is 0"
    ),
    (
      "  - {unit: Side Filter, name: A}\n  - {unit: Side Filter, sidechain: {from: A, output: 7}}",
      "5:54 there is no output bus of 'A' with the number 7; there are 0 to 1"
    ),
    (
      "  - {unit: Test Filter, preset: nowhere.aupreset}",
      "4:33 cannot read the file 'nowhere.aupreset': No such file or directory"
    ),
    (
      "  - {unit: Test Filter, automation: {cutof: [[0 s, 1]]}}",
      "4:38 there is no parameter 'cutof'; did you mean 'cutoff frequency'?"
    ),
    (
      "  - {unit: Test Filter, automation: {level: [[0 s, 1]]}}",
      "4:38 'level' is a meter and cannot be set"
    ),
    (
      "  - {unit: Test Filter, automation: {resonance: [[0 s, 1 dB], [1 s, 99 dB]]}}",
      "4:69 99 dB is above the maximum 40 dB of 'resonance', which goes from -20 dB to 40 dB"
    ),
    (
      "  - {unit: Test Filter, automation: {resonance: [[0 s, -1 dB], [1 s, 1 dB, exponential]]}}",
      "4:70 an exponential curve stays on one side of zero; it cannot go from -1 dB to 1 dB"
    ),
    (
      "  - {unit: Test Filter, automation: {mode: [[0 s, Low], [1 s, High, linear]]}}",
      "4:69 'mode' is a choice and changes in steps only"
    ),
    (
      "  - {unit: Test Filter, parameters: {1: 0}, automation: {resonance: [[0 s, 1]]}}",
      "4:58 'resonance' is both in 'parameters' and in 'automation'; its first breakpoint says where "
        + "it starts"
    ),
    (
      "  - {unit: Test Filter, automation: {resonance: [[0 s, 1]], 1: [[0 s, 1]]}}",
      "4:61 the parameter 'resonance' is automated twice"
    ),
    (
      "  - {unit: Test Filter, parameters: {resonance: {random: [3 dB, 1 dB]}}}",
      "4:59 the range of 'resonance' goes downwards; write the lower value first"
    ),
    (
      "  - {unit: Test Filter, parameters: {resonance: {random: [-3 dB, 1 dB, log]}}}",
      "4:59 a logarithmic range lies above zero; -3 dB does not"
    ),
    (
      "  - {unit: Test Filter, parameters: {mode: {choose: [Low, Hgih]}}}",
      "4:59 'mode' has no value 'Hgih'; did you mean 'High'?"
    ),
  ])
  func misfitsAreReported(units: String, expected: String) throws {
    let reported = try message(units)
    #expect(reported == expected)
  }

  @Test func filesAreSearchedBesideThePreset() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let units = "  - {unit: Side Filter, sidechain: {file: bed.wav, loop: true}}"
    let path = folder + "/p.yaml"
    let missing = try message(units, name: path)
    #expect(missing.hasPrefix("4:43 cannot read the file 'bed.wav' (looked for as '/"))
    #expect(missing.hasSuffix("'): No such file or directory"))
    _ = FileManager.default.createFile(atPath: folder + "/bed.wav", contents: Data())
    let found = try chain(units, name: path)
    #expect(found.sideFiles == [folder + "/bed.wav"])
    #expect(found.stages[0].sideChains[0].loops)
    #expect(
      try message("  - {unit: Side Filter, sidechain: {file: .}}", name: path).hasSuffix(
        "it is a folder"))
  }

  private static let random = """
      - unit: Test Filter
        name: Tone
        parameters:
          cutoff frequency: {random: [200 Hz, 2 kHz, log]}
          resonance: {random: [-6 dB, 6 dB]}
          mode: {choose: [Low, High]}
    """

  @Test func withoutAVariantTheMiddleIsUsed() throws {
    let found = try chain(Self.random)
    #expect(found.hasRandomValues && found.drawnValues.isEmpty)
    let values = found.stages[0].parameters.map(\.value)
    #expect(abs(values[0] - 632.4555) < 0.01 && values[1] == 0 && values[2] == 0)
  }

  @Test func variantsAreInRangeAndReproducible() throws {
    let found = try chain(Self.random)
    var cutoffs: [Float] = []
    var modes: Set<Float> = []
    for index in 1...2000 {
      let variant = found.variant(index, seed: 7, key: "talk.wav")
      let again = found.variant(index, seed: 7, key: "talk.wav")
      let values = variant.stages[0].parameters.map(\.value)
      #expect(values == again.stages[0].parameters.map(\.value))
      #expect((200...2000).contains(values[0]) && (-6...6).contains(values[1]))
      #expect(variant.drawnValues.map(\.value) == values)
      cutoffs.append(values[0])
      modes.insert(values[2])
    }
    #expect(modes == [0, 2])
    // Logarithmic: half of them below the geometric middle.
    let below = cutoffs.filter { $0 < 632.46 }.count
    #expect((900...1100).contains(below), "\(below)")
    #expect(Set(cutoffs).count > 1990)
  }

  /// The first worker of a run reads the file as it is written, all others its canonical form.
  @Test func theOrderOfParametersInAFileChangesNothing() throws {
    func preset(_ lines: [String]) throws -> ChainPreset {
      let text = """
        auricle: 1
        name: x
        units:
          - unit: Test Filter
            name: Tone
            parameters:
        \(lines.map { "      " + $0 }.joined(separator: "\n"))
        """
      return try ChainPreset(text: text, name: "p.yaml")
    }
    let lines = [
      "resonance: {random: [-6 dB, 6 dB]}", "mode: {choose: [Low, High]}",
      "Cutoff Frequency: {random: [200 Hz, 2 kHz, log]}",
    ]
    let written = try preset(lines)
    let forms = try [
      written, preset(lines.reversed()), ChainPreset(text: written.canonicalJSON, name: "run"),
    ].map { try ResolvedChain($0, in: registry) }
    for index in 1...20 {
      let drawn = forms.map { $0.variant(index, seed: 7, key: "talk.wav").drawnValues }
      #expect(drawn[0] == drawn[1] && drawn[0] == drawn[2])
      #expect(drawn[0].map(\.parameter) == ["cutoff frequency", "resonance", "mode"])
    }
    #expect(
      forms.allSatisfy {
        $0.stages[0].parameters.map(\.id) == forms[0].stages[0].parameters.map(\.id)
      })
  }

  /// A run of today must be repeatable with the program of next year: these values never change.
  @Test func theValuesOfASeedAreFixedForEver() throws {
    let found = try chain(Self.random)
    let drawn = found.variant(1, seed: 7).drawnValues
    #expect(drawn.map(\.stageLabel) == ["Tone", "Tone", "Tone"])
    #expect(drawn.map(\.parameter) == ["cutoff frequency", "resonance", "mode"])
    #expect(drawn.map(\.text) == ["726.1646 Hz", "-3.4723878 dB", "Low"])
    let other = found.variant(1, seed: 8).drawnValues
    let file = found.variant(1, seed: 7, key: "b.wav").drawnValues
    #expect(drawn != other && drawn != file && other != file)
  }

  @Test func automationIsJoinedToParameters() throws {
    let found = try chain(
      "  - {unit: Test Filter, automation: {cutoff frequency: [[0 s, 1 kHz], [1 s, 2 kHz, "
        + "exponential]], mode: [[0 s, Low], [10 ms, High]]}}")
    let automation = found.stages[0].automation
    #expect(automation.map(\.parameter.name) == ["cutoff frequency", "mode"])
    #expect(automation[0].points.map(\.value) == [1000, 2000])
    #expect(automation[0].points.map(\.curve) == [.linear, .exponential])
    #expect(automation[1].points.map(\.curve) == [.step, .step])
    #expect(automation[1].points[1].time.frames(sampleRate: 48000, of: 0) == 480)
  }
}
