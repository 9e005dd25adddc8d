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
    try render(unit, more)
  }

  /// The folders of the exported ones.
  private var environment: [String: String?] {
    let found: [String: String?] = [
      "LV2_PATH": box("dist"), "CLAP_PATH": box("dist"), "VST3_PATH": box("dist"),
    ]
    return box.environment.merging(found) { $1 }
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
    let made = try export("aufx:\(subtype):appl", "--format", "lv2,clap,vst3", "--name", "Unit")
    try #require(made.exitCode == 0, "\(made.summary)")
    #expect(
      made.lines == [box("dist/Unit.lv2"), box("dist/Unit/Unit.clap"), box("dist/Unit.vst3")],
      "\(made.summary)")
    try writeInput()
    let native = try render("aufx:\(subtype):appl")
    #expect(try render(classes["aufx:\(subtype):appl"] ?? "") == native)
    #expect(try render("urn:auricle:aufx:\(subtype):appl") == native)
    #expect(try render("clap:org.auricle.aufx.\(subtype).appl") == native)
  }

  /// The classes in VST3, which are the same for ever: version 5 UUIDs of type, subtype and manufacturer.
  private let classes = [
    "aufx:sdly:appl": "vst3:8EFDA553A7A05470BA1915A6EE8482F8",
    "aufx:dely:appl": "vst3:56A650FC2F9C5FF1B7E30EB3B9161F19",
    "aufx:dcmp:appl": "vst3:DA1BD087744D56F5A8802570EEE0D7FA",
    "aufx:lmtr:appl": "vst3:18A90DC02E0D5DC9A8EFAB766963B345",
    "aufx:bpas:appl": "vst3:60437A99A5EF5577AB9118ABC850C521",
    "aufx:mrev:appl": "vst3:08967D7CD556586E91C00F63DC592B7A",
  ]

  @Test func aUnitInCBringsNoSwift() throws {
    let made = try export("aufx:sdly:appl", "--format", "lv2", "--name", "Delay")
    try #require(made.exitCode == 0, "\(made.summary)")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: box("dist/Delay.lv2/Contents/Linux"))
    #expect(files.count == 2, "\(files)")
    #expect(!files.contains { $0.hasPrefix("libsw") }, "\(files)")
  }

  @Test("the latency of an LV2 has no maximum, for which Ardour would reserve memory")
  func latencyHasNoMaximum() throws {
    let made = try export("aufx:sdly:appl", "--format", "lv2", "--name", "Delay")
    try #require(made.exitCode == 0, "\(made.summary)")
    let text = try String(contentsOf: url("dist/Delay.lv2/plugin-1.ttl"), encoding: .utf8)
    let ports = text.components(separatedBy: "] , [").filter { $0.contains("lv2:reportsLatency") }
    #expect(ports.count == 1 && !ports[0].contains("lv2:maximum"), "\(ports)")
  }

  @Test("two builds work in one host", .enabled(if: BuildTools.areThere))
  func twoBuildsWorkInOneHost() throws {
    for name in ["One", "Two"] {
      // One in C, and one with meters, among them.
      let made = try export(
        "aufx:dely:appl", "aufx:sdly:appl", "aufx:dcmp:appl", "--format", "clap", "--name", name)
      try #require(made.exitCode == 0, "\(made.summary)")
    }
    // Another build: a library under another name, and of other bytes.
    let folder = box("dist/Two/Contents/Linux")
    let host = try exportHost()
    try #require(try Self.rename(inFolder: folder))
    let run = try runProcess(host, [box("dist/One/One.clap"), box("dist/Two/Two.clap")])
    #expect(run.exitCode == 0, "\(run.summary)")
    #expect(run.lines.count == 6 && Set(run.lines).count == 3, "\(run.summary)")
    #expect(run.lines.allSatisfy { $0.hasSuffix(" restored") }, "\(run.summary)")
  }

  @Test(
    "a state of the native unit is one of its plug-ins, and the other way round",
    .enabled(if: BuildTools.areThere))
  func statesGoAcrossFormats() throws {
    let made = try export("aufx:dely:appl", "--format", "lv2,clap,vst3", "--name", "Delay")
    try #require(made.exitCode == 0, "\(made.summary)")
    try writeInput()
    let settings = ["--set", "delay time=0.03", "--set", "feedback=40"]
    let native = try render("aufx:dely:appl", settings)
    #expect(try render("aufx:dely:appl") != native)
    let state = try savedState(of: "aufx:dely:appl", settings)
    let vst3 = classes["aufx:dely:appl"] ?? ""
    // Into VST3: a preset of the same bytes, and back.
    try Data(Self.vst3Preset(vst3.dropFirst(5), state)).write(to: url("in.vstpreset"))
    #expect(try render(vst3, ["--unit-preset", "./in.vstpreset"]) == native)
    let back = try #require(Self.component(of: try savedState(of: vst3, settings)))
    try back.write(to: url("vst3.aupreset"))
    #expect(try render("aufx:dely:appl", ["--unit-preset", "./vst3.aupreset"]) == native)
    // Into CLAP and back, by a bare host.
    try state.write(to: url("native.aupreset"))
    let host = try exportHost()
    let exchanged = try runProcess(
      host,
      [
        "--load", box("native.aupreset"), "--save", box("clap.aupreset"),
        box("dist/Delay/Delay.clap"),
      ])
    #expect(exchanged.exitCode == 0, "\(exchanged.summary)")
    #expect(try render("aufx:dely:appl", ["--unit-preset", "./clap.aupreset"]) == native)
    // Out of LV2: a text in the preset.
    let text = try #require(
      String(data: try savedState(of: "urn:auricle:aufx:dely:appl", settings), encoding: .utf8))
    let start = try #require(text.range(of: "<?xml"))
    let end = try #require(text.range(of: "</plist>"))
    let list = text[start.lowerBound..<end.upperBound].replacing("\\n", with: "\n")
      .replacing("\\t", with: "\t").replacing("\\\"", with: "\"")
    try list.write(to: url("lv2.aupreset"), atomically: true, encoding: .utf8)
    #expect(try render("aufx:dely:appl", ["--unit-preset", "./lv2.aupreset"]) == native)
  }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: box(name)) }

  private func render(_ unit: String, _ more: [String]) throws -> [[Float]] {
    let run = try runAuricle(
      ["process", "--unit", unit, "--on-exists", "overwrite", "--output-file", "out.wav"] + more
        + ["in.wav"], environment: environment, in: box.folder.path)
    try #require(run.exitCode == 0, "\(run.summary)")
    return try Sound(path: box("out.wav")).channels
  }

  /// The file of a preset that is saved of a unit: an `.aupreset`, a `.vstpreset`, or the data of an LV2 preset.
  private func savedState(of unit: String, _ settings: [String]) throws -> Data {
    let saved = try runAuricle(
      ["preset", "save", "Mine", "--overwrite", "--unit", unit] + settings,
      environment: environment, in: box.folder.path)
    try #require(saved.exitCode == 0, "\(saved.summary)")
    let path = try #require(saved.lines.first { $0.hasPrefix("/") })
    let file = path.hasSuffix(".lv2") ? path + "/Mine.ttl" : path
    return try Data(contentsOf: URL(fileURLWithPath: file))
  }

  /// A `.vstpreset` file with a component's state.
  private static func vst3Preset(_ id: Substring, _ state: Data) -> [UInt8] {
    func number(_ value: some FixedWidthInteger) -> [UInt8] {
      unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) }
    }
    let end = Int64(48 + state.count)
    var bytes = Array("VST3".utf8)
    bytes += number(Int32(1))
    bytes += Array(id.utf8)
    bytes += number(end)
    bytes += Array(state)
    bytes += Array("List".utf8)
    bytes += number(Int32(1))
    bytes += Array("Comp".utf8)
    bytes += number(Int64(48))
    bytes += number(Int64(state.count))
    return bytes
  }

  /// The component's state in a `.vstpreset` file.
  private static func component(of file: Data) -> Data? {
    func number(at place: Int) -> Int {
      file[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard file.count > 48, number(at: 40) + 28 <= file.count else { return nil }
    let list = number(at: 40)
    let (start, count) = (number(at: list + 12), number(at: list + 20))
    return Data(file[start..<start + count])
  }

  @Test(
    "no library of a bundle can be unloaded, or has static thread-local storage",
    .enabled(if: BuildTools.areThere))
  func librariesOfABundleStay() throws {
    let made = try export("aufx:dely:appl", "--format", "clap", "--name", "Delay")
    try #require(made.exitCode == 0, "\(made.summary)")
    let adapter = try runProcess("readelf", ["-dW", box("dist/Delay/Delay.clap")])
    #expect(adapter.standardOutput.contains("NODELETE"), "\(adapter.summary)")
    let folder = box("dist/Delay/Contents/Linux")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let facts = try runProcess("readelf", ["-dW", folder + "/" + name])
      #expect(!facts.standardOutput.contains("STATIC_TLS"), "\(name)")
    }
  }

  private func exportHost() throws -> String {
    let host = box("host")
    let built = try runProcess(
      "cc",
      [
        "-O1", "-I", Places.inPackage("Adapters"),
        Places.inPackage("Tests/Fixtures/ExportHost/ExportHost.c"), "-o", host, "-ldl",
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    return host
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
    let made = try export("--preset", "./chain.yaml", "--format", "lv2,clap,vst3")
    try #require(made.exitCode == 0, "\(made.summary)")
    let paths = ["Two-stages.lv2", "Two-stages/Two-stages.clap", "Two-stages.vst3"]
    #expect(made.lines == paths.map { box("dist/" + $0) }, "\(made.summary)")
    try writeInput()
    let run = try box.run(
      "process", "--preset", "./chain.yaml", "--output-file", "native.wav", "in.wav")
    try #require(run.exitCode == 0, "\(run.summary)")
    let native = try Sound(path: box("native.wav")).channels
    let names = [
      "urn:auricle:aufx:ZRRa:AuCh", "clap:org.auricle.aufx.ZRRa.AuCh",
      "vst3:B018D2335CBA55B398490676AD499F49",
    ]
    for name in names { #expect(try render(name, "--tail", "keep-length") == native, "\(name)") }
    let checked = try runAuricle(
      ["validate", "--level", "10"] + names, environment: environment,
      in: box.folder.path)
    #expect(checked.exitCode == 0, "\(checked.summary)")
  }

  @Test(
    "a unit that cannot be exported is refused with the reason",
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
    #expect(format.standardError.contains("'au' is no format for exports"), "\(format.summary)")
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
