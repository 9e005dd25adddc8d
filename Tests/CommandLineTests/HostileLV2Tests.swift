// An LV2 plug-in that misbehaves in every phase: the run ends, and only its files fail.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct HostileLV2Tests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    let source = Places.inPackage("Tests/Fixtures/HostileLV2/hostile.lv2")
    try box.folder.makeFolder("lv2")
    try FileManager.default.copyItem(atPath: source, toPath: box("lv2/hostile.lv2"))
    let arguments = [
      "-std=gnu11", "-shared", "-fPIC", "-O1", "-w", "-I",
      Places.inPackage("Tests/Fixtures/BrokenUnits"), source + "/plugin.c", "-o",
      box("lv2/hostile.lv2/plugin.so"), "-lm", "-lpthread",
    ]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
    try writeSounds(frameCount: 4800, trigger: 1234)
  }

  /// Three files of noise; the second one has a sample that the deed is done at.
  private func writeSounds(frameCount: Int, trigger: Int) throws {
    var noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: frameCount)
    for name in ["a", "c"] { try Sound([noise]).write(to: box("\(name).wav")) }
    noise[trigger] = 0.95
    try Sound([noise]).write(to: box("b.wav"))
  }

  private func run(
    _ hostile: String, _ more: [String] = []
  ) throws -> [String: [String: Any]] {
    let result = try runAuricle(
      [
        "process", "--unit", "urn:auricle:test:hostile", "--format", "json", "--tail", "none",
        "--stall-limit", "10", "--output", "out",
      ] + more + ["a.wav", "b.wav", "c.wav"],
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"), "AURICLE_TEST_HOSTILE": hostile,
      ]) { $1 }, in: box.folder.path)
    var records: [String: [String: Any]] = [:]
    for line in try result.fileLines {
      let name = (line["input"] as? [String: Any])?["path"] as? String ?? ""
      #expect(records.updateValue(line, forKey: name) == nil, "\(name) is told twice")
    }
    #expect(records.count == 3, "\(hostile): \(result.summary)")
    return records
  }

  @Test(
    "a deed while running costs the file it is done to",
    arguments: [
      ("segv", "SIGSEGV"), ("exit", "exit 0"), ("loop", "hang"), ("smash", "SIGABRT"),
      ("nan", nil), ("beyond", nil), ("latency", nil),
    ])
  func whileRunning(deed: String, signal: String?) throws {
    let records = try run("render \(deed)")
    let bad = try #require(records["b.wav"])
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect((bad["unit"] as? String)?.contains("Hostile") == true, "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect(bad["signal"] as? String == signal, "\(bad)")
    for name in ["a.wav", "c.wav"] {
      #expect(records[name]?["status"] as? String == "done", "\(records)")
    }
    #expect(box.names("out") == ["a.wav", "c.wav"])
  }

  @Test(
    "writes behind a slice that does not fill its buffer are reported",
    arguments: [(800, 5), (4800, 4799)])
  func beyondShortSlice(frameCount: Int, trigger: Int) throws {
    try writeSounds(frameCount: frameCount, trigger: trigger)
    let records = try run("render beyond")
    let bad = try #require(records["b.wav"])
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(
      (bad["error"] as? String)?.contains("wrote beyond the end of its output") == true, "\(bad)")
    #expect(box.names("out") == ["a.wav", "c.wav"])
  }

  @Test("a plug-in works in folders whose names are no UTF-8")
  func bytes() throws {
    let script = """
      folder=$(printf 'p\\377') && mkdir "$folder" && mv lv2/hostile.lv2 "$folder/$(printf 'h\\351.lv2')" || exit 3
      LV2_PATH=$PWD/$folder exec "$0" process --unit urn:auricle:test:hostile --output out a.wav
      """
    let result = try runProcess(
      "sh", ["-c", script, Places.auricle],
      environment: box.environment.merging([
        "XDG_CACHE_HOME": box("cache"), "AURICLE_TEST_HOSTILE": "never",
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["a.wav"])
  }

  @Test(
    "a plug-in that ends its worker before any sample blames no file, and ends the run",
    arguments: ["load", "instantiate", "initialize"])
  func inOtherPhases(moment: String) throws {
    let result = try runAuricle(
      [
        "process", "--unit", "urn:auricle:test:hostile", "--tail", "none", "--output", "out",
        "a.wav", "b.wav", "c.wav",
      ],
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
        "AURICLE_TEST_HOSTILE": "\(moment) abort",
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 4, "\(result.summary)")
    #expect(result.standardError.contains("SIGABRT"), "\(result.summary)")
    #expect(result.standardError.contains("no file is to blame"), "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  @Test("a plug-in that refuses file after file stops the run", arguments: ["1", "2"])
  func refusal(jobs: String) throws {
    let files = try (0..<8).map { index in
      let noise = TestSignal.noise(seed: UInt64(index), amplitude: 0.25, frameCount: 4800)
      try Sound([noise]).write(to: box("f\(index).wav"))
      return "f\(index).wav"
    }
    let result = try runAuricle(
      [
        "process", "--unit", "urn:auricle:test:hostile", "--max-failures", "3", "--jobs", jobs,
        "--output", "out",
      ] + files,
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
        "AURICLE_TEST_HOSTILE": "instantiate refusal",
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 4, "\(result.summary)")
    #expect(result.standardError.contains("refused to be instantiated"), "\(result.summary)")
    #expect(result.standardError.contains("too many files in a row"), "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  @Test("a crash when all is done costs no file", arguments: ["close", "unload", "reset"])
  func afterwards(moment: String) throws {
    for (name, record) in try run("\(moment) abort") {
      #expect(record["status"] as? String == "done", "\(name): \(record)")
    }
    #expect(box.names("out") == ["a.wav", "b.wav", "c.wav"])
  }

  /// Runs eight files of half a second in two rates, and returns how it ended.
  private func runMany(_ hostile: String, _ arguments: [String]) throws -> ProcessResult {
    for index in 0..<8 {
      let noise = TestSignal.noise(seed: UInt64(index), amplitude: 0.25, frameCount: 4800)
      let rate = index < 4 ? 48_000.0 : 44_100
      try Sound([noise], sampleRate: rate).write(to: box("many/\(index).wav"))
    }
    return try runAuricle(
      ["process", "--unit", "urn:auricle:test:hostile", "--output", "out", "many"] + arguments,
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"), "AURICLE_TEST_HOSTILE": hostile,
      ]) { $1 }, in: box.folder.path)
  }

  @Test(
    "an instance that a plug-in refuses in a used process is made in another",
    arguments: ["1", "2"])
  func scarcity(jobs: String) throws {
    try box.folder.makeFolder("many")
    let result = try runMany("instantiate scarcity", ["--jobs", jobs])
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == (0..<8).map { "\($0).wav" })
  }

  @Test("a plug-in whose binary cannot be loaded is reported before anything is done")
  func unloadable() throws {
    try box.folder.makeFolder("many")
    try Data("no binary".utf8).write(to: URL(fileURLWithPath: box("lv2/hostile.lv2/plugin.so")))
    for arguments in [["--dry-run"], [], ["--jobs", "2"]] {
      let result = try runMany("none none", arguments)
      #expect(result.exitCode == 69, "\(result.summary)")
      #expect(result.standardError.contains("its binary cannot be loaded"), "\(result.summary)")
      #expect(!box.names("").contains("out") || box.names("out").isEmpty)
    }
  }

  @Test("an output that is not written is silent, whatever the lengths of slices")
  func unwritten() throws {
    let result = try runAuricle(
      [
        "process", "--unit", "urn:auricle:test:hostile", "--encoding", "float32", "--tail", "0.3",
        "--output", "out", "a.wav",
      ],
      environment: box.environment.merging([
        "LV2_PATH": box("lv2"), "XDG_CACHE_HOME": box("cache"),
        "AURICLE_TEST_HOSTILE": "output none",
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    let sound = try Sound(path: box("out/a.wav"))
    #expect(sound.channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test(
    "the direction flag that a plug-in leaves set reaches nobody else",
    arguments: ["aufx:lpas:appl", "aufx:mrev:appl", "urn:auricle:test:hostile"])
  func directionFlag(next: String) throws {
    func results() throws -> [Data] {
      try ["a", "b", "c"].map { try Data(contentsOf: URL(fileURLWithPath: box("out/\($0).wav"))) }
    }
    _ = try run("none none", ["--unit", next])
    let expected = try results()
    let records = try run("render direction", ["--unit", next, "--overwrite", "--new-run"])
    #expect(records.values.allSatisfy { $0["status"] as? String == "done" }, "\(records)")
    #expect(try results() == expected)
  }

  @Test("a heap that was damaged is blamed on the plug-in, wherever it shows")
  func damagedHeap() throws {
    let bad = try #require(try run("render smashtop")["b.wav"])
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect((bad["unit"] as? String)?.contains("Hostile") == true, "\(bad)")
    #expect(bad["signal"] as? String == "SIGABRT", "\(bad)")
    #expect(box.names("out") == ["a.wav", "c.wav"])
  }
}
