// Every way out of the sandbox that we know is tried, at every version of Landlock: none leads out.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct SandboxAttackTests {
  /// The program that attacks, with the sandbox of the program in it.
  private static func attacker(in folder: TemporaryFolder) throws -> String {
    let system = Places.inPackage("Sources/System/CHostSystem")
    let arguments = [
      "-std=gnu11", "-O1", "-I", system + "/include",
      Places.inPackage("Tests/Fixtures/SandboxAttacks/attacks.c"), system + "/Sandbox.c",
      system + "/CallFilter.c", "-o", folder("attacks"), "-lpthread",
    ]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
    return folder("attacks")
  }

  @Test("nothing outside is read, written, signalled or started", arguments: 1...6)
  func attacks(version: Int) throws {
    let folder = try TemporaryFolder("auricle-attacks")
    let box = try folder.makeFolder("box")
    let result = try runProcess(try Self.attacker(in: folder), ["\(version)", box])
    // A kernel without Landlock has nothing to try.
    if result.exitCode == 69 { return }
    let rows = result.standardOutput.split(separator: "\n").filter { $0.contains(": ") }
    for row in rows where row.contains("ESCAPED") || row.contains("BROKEN") {
      Issue.record("Landlock \(version): \(row)")
    }
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(rows.count { $0.hasSuffix(": refused") } > 150, "\(result.summary)")
  }

  @Test("several attacks of one process lead nowhere either", arguments: [1, 3, 6])
  func several(version: Int) throws {
    let folder = try TemporaryFolder("auricle-attacks")
    let box = try folder.makeFolder("box")
    let result = try runProcess(
      try Self.attacker(in: folder), ["\(version)", box, "\(41 + version)", "60"])
    if result.exitCode == 69 { return }
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
