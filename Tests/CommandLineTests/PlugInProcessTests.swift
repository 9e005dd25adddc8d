// Every command that opens a plug-in does so in a sandboxed child: nothing is written, removed or left running.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct PlugInProcessTests {
  let box: Sandbox
  let units: TemporaryFolder
  let prey: String

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-apart")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    try box.folder.write(
      "auricle: 1\nname: Chain\nunits: [{unit: aufx:gain:AuTe}]\n", to: "chain.yaml")
    prey = try box.folder.write("prey", to: "home/prey")
    try box.makeSounds("a")
  }

  private func run(_ hostile: String, _ words: [String], _ more: [String: String] = [:]) throws
    -> ProcessResult
  {
    try runAuricle(
      words,
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": hostile,
        "AURICLE_TEST_HOSTILE_FILE": box("written"), "AURICLE_TEST_HOSTILE_PREY": prey,
        // One run's knowledge of the unit is not used by the next.
        "XDG_CACHE_HOME": box("cache-\(UInt32.random(in: 0...UInt32.max))"), "LV2_PATH": units.path,
      ]) { $1 }.merging(more) { $1 }, in: box.folder.path)
  }

  static let commands = [
    ["scan", "aufx:gain:AuTe"], ["scan", "--open"], ["info", "aufx:gain:AuTe"],
    ["plot", "aufx:gain:AuTe", "--format", "json"], ["preset", "check", "chain.yaml"],
    ["preset", "show", "chain.yaml"], ["preset", "export", "chain.yaml", "exported"],
    ["preset", "save", "--unit", "aufx:gain:AuTe", "mine"], ["graph", "show", "chain.yaml"],
    ["validate", "aufx:gain:AuTe", "--only", "life.open"],
    ["process", "--unit", "aufx:gain:AuTe", "--output", "out", "a.wav"],
  ]

  @Test("files stay as they are, and no program is started", arguments: commands)
  func refused(words: [String]) throws {
    let expected = try run("never", words).exitCode
    for deed in ["write", "remove", "fork", "exec"] {
      for name in ["exported", "home/.local", "out"] {
        try? FileManager.default.removeItem(atPath: box(name))
      }
      let result = try run("load \(deed)", words)
      #expect(result.exitCode == expected, "\(words) \(deed): \(result.summary)")
      #expect(!FileManager.default.fileExists(atPath: box("written")), "\(words) \(deed)")
      #expect(try String(contentsOfFile: prey, encoding: .utf8) == "prey", "\(words) \(deed)")
    }
  }

  @Test(
    "a crash is a sentence with the unit's name",
    arguments: commands.filter { ["preset", "graph", "plot"].contains($0[0]) })
  func crashed(words: [String]) throws {
    let result = try run("open segv", words)
    #expect(result.exitCode == 70, "\(result.summary)")
    #expect(result.standardError.contains("HostileUnit"), "\(result.summary)")
    #expect(
      result.standardError.contains("crashed (Segmentation fault, in the function "),
      "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("exported")))
  }

  @Test("the crash of a unit that is opened for a report has its function, too")
  func function() throws {
    let info = try run("open segv", ["info", "aufx:gain:AuTe"])
    #expect(
      info.standardError.contains("crashed with SIGSEGV in the function ")
        && info.standardError.contains(" of HostileUnit while it was opened"), "\(info.summary)")
    let validate = try run(
      "open segv", ["validate", "aufx:gain:AuTe", "--only", "life", "--format", "json"])
    #expect(
      validate.standardOutput.contains("crashed with SIGSEGV in the function "),
      "\(validate.summary)")
  }

  @Test("a binary that is asked for its units has no rights either")
  func entries() throws {
    let binary = units("HostileUnit.component/Contents/Linux/HostileUnit")
    for deed in ["write", "remove", "fork", "exec"] {
      _ = try run("load \(deed)", ["plugin", "read-entries", binary])
      #expect(!FileManager.default.fileExists(atPath: box("written")), "\(deed)")
      #expect(try String(contentsOfFile: prey, encoding: .utf8) == "prey", "\(deed)")
    }
  }

  @Test("a run on a kernel without Landlock prints one line; on one with its first version, none")
  func weaker() throws {
    let words = ["process", "--unit", "aufx:gain:AuTe", "--output", "out", "a.wav"]
    let without = try run("never", words, ["AURICLE_LANDLOCK_VERSION": "0"])
    #expect(without.exitCode == 0, "\(without.summary)")
    let lines = without.errorLines.filter { $0.contains("the sandbox is weaker") }
    #expect(lines.count == 1, "\(without.summary)")
    #expect(lines.first?.contains("Landlock") == true, "\(without.summary)")
    try FileManager.default.removeItem(atPath: box("out"))
    let with = try run("never", words, ["AURICLE_LANDLOCK_VERSION": "1"])
    #expect(with.exitCode == 0, "\(with.summary)")
    #expect(!with.standardError.contains("weaker"), "\(with.summary)")
  }
}
