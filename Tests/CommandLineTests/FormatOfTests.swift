// `--format-of`: one of several plug-ins of a name, in every command that names a unit.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct FormatOfTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func run(_ words: String...) throws -> ProcessResult { try run(words) }

  private func run(_ words: [String]) throws -> ProcessResult {
    let found: [String: String?] = ["CLAP_PATH": box("dist"), "LV2_PATH": box("none")]
    return try runAuricle(
      words, environment: box.environment.merging(found) { $1 }, in: box.folder.path)
  }

  @Test func everyCommandFindsTheFormat() throws {
    let made = try run(
      "plugin", "export", "--format-of", "native", "Peak Limiter", "--format", "clap", "--output",
      "dist")
    try #require(made.exitCode == 0, "\(made.summary)")
    let uri = "clap:org.auricle.aufx.lmtr.appl"
    let native = try run("info", "Peak Limiter")
    #expect(native.standardOutput.contains("aufx:lmtr:appl"), "\(native.summary)")
    for words in [["info"], ["validate", "--level", "1"], ["scan"]] {
      let found = try run(words + ["--format-of", "clap", "Peak Limiter"])
      #expect(found.exitCode == 0 && found.standardOutput.contains(uri), "\(found.summary)")
    }
    let drawn = try run("plot", "--format-of", "clap", "Peak Limiter", "--format", "json")
    #expect(drawn.exitCode == 0, "\(drawn.summary)")
    let shown = try run("show", "--format-of", "clap", "Peak Limiter")
    #expect(shown.exitCode == 69 && shown.standardError.contains("no window"), "\(shown.summary)")
    let saved = try run(
      "preset", "save", "Mine", "--unit", "Peak Limiter", "--format-of", "clap", "--set",
      "pre-gain=3 dB")
    #expect(saved.exitCode == 0, "\(saved.summary)")
    let exported = try run(
      "plugin", "export", "--format-of", "clap", "Peak Limiter", "--output", "dist")
    #expect(
      exported.exitCode == 65 && exported.standardError.contains("comes from clap"),
      "\(exported.summary)")
  }

  @Test(
    arguments: [
      (["info", "--format-of", "au", "Delay"], "--format-of takes native, lv2, clap"),
      (["validate", "--format-of", "clap", "--all"], "belongs to the name of a unit"),
      (["scan", "--format-of", "clap"], "belongs to the name of a unit"),
      (
        ["process", "--format-of", "clap", "--preset", "podcast-voice", "in.wav"],
        "--format-of belongs to a --unit"
      ),
    ])
  func misuseIsNamed(words: [String], reason: String) throws {
    let result = try box.run(words)
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains(reason), "\(result.summary)")
  }
}
