// Units that damage the process they work in: its messages, its socket, its memory. They alone are blamed.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct DamagedProcessTests {
  let box: Sandbox
  let units: TemporaryFolder
  private let hostile = "Auricle Tests: HostileUnit (aufx:gain:AuTe)"

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-hostile")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    try box.makeSounds("a", "c", "d")
  }

  private func run(_ deed: String, _ more: [String] = []) throws -> ProcessResult {
    try runAuricle(
      ["process", "--unit", "aufx:gain:AuTe"] + more + [
        "--format", "json", "--stall-limit", "10", "--output", "out", "a.wav", "b.wav", "c.wav",
        "d.wav",
      ],
      environment: environment(deed), in: box.folder.path)
  }

  private func environment(_ deed: String) -> [String: String?] {
    box.environment.merging([
      "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": deed,
      "AURICLE_TEST_HOSTILE_FILE": box("turns"),
    ]) { $1 }
  }

  /// Returns the record of the only bad file, when all others are done.
  private func bad(_ result: ProcessResult) throws -> [String: Any] {
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(box.names("out") == ["a.wav", "c.wav", "d.wav"], "\(result.summary)")
    let lines = try result.fileLines.filter { $0["status"] as? String != "done" }
    try #require(lines.count == 1, "\(result.summary)")
    return lines[0]
  }

  @Test(
    "a unit that overwrites its worker's state costs one file alone",
    arguments: [
      ("blanksegv", "SIGSEGV"), ("smearsegv", "SIGSEGV"), ("blanksleep", "hang"),
      ("smearsleep", "hang"), ("countup", "hang"), ("shutsleep", "closed files"),
    ], ["1", "2"])
  func signs(_ deed: (name: String, signal: String), jobs: String) throws {
    let bad = try bad(try run("render \(deed.name)", ["--jobs", jobs]))
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == hostile, "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect(bad["signal"] as? String == deed.signal, "\(bad)")
    #expect(bad["attempts"] as? Int == 2, "\(bad)")
  }

  @Test("a worker whose state is overwritten still does its files")
  func blank() throws {
    let result = try run("render blank", ["--jobs", "1"])
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["a.wav", "b.wav", "c.wav", "d.wav"])
  }

  @Test(
    "a unit that damages its worker's state before it renders fails with every file",
    arguments: ["instantiate blanksegv", "open smearsegv", "initialize blanksegv"])
  func beforeRendering(deed: String) throws {
    let result = try run(deed)
    #expect(result.exitCode == 1, "\(result.summary)")
    let lines = try result.fileLines
    #expect(lines.count == 4, "\(result.summary)")
    #expect(lines.allSatisfy { $0["status"] as? String == "quarantined" }, "\(lines)")
    #expect(lines.allSatisfy { $0["unit"] as? String == hostile }, "\(lines)")
  }

  @Test("closing with a crash that hides itself costs no file, however many there are")
  func closing() throws {
    try box.folder.makeFolder("many")
    for index in 0..<24 {
      try FileManager.default.copyItem(atPath: box("a.wav"), toPath: box("many/f\(index).wav"))
    }
    let result = try run("uninitialize blanksegv", ["--jobs", "1", "many"])
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out").count == 28, "\(result.summary)")
  }

  @Test("half a message of a unit is reported with its rendering", arguments: ["1", "3"])
  func halfMessage(jobs: String) throws {
    let bad = try bad(try run("render header", ["--jobs", jobs]))
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["unit"] as? String == hostile, "\(bad)")
    #expect(bad["phase"] as? String == "render", "\(bad)")
    #expect(bad["signal"] as? String == "an answer that makes no sense", "\(bad)")
  }

  @Test(
    "a crash of the file's reader is no fault of the input once a unit has rendered",
    arguments: [("readsegv", "SIGSEGV"), ("readsys", "SIGSYS")])
  func reading(deed: String, signal: String) throws {
    let bad = try bad(try run("render \(deed)", ["--jobs", "1"]))
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(bad["origin"] as? String == "unit", "\(bad)")
    #expect(bad["category"] as? String == "software", "\(bad)")
    #expect(bad["unit"] as? String == hostile, "\(bad)")
    #expect(bad["signal"] as? String == signal, "\(bad)")
    #expect(bad["attempts"] as? Int == 2, "\(bad)")
  }

  @Test("two attempts that end in different units blame both")
  func places() throws {
    let binary = try ComponentFixture.binary("HostileUnit")
    let info = ComponentFixture.info("HostileUnit", subtype: "gai2")
      .replacingOccurrences(of: "Auricle Tests: HostileUnit", with: "Auricle Tests: Second")
      .replacingOccurrences(
        of: "<key>CFBundleExecutable</key><string>HostileUnit",
        with: "<key>CFBundleExecutable</key><string>Second")
    try ComponentFixture.makeBundle("Second", info: info, binary: binary, in: units)
    // A single file, so that no other process tries the units.
    let result = try runAuricle(
      [
        "process", "--unit", "aufx:gain:AuTe", "--unit", "aufx:gai2:AuTe", "--sandbox", "off",
        "--format", "json", "--output", "out", "b.wav",
      ], environment: environment("render turns"), in: box.folder.path)
    let bad = try #require(try result.fileLines.first, "\(result.summary)")
    #expect(bad["status"] as? String == "quarantined", "\(bad)")
    #expect(
      bad["unit"] as? String == "\(hostile) or Auricle Tests: Second (aufx:gai2:AuTe)", "\(bad)")
    #expect(bad["signal"] as? String == "SIGSEGV", "\(bad)")
  }
}
