// Programs that use music sequences and players, in C.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct MusicProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Compiles a program and runs it.
  private func run(
    _ name: String, _ arguments: [String], environment: [String: String?] = [:]
  ) throws -> ProcessResult {
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder(name)
    try CProgramTests().compile(
      "Music/\(name)", to: program, with: "clang",
      [
        "-Wno-multichar", "-D_GNU_SOURCE", "-rdynamic", "-lpthread",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ])
    return try runProcess(program, arguments, environment: environment)
  }

  @Test("Sequences refuse what is wrong, are edited, and come back from files as they were saved")
  func sequences() throws {
    let seed = Int.random(in: 0..<1_000_000)
    try folder.makeFolder("songs")
    let result = try run("Sequences", [folder("songs"), "\(seed)"])
    #expect(result.exitCode == 0, "seed \(seed): \(result.summary)")
  }
}
