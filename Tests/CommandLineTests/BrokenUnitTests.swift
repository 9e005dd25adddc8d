// Units that are broken, met on the command line: a sentence, an exit code, and the rest goes on.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct BrokenUnitTests {
  let box: Sandbox
  let units: TemporaryFolder

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-cli-units")
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)
    try Sound([noise]).write(to: box("good.wav"), encoding: .pcm16)
    var loud = noise
    loud[1234] = 0.95
    try Sound([loud]).write(to: box("loud.wav"), encoding: .pcm16)
  }

  private func run(_ arguments: String...) throws -> ProcessResult {
    try runAuricle(
      arguments,
      environment: box.environment.merging(["AURICLE_COMPONENT_PATH": units.path]) { $1 },
      in: box.folder.path)
  }

  @Test func noNumberCostsItsFileAlone() throws {
    try ComponentFixture.makeBundle("NaNUnit", in: units)
    let result = try run(
      "process", "--unit", "aufx:gain:AuTe", "--output", "out", "loud.wav", "good.wav")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.standardError.contains("loud.wav: Auricle Tests: NaNUnit"), "\(result.summary)")
    #expect(result.standardError.contains("frame 1234, channel 1"), "\(result.summary)")
    #expect(box.names("out") == ["good.wav"])
  }

  @Test(
    "a bundle whose binary cannot be used",
    arguments: [
      ("text", "not an ELF file but text"), ("other machine", "install a build for"),
      ("no symbol", "has no function \"NoSuchFactory\""), ("null", "made no instance"),
      ("fails", "cannot be opened"),
    ])
  func unusable(defect: String, says: String) throws {
    switch defect {
    case "text":
      try ComponentFixture.makeBundle(
        "Gain", info: ComponentFixture.info("Gain"), binary: Data("#!/bin/sh\n".utf8), in: units)
    case "other machine":
      var binary = try ComponentFixture.binary("GainUnit")
      binary[18] = binary[18] == 243 ? 62 : 243
      try ComponentFixture.makeBundle("GainUnit", binary: binary, in: units)
    case "no symbol":
      let info = ComponentFixture.info("GainUnit")
        .replacing("GainUnitFactory", with: "NoSuchFactory")
      try ComponentFixture.makeBundle("GainUnit", info: info, in: units)
    case "null": try ComponentFixture.makeBundle("NullFactoryUnit", in: units)
    default: try ComponentFixture.makeBundle("OpenFailsUnit", in: units)
    }
    let result = try run("process", "--unit", "aufx:gain:AuTe", "--output", "out", "good.wav")
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(result.standardError.contains(says), "\(result.summary)")
    #expect(box.names("out").isEmpty)
    // The unit listed beside it works.
    let other = try run("process", "--unit", "aufx:lpas:appl", "--output", "out", "good.wav")
    #expect(other.exitCode == 0, "\(other.summary)")
  }

  @Test("a bundle that cannot be listed", arguments: ["no property list", "bad", "no binary"])
  func unlistable(defect: String) throws {
    switch defect {
    case "no property list": try ComponentFixture.makeBundle("GainUnit", info: "", in: units)
    case "bad": try ComponentFixture.makeBundle("GainUnit", info: "<plist><dict>", in: units)
    default: try ComponentFixture.makeBundle("GainUnit", binary: Data(), in: units)
    }
    let list = try run("list", "aufx")
    #expect(list.exitCode == 0, "\(list.summary)")
    #expect(list.lines.contains { $0.contains("Auricle: Low-Pass Filter") })
    #expect(list.errorLines.count == 1, "\(list.summary)")
    #expect(list.standardError.contains("GainUnit.component"), "\(list.summary)")
    let result = try run("process", "--unit", "aufx:gain:AuTe", "--output", "out", "good.wav")
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }
}
