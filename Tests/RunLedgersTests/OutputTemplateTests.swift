// Templates of names: their results, and their refusals.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem
import ResultSettings
import RunLedgers
import TestSupport
import Testing

@Suite struct OutputTemplateTests {
  let bench: PlanBench

  init() throws { bench = try PlanBench() }

  /// Returns the name of an input's second variant.
  private func name(
    _ template: String, of input: String = "a/b/talk.wav", ext: String? = nil, preset: String = "p"
  ) throws -> String? {
    try bench.folder.write("RIFF", to: "in/\(input)")
    var request = bench.request("in")
    if Path.lastComponent(input).hasPrefix(".") { request.inputs = [bench.folder("in/\(input)")] }
    request.template = try OutputTemplate(template)
    request.preset = preset
    request.renders = [PlannedRender(name: "loud", fileExtension: ext)]
    request.variantCount = template.contains("{variant}") ? 2 : 0
    return try bench.outputs(request).last
  }

  @Test(arguments: [
    ("{dir}/{stem}.{ext}", "a/b/talk.wav"), ("{name}", "talk.wav"),
    ("{stem}-{preset}-{render}-{variant}.{ext}", "talk-p-loud-2.wav"), ("x//{stem}", "x/talk"),
  ])
  func fieldsAreFilledIn(template: String, expected: String) throws {
    #expect(try name(template) == expected)
  }

  @Test func thePathIsThatOfTheInputBelowTheOutputFolder() throws {
    let folder = bench.folder("in/a/b").dropFirst()
    #expect(try name("{path}/{stem}.{ext}") == "\(folder)/talk.wav")
  }

  @Test(
    arguments: [
      ("take1", nil, "take1"), ("take1", "flac", "take1.flac"), (".take", nil, ".take"),
      ("a.WAV", "wav", "a.WAV"), ("a.b.wav", "ogg", "a.b.ogg"),
    ] as [(String, String?, String)])
  func theExtensionIsThatOfTheResult(input: String, ext: String?, expected: String) throws {
    #expect(try name("{stem}.{ext}", of: input, ext: ext) == expected)
  }

  @Test func aPresetNameIsOnePartOfThePath() throws {
    #expect(try name("{preset}/{stem}.{ext}", preset: "../a/b\n") == ".._a_b_/talk.wav")
  }

  @Test(arguments: [
    "", "/{stem}", "../{stem}", "a/./{stem}", "{stem}/", "{stem", "stem}", "{what}{stem}", "fixed",
    "{stem}\n",
  ])
  func badTemplatesAreRefused(template: String) {
    let error = #expect(throws: AuricleError.self) { try OutputTemplate(template) }
    #expect(error?.category == .usage)
  }

  @Test(arguments: ["..", ".auricle"])
  func namesThatLeadOutOrIntoTheRecordsAreRefused(preset: String) {
    let error = #expect(throws: AuricleError.self) { try name("{preset}/{stem}", preset: preset) }
    #expect(error?.category == .usage)
  }

  @Test func namesThatAreTooLongAreRefused() {
    let input = String(repeating: "a", count: 250) + ".wav"
    let error = #expect(throws: AuricleError.self) {
      try name("{stem}-{preset}.{ext}", of: input, preset: "podcast")
    }
    #expect(error?.message.contains("too long a name") == true)
  }
}
