// Units that keep their worker from writing, or write into its files: they are named, not the disk.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct MeddledWritesTests {
  let box: Sandbox
  let units: TemporaryFolder
  private static let unit = "Auricle Tests: HostileUnit (aufx:gain:AuTe)"

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-meddled")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    try box.makeSounds("a", "c", "d")
    try box.folder.write(
      """
      auricle: 1
      name: two
      units: [{unit: "aufx:gain:AuTe"}]
      render:
        - {name: wav, container: wav, encoding: pcm16}
        - {name: flac, container: flac, encoding: pcm16}
      """, to: "two.yaml")
  }

  private func process(_ hostile: String, _ words: [String]) throws -> ProcessResult {
    try runAuricle(
      ["process", "--format", "json"] + words,
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": hostile,
      ]) { $1 }, in: box.folder.path)
  }

  private func records(_ result: ProcessResult) throws -> [String: [String: Any]] {
    var records: [String: [String: Any]] = [:]
    for line in try result.fileLines {
      records[(line["input"] as? [String: Any])?["path"] as? String ?? ""] = line
    }
    return records
  }

  private func data(below folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in box.names(folder) {
      found[name] = try Data(contentsOf: URL(fileURLWithPath: box("\(folder)/\(name)")))
    }
    return found
  }

  private static let sounds = ["a.wav", "b.wav", "c.wav", "d.wav"]

  @Test(
    "a unit whose writes fail as on a full or broken disk costs its file alone",
    arguments: ["full", "broken"])
  func pretendedDisk(deed: String) throws {
    let words = ["--unit", "aufx:gain:AuTe", "--output", "out"] + Self.sounds
    // Without the sandbox's filter a unit can bring one.
    let result = try process("render \(deed)", ["--sandbox", "off"] + words)
    #expect(result.exitCode == 1, "\(result.summary)")
    let records = try records(result)
    let bad = try #require(records["b.wav"])
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == Self.unit, "\(bad)")
    #expect(bad["attempts"] as? Int == 2, "\(bad)")
    #expect(box.names("out") == ["a.wav", "c.wav", "d.wav"])
  }

  @Test("a unit cannot make writes fail in the sandbox", arguments: ["strict", "compat"])
  func filtersAreRefused(level: String) throws {
    let words = ["--unit", "aufx:gain:AuTe", "--sandbox", level, "--output", "out"] + Self.sounds
    for deed in ["full", "filters"] {
      let result = try process("render \(deed)", words + ["--new-run", "--overwrite"])
      #expect(result.exitCode == 0, "\(result.summary)")
      #expect(box.names("out") == Self.sounds)
    }
  }

  @Test("a disk that is really full stops the run, whatever units are in the chain")
  func fullDisk() throws {
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4_000_000)])
      .write(to: box("big.wav"))
    let small = try box.folder.makeFolder("small")
    let mounted = try runProcess("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", small])
    // Only root can make a small disk.
    guard mounted.exitCode == 0 else { return }
    defer { _ = try? runProcess("umount", [small]) }
    let result = try process(
      "never", ["--unit", "aufx:gain:AuTe", "--output", "small", "a.wav", "big.wav"])
    #expect(result.exitCode == 75, "\(result.summary)")
    #expect(result.standardError.contains("o space left"), "\(result.summary)")
    #expect(box.names("small").allSatisfy { $0 == "a.wav" })
  }

  @Test(
    "a unit that changes one of several results, or how they are open, is named",
    arguments: ["mixup", "append", "direct"])
  func severalResults(deed: String) throws {
    let result = try process(
      "render \(deed)", ["--preset", "./two.yaml", "--output", "out"] + Self.sounds)
    #expect(result.exitCode == 1, "\(result.summary)")
    let bad = try #require(try records(result)["b.wav"])
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == Self.unit, "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect(bad["attempts"] as? Int == 2, "\(bad)")
    #expect(!result.standardOutput.contains("9223372036854775807"), "\(result.summary)")
    #expect(box.names("out").count == 6)
  }

  @Test("a thread that one file's unit leaves behind reaches no other file")
  func lingeringThread() throws {
    try box.folder.makeFolder("in")
    for index in 0..<16 {
      var noise = TestSignal.noise(
        seed: UInt64(index + 1), amplitude: 0.25, frameCount: 400_000)
      if index == 5 { noise[1234] = 0.95 }
      try Sound([noise]).write(to: box("in/\(10 + index).wav"))
    }
    let words = ["--unit", "aufx:gain:AuTe", "--jobs", "1", "--output"]
    let plain = try process("never", words + ["expected", "in"])
    try #require(plain.exitCode == 0, "\(plain.summary)")
    let result = try process("render linger", words + ["out", "in"])
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try data(below: "out") == data(below: "expected"))
  }
}
