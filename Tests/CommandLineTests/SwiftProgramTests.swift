// `auricle swift new`: folders of programs on Core Audio's modules.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct SwiftProgramTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test(arguments: ["player", "renderer", "synth", "effect"])
  func aFolderIsMade(kind: String) throws {
    let made = try box.run("swift", "new", "My Program", "--kind", kind)
    #expect(made.exitCode == 0, "\(made.summary)")
    #expect(made.lines.contains("my-program/Sources/MyProgram/main.swift"), "\(made.summary)")
    for name in ["Package.swift", "README.md", "Sources/MyProgram/main.swift"] {
      let text = try String(contentsOfFile: box("my-program/" + name), encoding: .utf8)
      #expect(!text.contains("@TITLE@") && !text.contains("@IDENTIFIER@"), "\(name)")
    }
    let again = try box.run("swift", "new", "My Program", "--kind", kind)
    #expect(again.exitCode == 74, "\(again.summary)")
  }

  @Test func otherKindsAreRefused() throws {
    let refused = try box.run("swift", "new", "My Program", "--kind", "game")
    #expect(refused.exitCode == 64, "\(refused.summary)")
    #expect(refused.standardError.contains("player, renderer, synth"), "\(refused.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("my-program")))
  }
}
