// Files that plug-ins may read under the strict sandbox, and the report when they try more.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct SandboxTests {
  let box: Sandbox
  let units: TemporaryFolder
  let unit = "Auricle Tests: HostileUnit (aufx:gain:AuTe)"

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-sandbox")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    try box.makeSounds("a", "c")
  }

  /// Runs three files; the unit ends its process at the second, unless the deed finds the expected
  /// state.
  private func run(
    _ deed: String, _ paths: [String], _ more: String...
  ) throws -> ProcessResult {
    try runAuricle(
      ["process", "--unit", "aufx:gain:AuTe", "--output", "out"] + more
        + ["a.wav", "b.wav", "c.wav"],
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": deed,
        "AURICLE_TEST_HOSTILE_PREY": paths.joined(separator: ":"),
      ]) { $1 }, in: box.folder.path)
  }

  private func write(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: box((name as NSString).deletingLastPathComponent), withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: URL(fileURLWithPath: box(name)))
    return (box(name) as NSString).resolvingSymlinksInPath
  }

  private func refusals(_ result: ProcessResult) -> [String] {
    result.errorLines.filter { $0.contains(" may not read ") }
  }

  @Test("the user's and the system's files are refused, and named once", arguments: ["1", "2"])
  func refused(jobs: String) throws {
    let letter = try write("home/letter")
    let result = try run(
      "render pry", [letter, "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root", "/var/log"],
      "--jobs", jobs)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      refusals(result).contains {
        $0.hasSuffix(
          "\(unit) may not read \(letter) in the sandbox; --allow-read \(letter) allows it")
      }, "\(result.summary)")
    // Others are refused by the modes of these files, and nothing can be done about it.
    let shadow = refusals(result).filter { $0.contains("read /etc/shadow ") }
    let isReadable = FileManager.default.isReadableFile(atPath: "/etc/shadow")
    #expect(shadow.count == (isReadable ? 1 : 0), "\(result.summary)")
    #expect(Set(refusals(result)).count == refusals(result).count, "\(result.summary)")
  }

  @Test("a unit that does it whenever it is made is named once in a run, too")
  func everyProcess() throws {
    let letter = try write("home/two words")
    let result = try run("open pry", [letter], "--jobs", "2")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(refusals(result).count == 1, "\(result.summary)")
    #expect(refusals(result).first?.contains("--allow-read '\(letter)'") == true)
  }

  @Test("missing files are not reported, and of many refused ones a few are named")
  func manyAndNone() throws {
    let missing = (0..<10).map { box("home/missing/\($0)") }
    let found = try (0..<20).map { try write("home/\($0)/file") }
    let result = try run("render pry", missing + found)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(refusals(result).count == 5, "\(result.summary)")
    #expect(!result.standardError.contains("missing"), "\(result.summary)")
  }

  @Test("files and folders allowed by name are read")
  func allowed() throws {
    let letter = try write("home/letter")
    let nested = try write("home/more/of/it")
    let result = try run(
      "render need", [letter, nested], "--allow-read", letter, "--allow-read", box("home/more"))
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(refusals(result).isEmpty, "\(result.summary)")
  }

  @Test("bundles, libraries, fonts, locales and the machine are read without asking")
  func needed() throws {
    let bundle = units.path + "/HostileUnit.component/Contents/Info.plist"
    try #require(FileManager.default.fileExists(atPath: bundle))
    let paths = [
      "/usr/share", "/usr/lib", "/usr/share/fonts", "/usr/share/zoneinfo", "/etc/fonts/fonts.conf",
      "/etc/localtime", "/etc/passwd", "/etc/ld.so.cache", "/proc/self/maps", "/proc/cpuinfo",
      "/sys/devices/system/cpu", "/usr/share/locale/locale.alias",
    ].filter { FileManager.default.fileExists(atPath: $0) }
    let result = try run("render need", [bundle] + paths)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(refusals(result).isEmpty, "\(result.summary)")
  }

  @Test("names and networks of the machine are not read")
  func machine() throws {
    let result = try run(
      "render pry", ["/proc/sys/kernel/hostname", "/sys/class/net", "/etc/hosts"])
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
