// `auricle plugin export`: units as plug-ins of other formats, loaded back by this program and by a bare host.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct PluginExportTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func export(_ arguments: String...) throws -> ProcessResult {
    try box.run(["plugin", "export", "--output", box("dist")] + arguments)
  }

  /// The result of a sound through a unit, with the exported ones installed.
  private func render(_ unit: String, _ more: String...) throws -> [[Float]] {
    let found: [String: String?] = ["LV2_PATH": box("dist"), "CLAP_PATH": box("dist")]
    let run = try runAuricle(
      ["process", "--unit", unit, "--on-exists", "overwrite", "--output-file", "out.wav"] + more
        + ["in.wav"], environment: box.environment.merging(found) { $1 }, in: box.folder.path)
    try #require(run.exitCode == 0, "\(run.summary)")
    return try Sound(path: box("out.wav")).channels
  }

  private func writeInput() throws {
    let channels = (1...2).map {
      TestSignal.noise(seed: $0, amplitude: 0.5, frameCount: 24_000)
    }
    try Sound(channels).write(to: box("in.wav"))
  }

  @Test(
    "an exported unit makes the samples of the native one",
    arguments: ["sdly", "dely", "dcmp", "lmtr", "bpas", "mrev"])
  func anExportedUnitNulls(subtype: String) throws {
    let made = try export("aufx:\(subtype):appl", "--format", "lv2,clap", "--name", "Unit")
    try #require(made.exitCode == 0, "\(made.summary)")
    #expect(made.lines == [box("dist/Unit.lv2"), box("dist/Unit/Unit.clap")], "\(made.summary)")
    try writeInput()
    let native = try render("aufx:\(subtype):appl")
    #expect(try render("urn:auricle:aufx:\(subtype):appl") == native)
    #expect(try render("clap:org.auricle.aufx.\(subtype).appl") == native)
  }

  @Test func aUnitInCBringsNoSwift() throws {
    let made = try export("aufx:sdly:appl", "--format", "lv2", "--name", "Delay")
    try #require(made.exitCode == 0, "\(made.summary)")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: box("dist/Delay.lv2/Contents/Linux"))
    #expect(files.count == 2, "\(files)")
    #expect(!files.contains { $0.hasPrefix("libsw") }, "\(files)")
  }

  @Test("two builds work in one host", .enabled(if: BuildTools.areThere))
  func twoBuildsWorkInOneHost() throws {
    for name in ["One", "Two"] {
      let made = try export("aufx:dely:appl", "aufx:sdly:appl", "--format", "clap", "--name", name)
      try #require(made.exitCode == 0, "\(made.summary)")
    }
    // Another build: a library under another name, and of other bytes.
    let folder = box("dist/Two/Contents/Linux")
    let host = box("host")
    let built = try runProcess(
      "cc",
      [
        "-O1", "-I", Places.inPackage("Adapters"),
        Places.inPackage("Tests/Fixtures/ExportHost/ExportHost.c"), "-o", host, "-ldl",
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    try #require(try Self.rename(inFolder: folder))
    let run = try runProcess(host, [box("dist/One/One.clap"), box("dist/Two/Two.clap")])
    #expect(run.exitCode == 0, "\(run.summary)")
    #expect(run.lines.count == 4 && Set(run.lines).count == 2, "\(run.summary)")
    #expect(run.lines.allSatisfy { $0.hasSuffix(" restored") }, "\(run.summary)")
  }

  /// Renames the libraries of a bundle to those of another build, in the files and in the folder.
  private static func rename(inFolder folder: String) throws -> Bool {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let libraries = names.filter { $0.hasPrefix("libs") }
    for name in names {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
      for library in libraries {
        let other = Data(("libz" + library.dropFirst(4)).utf8)
        while let range = bytes.range(of: Data(library.utf8)) {
          bytes.replaceSubrange(range, with: other)
        }
      }
      let path = folder + "/" + (libraries.contains(name) ? "libz" + name.dropFirst(4) : name)
      if path != folder + "/" + name {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    return !libraries.isEmpty
  }

  @Test("a chain becomes one plug-in that makes the chain's samples") func aChainNulls() throws {
    try """
    auricle: 1
    name: Two stages
    units:
      - unit: aufx:hpas:appl
        parameters: {cutoff frequency: 80 Hz}
      - unit: aufx:dcmp:appl
        name: Level
        parameters: {threshold: -26 dB, overall gain: 4 dB}
        mix: 60 %
    output: {tail: keep-length}
    """.write(toFile: box("chain.yaml"), atomically: true, encoding: .utf8)
    let made = try export("--preset", "./chain.yaml", "--format", "clap")
    try #require(made.exitCode == 0, "\(made.summary)")
    #expect(made.lines == [box("dist/Two-stages/Two-stages.clap")], "\(made.summary)")
    try writeInput()
    let run = try box.run(
      "process", "--preset", "./chain.yaml", "--output-file", "native.wav", "in.wav")
    try #require(run.exitCode == 0, "\(run.summary)")
    let native = try Sound(path: box("native.wav")).channels
    #expect(try render("Auricle: Two stages", "--tail", "keep-length") == native)
  }

  @Test(
    "what cannot be exported is refused with the reason",
    arguments: [
      ("aufc:conv:appl", "it is a converter (aufc)"),
      ("aumx:mcmx:appl", "it is a mixer (aumx)"),
      ("auol:revs:Auri", "it is an offline effect (auol)"),
      ("augn:afpl:appl", "its sound is set by properties"),
    ])
  func aUnitIsRefused(unit: String, reason: String) throws {
    let made = try export(unit, "--format", "clap", "--name", "Unit")
    #expect(made.exitCode == 65, "\(made.summary)")
    #expect(made.standardError.contains(reason), "\(made.summary)")
  }

  @Test func badArgumentsAreNamed() throws {
    let format = try export("aufx:sdly:appl", "--format", "lv2,au")
    #expect(format.exitCode == 64)
    #expect(format.standardError.contains("'au' is no format to export to"), "\(format.summary)")
    let several = try export("aufx:sdly:appl", "aufx:dely:appl")
    #expect(several.exitCode == 64)
    #expect(several.standardError.contains("add --name NAME"), "\(several.summary)")
    let nothing = try export()
    #expect(nothing.exitCode == 64, "\(nothing.summary)")
    let unknown = try export("aufx:none:None")
    #expect(unknown.exitCode == 69, "\(unknown.summary)")
  }
}

/// A compiler and its tools.
private enum BuildTools {
  static let areThere =
    (try? runProcess("cc", ["--version"]))?.exitCode == 0
}
