// Presets that only a plug-in's own code knows: they are listed and used like all others.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct ProgramTests {
  private static let uri = "urn:auricle:test:has-programs"
  private let box: Sandbox
  private let bundle: String
  private let noise = TestSignal.noise(seed: 21, amplitude: 0.1, frameCount: 4800)

  init() throws {
    box = try Sandbox()
    bundle = box("lv2/has-programs.lv2")
    try FileManager.default.createDirectory(atPath: box("lv2"), withIntermediateDirectories: true)
    let source = Places.inPackage("Tests/LV2UnitsTests/Fixtures/has-programs.lv2")
    try FileManager.default.copyItem(atPath: source, toPath: bundle)
    let result = try runProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", source + "/plugin.c"])
    try #require(result.exitCode == 0, "\(result.summary)")
    try Sound([noise]).write(to: box("in.wav"), encoding: .float32)
  }

  private func run(_ arguments: String...) throws -> ProcessResult {
    try runAuricle(
      arguments,
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
      ]) { $1 }, in: box.folder.path)
  }

  /// The factor by which a chain makes sound louder.
  private func factor(_ chain: String...) throws -> Float {
    let result = try runAuricle(
      ["process"] + chain + [
        "--tail", "none", "--overwrite", "--output-file", "out.wav", "in.wav",
      ],
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    let output = try Sound(path: box("out.wav")).channels[0]
    let factor = (output[100] / noise[100]).rounded()
    #expect(output == noise.map { $0 * factor })
    return factor
  }

  @Test func programsAreListedWithTheirBanks() throws {
    struct Report: Decodable {
      struct Preset: Decodable, Equatable {
        var number: Int?
        var name: String
        var bank: String?
      }
      var presets: [Preset]
    }
    let info = try run("info", Self.uri, "--format", "json")
    #expect(info.exitCode == 0, "\(info.summary)")
    let report = try JSONDecoder().decode(Report.self, from: Data(info.standardOutput.utf8))
    #expect(
      report.presets == [
        .init(number: 0, name: "Plain", bank: "0"), .init(number: 1, name: "Double", bank: "0"),
        .init(number: 2, name: "Six", bank: "1"),
      ])
  }

  @Test func programsAreAcceptedByNameAndNumber() throws {
    #expect(try factor("--unit", Self.uri, "--unit-preset", "double") == 2)
    #expect(try factor("--unit", Self.uri, "--unit-preset", "2") == 6)
    // A setting overrides the program's; its inner gain of 2 stays.
    #expect(try factor("--unit", Self.uri, "--unit-preset", "Six", "--set", "gain=1") == 2)
    let missing = try run(
      "process", "--unit", Self.uri, "--unit-preset", "Seven", "--output-file", "no.wav", "in.wav")
    #expect(missing.exitCode == 64, "\(missing.summary)")
  }

  @Test func chainPresetsAcceptPrograms() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Programs
      units:
        - {unit: "\(Self.uri)", preset: Six}
      """, to: "chain.yaml")
    #expect(try factor("--preset", "chain.yaml") == 6)
    let export = try run("preset", "export", "chain.yaml", "folder")
    #expect(export.exitCode == 0, "\(export.summary)")
    #expect(try factor("--preset", "folder/chain.yaml") == 6)
  }

  /// A program that a preset of the data has the name of is that preset.
  @Test func presetsOfTheDataGoFirst() throws {
    let path = bundle + "/manifest.ttl"
    let preset = """
      @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      <urn:auricle:test:own-double> a pset:Preset ; lv2:appliesTo <\(Self.uri)> ;
        rdfs:label "Double" ; lv2:port [ lv2:symbol "gain" ; pset:value 4.0 ] .
      """
    try (String(contentsOfFile: path, encoding: .utf8) + preset)
      .write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try factor("--unit", Self.uri, "--unit-preset", "Double") == 4)
    #expect(try factor("--unit", Self.uri, "--unit-preset", "2") == 6)
  }

  /// It is described without them, once and for all.
  @Test func aPlugInThatCrashesWhenItIsOpenedHasNone() throws {
    let code = "__attribute__((constructor)) static void crash(void) { __builtin_trap(); }\n"
    try box.folder.write(code, to: "crash.c")
    let result = try runProcess(
      "cc", ["-shared", "-fPIC", "-o", bundle + "/plugin.so", box("crash.c")])
    try #require(result.exitCode == 0, "\(result.summary)")
    let info = try run("info", Self.uri)
    #expect(info.exitCode == 0, "\(info.summary)")
    #expect(!info.standardOutput.contains("Presets"))
  }
}
