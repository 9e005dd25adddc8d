// Bundles whose own code describes their plug-ins: it runs in the process that scans, and in no other.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct DynamicManifestTests {
  static let uri = "urn:auricle:test:dynamic-manifest"
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    let bundle = box("lv2/dynamic-manifest.lv2")
    try FileManager.default.createDirectory(
      atPath: box("lv2"), withIntermediateDirectories: true)
    let source = Places.inPackage("Tests/LV2UnitsTests/Fixtures/dynamic-manifest.lv2")
    try FileManager.default.copyItem(atPath: source, toPath: bundle)
    let result = try runProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", source + "/plugin.c"])
    try #require(result.exitCode == 0, "\(result.summary)")
  }

  private func run(_ arguments: String..., more: [String: String?] = [:]) throws -> ProcessResult {
    let own: [String: String?] = [
      "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"), "AURICLE_TEST_LOG": box("log"),
      // The code leaves a line in a file, which Landlock refuses.
      "AURICLE_LANDLOCK_VERSION": "0",
    ]
    return try runAuricle(
      arguments, environment: box.environment.merging(own) { $1 }.merging(more) { $1 },
      in: box.folder.path)
  }

  /// The commands in whose processes the code was run.
  private var openings: [String] {
    let text = (try? String(contentsOfFile: box("log"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map {
      String($0.split(separator: " ").dropFirst().first ?? "")
    }
  }

  @Test func itsPlugInsAreLikeAllOthers() throws {
    let list = try run("list", "--format", "json")
    #expect(list.exitCode == 0, "\(list.summary)")
    #expect(list.standardOutput.contains(Self.uri))
    #expect(openings == ["scan-bundles"])
    let info = try run("info", Self.uri)
    #expect(info.exitCode == 0, "\(info.summary)")
    #expect(info.standardOutput.contains("Gain") && info.standardOutput.contains("Three"))
    _ = try run("list")
    #expect(openings == ["scan-bundles"], "it is asked once")
    let noise = TestSignal.noise(seed: 3, amplitude: 0.25, frameCount: 4800)
    try Sound([noise]).write(to: box("in.wav"))
    let processed = try run(
      "process", "--unit", Self.uri, "--unit-preset", "Three", "--tail", "none", "--output-file",
      box("out.wav"), "--format", "json", box("in.wav"))
    #expect(processed.exitCode == 0, "\(processed.summary)")
    #expect(try Sound(path: box("out.wav")).channels == [noise.map { $0 * 3 }])
    #expect(openings == ["scan-bundles"])
    // The binary changes: it is asked again.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: box("lv2/dynamic-manifest.lv2/plugin.so"))
    _ = try run("list")
    #expect(openings == ["scan-bundles", "scan-bundles"])
  }

  @Test func itsCodeWritesNothing() throws {
    let list = try run("list", "--format", "json", more: ["AURICLE_LANDLOCK_VERSION": nil])
    #expect(list.standardOutput.contains(Self.uri), "\(list.summary)")
    #expect(openings.isEmpty)
  }

  @Test func aCrashOfItsCodeCostsTheBundleAlone() throws {
    try box.folder.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      <urn:test:other> a lv2:Plugin ; lv2:binary <plugin.so> .
      """, to: "lv2/other.lv2/manifest.ttl")
    let list = try run("list", "--format", "json", more: ["AURICLE_TEST_CRASH": "1"])
    #expect(list.exitCode == 0, "\(list.summary)")
    #expect(list.standardOutput.contains("urn:test:other"))
    #expect(!list.standardOutput.contains(Self.uri))
    let scan = try run("scan", "--format", "json")
    #expect(scan.exitCode == 1, "\(scan.summary)")
    #expect(scan.standardOutput.contains("crashed with SIGABRT"), "\(scan.summary)")
    // A broken bundle is remembered until it changes, or is read anew.
    let again = try run("scan", "--force", "--format", "json")
    #expect(!again.standardOutput.contains("crashed"), "\(again.summary)")
    #expect(try run("list").standardOutput.contains("dynamic-manifest"))
  }
}
