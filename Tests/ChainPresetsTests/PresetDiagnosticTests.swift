// Bad presets: the exact text of every diagnostic, and all of them at once.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import Testing

/// A preset with a fault, and its message.
struct BadPreset: Sendable, CustomTestStringConvertible {
  var what: String
  var text: String
  var expected: String
  var testDescription: String { what }

  init(_ what: String, _ text: String, _ expected: String) {
    self.what = what
    self.text = text
    self.expected = expected
  }
}

@Suite struct PresetDiagnosticTests {
  @Test(
    arguments: badPresets + badBranchPresets + badSideChainPresets + badAutomationPresets
      + badRenderPresets)
  func diagnostics(bad: BadPreset) throws {
    let error = try #require(throws: PresetErrors.self) {
      try ChainPreset(text: bad.text, name: "p.yaml")
    }
    #expect(error.description == bad.expected)
    #expect(error.category == .badData)
  }

  @Test func everythingIsReportedAtOnceInTheOrderOfTheFile() throws {
    let text = """
      auricle: 1
      naem: Podcast voice
      name: Podcast
      name: again
      tags: yes
      units:
        - unit: aufx:hpas:appl
          parameters: {cutoff frequency: [1], resonance: }
          bypass: yes
          mix: 80
        - uni: x
      output: {tail: autoo, latency: keeep, sample_rate: same}
      """
    let error = try #require(throws: PresetErrors.self) {
      try ChainPreset(text: text, name: "p.yaml")
    }
    let places = error.diagnostics.map { $0.position.map { "\($0.line):\($0.column)" } ?? "-" }
    #expect(
      places == [
        "2:1", "4:1", "5:7", "8:36", "8:52", "9:13", "10:10", "11:5", "11:5", "12:16", "12:32",
        "12:39",
      ])
    #expect(error.diagnostics.allSatisfy { $0.file == "p.yaml" && $0.sourceLine != nil })
  }

  @Test func theCaretIsBelowTabsAndInsideLongLines() throws {
    let tabs = PresetDiagnostic(
      "m", at: SourcePosition(line: 1, column: 3),
      in: try PresetSource(name: "t", bytes: Array("\t\tx".utf8)))
    #expect(tabs.description == "t:1:3: error: m\n\t\tx\n\t\t^")
    let long = PresetDiagnostic(
      "m", at: SourcePosition(line: 1, column: 501),
      in: try PresetSource(
        name: "t",
        bytes: Array(String(repeating: "a", count: 500).utf8) + Array("X".utf8)
          + Array(String(repeating: "b", count: 500).utf8)))
    let lines = long.description.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[1].count == 122)
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let column = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(Array(lines[1])[column] == "X")
  }

  @Test func diagnosticsWithoutAPlaceAreOneLine() {
    let plain = PresetDiagnostic("it is wrong", kind: .usage)
    #expect(plain.description == "error: it is wrong")
    #expect(PresetErrors([plain]).category == .usage)
    #expect(PresetErrors([PresetDiagnostic("x", kind: .missingComponent)]).category == .unavailable)
    #expect(PresetErrors([PresetDiagnostic("x", kind: .input)]).category == .noInput)
    let mixed = [PresetDiagnostic("x", kind: .missingComponent), PresetDiagnostic("y")]
    #expect(PresetErrors(mixed).category == .badData)
    #expect(PresetErrors(mixed).auricleError.category == .badData)
  }
}
