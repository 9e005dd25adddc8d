// Watches that go on in an output folder that got another name: nothing goes to the old place.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct MovedWatchTests: WatchTesting {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in")
  }

  private func start(_ output: String) throws -> ChildProcess {
    try box.start(
      "watch", "in", "--unit", "aufx:mrev:appl", "--output", output, "--on-exists", "overwrite",
      "--settle", "0.3", "--jobs", "1")
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: box(name))
  }

  /// A kill, and then another folder at the old place, or none.
  @Test(arguments: [false, true]) func resultsGoWhereTheFolderIs(oldPlaceIsTaken: Bool) throws {
    try makeSound("in/a.wav", seed: 1)
    // A long file.
    try makeSound("in/b.wav", seed: 2, frames: 1 << 22)
    let killed = try start("o1")
    try wait(killed, "the second file") {
      box.names("o1").contains("a.wav") && box.names("o1").contains { $0.hasSuffix(".part") }
    }
    killed.send(signal: SIGKILL)
    _ = killed.wait()
    try move("o1", to: "o2")
    if oldPlaceIsTaken {
      try box.folder.makeFolder("o1")
      try box.folder.write("precious", to: "o1/c.wav")
    }
    try makeSound("in/c.wav", seed: 3)
    let second = try start("o2")
    try wait(second, "all results") { box.names("o2") == ["a.wav", "b.wav", "c.wav"] }
    let ended = try end(second)
    #expect(ended.exitCode == 0, "\(ended.summary)")
    #expect(box.names("o2") == ["a.wav", "b.wav", "c.wav"])
    if oldPlaceIsTaken {
      #expect(try FileManager.default.contentsOfDirectory(atPath: box("o1")) == ["c.wav"])
      #expect(try String(contentsOfFile: box("o1/c.wav"), encoding: .utf8) == "precious")
    } else {
      #expect(!isThere("o1"))
    }
    let verified = try box.run("verify", "o2")
    #expect(verified.exitCode == 0, "\(verified.summary)")
    #expect(verified.standardError.contains("3 results are as written"), "\(verified.summary)")
    let status = try box.run("status", "o2").standardOutput
    #expect(!status.contains("pending"), "\(status)")
  }
}
