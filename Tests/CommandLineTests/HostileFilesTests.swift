// Units that lay hands on files: those of the user, those in memory, the results they write.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct HostileFilesTests {
  let box: Sandbox
  let units: TemporaryFolder

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-hostile")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    try box.makeSounds("a", "c")
  }

  /// The identity of a file, beside its bytes.
  private struct Traits: Equatable {
    var mode: UInt32 = 0
    var owner: UInt32 = 0
    var modified = 0
    var flags = 0

    init(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return }
      mode = status.st_mode
      owner = status.st_uid
      modified = status.st_mtim.tv_sec
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      let getFlags: UInt = 0x8008_6601
      unsafe _ = ioctl(file, getFlags, &flags)
      close(file)
    }
  }

  private func run(_ hostile: String, _ more: [String]) throws -> [String: [String: Any]] {
    let result = try runAuricle(
      ["process", "--unit", "aufx:gain:AuTe", "--format", "json", "--output", "out"] + more
        + ["a.wav", "b.wav", "c.wav"],
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": hostile,
      ]) { $1 }, in: box.folder.path)
    var records: [String: [String: Any]] = [:]
    for line in try result.fileLines {
      records[(line["input"] as? [String: Any])?["path"] as? String ?? ""] = line
    }
    #expect(records.count == 3, "\(result.summary)")
    return records
  }

  @Test(
    "modes, owners, times and attributes of files stay as they are",
    arguments: ["strict", "compat"])
  func attributes(level: String) throws {
    let before = Traits(box("b.wav"))
    let records = try run("render attributes", ["--sandbox", level, "--jobs", "1"])
    #expect(records["b.wav"]?["status"] as? String == "done", "\(records)")
    #expect(Traits(box("b.wav")) == before)
    let (plain, touched) = (Traits(box("out/a.wav")), Traits(box("out/b.wav")))
    #expect(touched.mode == plain.mode)
    #expect(touched.owner == plain.owner)
    #expect(touched.flags == plain.flags)
  }

  @Test("files in memory count as memory, also those that are not mapped")
  func memoryFiles() throws {
    let records = try run("render memfile", ["--memory-limit", "512M", "--stall-limit", "20"])
    let bad = try #require(records["b.wav"])
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["signal"] as? String == "memory limit", "\(bad)")
    #expect(bad["unit"] as? String == "Auricle Tests: HostileUnit (aufx:gain:AuTe)", "\(bad)")
    #expect(box.names("out") == ["a.wav", "c.wav"])
  }

  @Test(
    "a unit that makes a result longer than it is, is named; the hole is not read",
    arguments: [[], ["--normalize=-1"]])
  func stretchedResult(more: [String]) throws {
    let records = try run("render stretch", more)
    let bad = try #require(records["b.wav"])
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == "Auricle Tests: HostileUnit (aufx:gain:AuTe)", "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect((bad["error"] as? String)?.contains("meddled with the files") == true, "\(bad)")
    #expect(box.names("out") == ["a.wav", "c.wav"])
  }
}
