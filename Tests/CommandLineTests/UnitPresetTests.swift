// `auricle preset save`, `delete` and `export`: presets that other hosts read, folders for other machines.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct UnitPresetTests {
  static let filter = "http://calf.sourceforge.net/plugins/Filter"
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    let noise = TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 9600)
    try Sound([noise, noise]).write(to: box("in.wav"), encoding: .float32)
  }

  private func process(_ output: String, _ arguments: String...) throws -> Data {
    let result = try runAuricle(
      ["process", "--tail", "none", "--quiet", "--output-file", output] + arguments + ["in.wav"],
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    return FileManager.default.contents(atPath: box(output)) ?? Data()
  }

  @Test func aSavedPresetIsListedLoadedAndDeleted() throws {
    let wanted = try process(
      "a.wav", "--unit", Self.filter, "--set", "freq=812.3456789", "--set", "res=3.0000002")
    let save = [
      "preset", "save", "Wärm \"one\"", "--unit", Self.filter, "--set", "freq=812.3456789", "--set",
      "res=3.0000002", "--bank", "Mine \\ \"b\"",
    ]
    let saved = try runAuricle(save, environment: box.environment, in: box.folder.path)
    #expect(saved.exitCode == 0, "\(saved.summary)")
    let bundle = try #require(saved.lines.first)
    #expect(bundle.hasPrefix(box("home/.lv2/")) && bundle.hasSuffix(".preset.lv2"))
    // Nothing is replaced unasked.
    let again = try runAuricle(save, environment: box.environment, in: box.folder.path)
    #expect(again.exitCode == 74, "\(again.summary)")
    #expect(
      try runAuricle(save + ["--overwrite"], environment: box.environment, in: box.folder.path)
        .exitCode == 0)
    let info = try box.run("info", Self.filter, "--format", "json").json as? [String: Any]
    let presets = info?["presets"] as? [[String: Any]] ?? []
    let mine = try #require(presets.first { $0["name"] as? String == "Wärm \"one\"" })
    #expect(mine["source"] as? String == "user")
    #expect(mine["bank"] as? String == "Mine \\ \"b\"")
    let uri = try #require(mine["uri"] as? String)
    #expect(
      try process("b.wav", "--unit", Self.filter, "--unit-preset", "Wärm \"one\"") == wanted)
    #expect(try process("c.wav", "--unit", Self.filter, "--unit-preset", uri) == wanted)
    // Another host reads it, where one is installed.
    if let lv2info = try? runProcess("lv2info", [Self.filter], environment: box.environment),
      lv2info.exitCode == 0
    {
      #expect(lv2info.standardOutput.contains("Wärm \"one\""), "\(lv2info.summary)")
      #expect(lv2info.standardError.isEmpty)
    }
    let refused = try box.run("preset", "delete", "Disco", "--unit", Self.filter)
    #expect(refused.exitCode == 69, "\(refused.summary)")
    let deleted = try box.run("preset", "delete", "Wärm \"one\"", "--unit", Self.filter)
    #expect(deleted.exitCode == 0, "\(deleted.summary)")
    #expect(!FileManager.default.fileExists(atPath: bundle))
    #expect(box.names("home/.lv2").isEmpty)
  }

  /// A plug-in that accepts only blocks of certain lengths, and whose worker reads an impulse response.
  @Test func aPresetHoldsTheFilesOfItsPlugIn() throws {
    let unit = "http://gareus.org/oss/lv2/convoLV2#Stereo"
    let decay = (0..<2400).map { 0.02 * Float(2400 - $0) / 2400 }
    try Sound([decay]).write(to: box("room.wav"), encoding: .float32)
    let expected = try process("set.wav", "--unit", unit, "--set", "impulse=room.wav")
    let saved = try box.run("preset", "save", "Room", "--unit", unit, "--set", "impulse=room.wav")
    try #require(saved.exitCode == 0, "\(saved.summary)")
    try FileManager.default.removeItem(atPath: box("room.wav"))
    #expect(try process("kept.wav", "--unit", unit, "--unit-preset", "Room") == expected)

    try box.folder.write(
      """
      auricle: 1
      name: Room
      units: [{unit: "\(unit)", preset: Room}]
      """, to: "room.yaml")
    let exported = try box.run("preset", "export", "room.yaml", "out")
    #expect(exported.exitCode == 0, "\(exported.summary)")
    let deleted = try box.run("preset", "delete", "Room", "--unit", unit)
    #expect(deleted.exitCode == 0, "\(deleted.summary)")
    #expect(try process("moved.wav", "--preset", "./out") == expected)
  }

  @Test func presetsLoadSaveAndLoadToTheSameSound() throws {
    let list = try box.run("list", "--format", "json").json as? [[String: Any]] ?? []
    let uris = list.compactMap { $0["uri"] as? String }
    var count = 0
    for uri in [
      "http://calf.sourceforge.net/plugins/Flanger", "http://calf.sourceforge.net/plugins/Reverb",
    ]
    where uris.contains(uri) {
      let info = try box.run("info", uri, "--format", "json").json as? [String: Any]
      for preset in (info?["presets"] as? [[String: Any]] ?? []).prefix(3) {
        guard let name = preset["uri"] as? String else { continue }
        count += 1
        let first = try process("\(count)-1.wav", "--unit", uri, "--unit-preset", name)
        let saved = try box.run(
          "preset", "save", "Copy \(count)", "--unit", uri, "--unit-preset", name)
        #expect(saved.exitCode == 0, "\(saved.summary)")
        let second = try process("\(count)-2.wav", "--unit", uri, "--unit-preset", "Copy \(count)")
        #expect(first == second, "\(name)")
      }
    }
    #expect(count > 0)
  }

  @Test func anExportedChainIsCompleteAndChecked() throws {
    _ = try box.run("preset", "save", "Mine", "--unit", Self.filter, "--set", "freq=640 Hz")
    let tone = TestSignal.noise(seed: 9, amplitude: 0.5, frameCount: 4800)
    try Sound([tone, tone]).write(to: box("side.wav"), encoding: .pcm16)
    try box.folder.write(
      """
      auricle: 1
      name: Ducked
      units:
        - unit: \(Self.filter)
          preset: Mine
        - unit: http://plugin.org.uk/swh-plugins/sc3
          sidechain: {file: side.wav, loop: true}
      """, to: "ducked.yaml")
    let wanted = try process("a.wav", "--preset", "./ducked.yaml")
    let export = try box.run("preset", "export", "./ducked.yaml", "out")
    #expect(export.exitCode == 0, "\(export.summary)")
    #expect(try box.run("preset", "check", "out").exitCode == 0)
    let files = FileManager.default.subpaths(atPath: box("out")) ?? []
    #expect(files.contains("ducked.json") && files.contains("audio/side.wav"), "\(files)")
    #expect(files.contains { $0.hasSuffix(".preset.lv2/manifest.ttl") }, "\(files)")
    let sums = try? runProcess("sha256sum", ["-c", "SHA256SUMS"], in: box("out"))
    #expect(sums?.exitCode ?? 0 == 0, "\(String(describing: sums?.summary))")
    // Elsewhere, without its sources, it sounds the same.
    try FileManager.default.moveItem(atPath: box("out"), toPath: box("elsewhere"))
    try FileManager.default.removeItem(atPath: box("home/.lv2"))
    try FileManager.default.removeItem(atPath: box("side.wav"))
    #expect(try process("b.wav", "--preset", "./elsewhere") == wanted)
    #expect(try box.run("preset", "export", "./elsewhere", "elsewhere").exitCode == 74)
    // Every kind of damage is reported.
    try box.folder.write("x", to: "elsewhere/audio/side.wav")
    try box.folder.write("x", to: "elsewhere/more.txt")
    let check = try box.run("preset", "check", "elsewhere")
    #expect(check.exitCode == 65, "\(check.summary)")
    #expect(check.standardError.contains("side.wav is not as it was exported"))
    #expect(check.standardError.contains("more.txt was not exported"))
    try FileManager.default.removeItem(atPath: box("elsewhere/audio/side.wav"))
    #expect(
      try box.run("preset", "check", "elsewhere").standardError.contains("side.wav is missing"))
  }

  /// An impulse response that two stages name, and one of the same name from another folder.
  @Test func filesThatParametersNameGoWithAChain() throws {
    let bundle = box("lv2/patch-properties.lv2")
    let source = Places.inPackage("Tests/LV2UnitsTests/Fixtures/patch-properties.lv2")
    try FileManager.default.createDirectory(atPath: box("lv2"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: bundle)
    let compiled = try runProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", source + "/plugin.c", "-lm"])
    try #require(compiled.exitCode == 0, "\(compiled.summary)")
    try box.folder.write("3", to: "chain/rooms/gain.txt")
    try box.folder.write("2", to: "chain/halls/gain.txt")
    let unit = "unit: \"urn:auricle:test:patch-properties\", parameters"
    try box.folder.write(
      """
      auricle: 1
      name: Files
      units:
        - {\(unit): {file: rooms/gain.txt}}
        - {\(unit): {file: halls/gain.txt, gain: 0.5}}
        - {\(unit): {file: rooms/gain.txt, gain: 0.25}}
      """, to: "chain/files.yaml")
    let mono = TestSignal.noise(seed: 6, amplitude: 0.1, frameCount: 4800)
    try Sound([mono]).write(to: box("in.wav"), encoding: .float32)
    let environment = box.environment.merging([
      "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
    ]) { $1 }
    func run(_ arguments: String...) throws -> ProcessResult {
      let result = try runAuricle(arguments, environment: environment, in: box.folder.path)
      #expect(result.exitCode == 0, "\(result.summary)")
      return result
    }
    _ = try run("process", "--preset", "chain/files.yaml", "--output-file", "a.wav", "in.wav")
    #expect(try Sound(path: box("a.wav")).channels == [mono.map { $0 * 3 * 2 * 0.5 * 3 * 0.25 }])
    _ = try run("preset", "export", "chain/files.yaml", "out")
    let files = (FileManager.default.subpaths(atPath: box("out")) ?? []).filter {
      $0.hasSuffix(".txt")
    }
    #expect(Set(files) == ["files/gain.txt", "files/gain-2.txt"])
    try FileManager.default.createDirectory(atPath: box("moved"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: box("out"), toPath: box("moved/to here"))
    try FileManager.default.removeItem(atPath: box("chain"))
    _ = try run("preset", "check", "moved/to here")
    _ = try run("process", "--preset", "moved/to here", "--output-file", "b.wav", "in.wav")
    #expect(
      FileManager.default.contents(atPath: box("a.wav"))
        == FileManager.default.contents(atPath: box("b.wav")))
  }

  @Test func presetsOfOtherUnitsAreFilesOfTheirOwn() throws {
    let environment = box.environment.merging(["XDG_DATA_HOME": box("data")]) { $1 }
    func run(_ arguments: String...) throws -> ProcessResult {
      try runAuricle(arguments, environment: environment, in: box.folder.path)
    }
    let saved = try run(
      "preset", "save", "Low", "--unit", "aufx:lpas:appl", "--set", "cutoff frequency=500 Hz")
    #expect(saved.exitCode == 0, "\(saved.summary)")
    let path = try #require(saved.lines.first)
    #expect(path.hasPrefix(box("data/")) && path.hasSuffix("/Low.aupreset"))
    // The name of its file is used in its place.
    let twice = try run("preset", "save", "Low.aupreset", "--unit", "aufx:lpas:appl")
    #expect(
      twice.exitCode == 74 && twice.standardError.contains("/Low.aupreset exists"),
      "\(twice.summary)")
    let wanted = try process(
      "a.wav", "--unit", "aufx:lpas:appl", "--set", "cutoff frequency=500 Hz")
    #expect(try process("b.wav", "--unit", "aufx:lpas:appl", "--unit-preset", path) == wanted)
    // It is listed, and found by its name.
    let info = try run("info", "aufx:lpas:appl", "--format", "json").json as? [String: Any]
    let presets = info?["presets"] as? [[String: Any]] ?? []
    let mine = try #require(presets.first { $0["name"] as? String == "Low" })
    #expect(mine["source"] as? String == "user" && mine["path"] as? String == path)
    #expect(try run("info", "aufx:lpas:appl").standardOutput.contains("Low"))
    let named = try run(
      "process", "--tail", "none", "--quiet", "--output-file", "c.wav", "--unit", "aufx:lpas:appl",
      "--unit-preset", "low", "in.wav")
    #expect(named.exitCode == 0, "\(named.summary)")
    #expect(FileManager.default.contents(atPath: box("c.wav")) == wanted)
    let deleted = try run(
      "preset", "delete", "Low", "--unit", "aufx:lpas:appl", "--format", "json")
    #expect(deleted.exitCode == 0, "\(deleted.summary)")
    #expect(try deleted.json as? [[String: String]] == [["path": path]])
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try run("preset", "delete", "Low", "--unit", "aufx:lpas:appl").exitCode == 66)
  }
}
