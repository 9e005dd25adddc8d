// Messages of `make` on an unfit machine: a checkout that was moved, no apt.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct BuildScriptTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("auricle-scripts") }

  /// Makes a copy of a script in a separate tree.
  private func copy(_ names: String...) throws {
    try folder.makeFolder("tree/Scripts")
    for name in names {
      try folder.installProgram(
        from: Places.inPackage("Scripts/" + name), to: "tree/Scripts/" + name)
    }
  }

  /// Makes a program in place of another.
  private func fake(_ name: String, _ script: String) throws {
    try folder.writeProgram("#!/bin/sh\n" + script + "\n", to: "bin/" + name)
  }

  @Test func aMovedCheckoutSaysWhatToDo() throws {
    try copy("check-toolchain")
    try fake("swift", "echo 'Swift version 6.3.1'")
    let path = folder("bin") + ":/usr/bin:/bin"
    let first = try runProcess(
      folder("tree/Scripts/check-toolchain"), environment: ["PATH": path])
    #expect(first.exitCode == 0, "\(first.summary)")
    try FileManager.default.moveItem(atPath: folder("tree"), toPath: folder("moved"))
    let moved = try runProcess(
      folder("moved/Scripts/check-toolchain"), environment: ["PATH": path])
    #expect(moved.exitCode == 69, "\(moved.summary)")
    #expect(moved.standardError.contains("run make clean, then make again"), "\(moved.summary)")
    try FileManager.default.removeItem(atPath: folder("moved/.build"))
    let clean = try runProcess(
      folder("moved/Scripts/check-toolchain"), environment: ["PATH": path])
    #expect(clean.exitCode == 0, "\(clean.summary)")
  }

  /// Names of Debian's packages are of no use to others: missing parts are listed by library.
  @Test func withoutAptLibrariesAreNamed() throws {
    try copy("install-packages", "packages.txt")
    for name in ["bash", "env", "grep", "awk", "cat", "dirname"] {
      let place = ["/usr/bin/", "/bin/"].map { $0 + name }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
      try folder.makeFolder("bin")
      try FileManager.default.createSymbolicLink(
        atPath: folder("bin/" + name), withDestinationPath: try #require(place))
    }
    func run() throws -> ProcessResult {
      try runProcess(
        folder("tree/Scripts/install-packages"), ["build"],
        environment: ["PATH": folder("bin")])
    }
    #expect(try run().standardError.contains("no pkg-config"))
    try fake("pkg-config", "[ \"$2\" != sndfile ] && [ \"$2\" != lilv-0 ]")
    let lacking = try run()
    #expect(lacking.exitCode == 69, "\(lacking.summary)")
    #expect(
      lacking.standardError.contains("lilv (lilv-0.pc), libsndfile (sndfile.pc)."),
      "\(lacking.summary)")
    #expect(!lacking.standardError.contains("-dev"), "\(lacking.summary)")
    try fake("pkg-config", "exit 0")
    #expect(try run().exitCode == 0)
  }
}
