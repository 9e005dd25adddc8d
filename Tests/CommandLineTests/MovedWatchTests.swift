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

  private func number(of name: String) -> UInt64? {
    var status = stat()
    return unsafe stat(box(name), &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: box(name))
  }

  /// A kill, and then another folder at the old place, or none.
  @Test(arguments: [false, true]) func resultsGoWhereTheFolderIs(oldPlaceIsTaken: Bool) throws {
    try makeSound("in/a.wav", seed: 1)
    // One that takes a while.
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

  /// A kill between a result's name and the ledger's word of it, in a folder that had been moved.
  @Test func resultsThatWereAnnouncedCount() throws {
    try makeSound("in/a.wav", seed: 1)
    let first = try start("o1")
    try wait(first, "the first") { box.names("o1") == ["a.wav"] }
    #expect(try end(first).exitCode == 0)
    try move("o1", to: "o2")
    try makeSound("in/b.wav", seed: 2)
    let second = try start("o2")
    try wait(second, "the second") { box.names("o2") == ["a.wav", "b.wav"] }
    #expect(try end(second).exitCode == 0)
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("o2/.auricle")).first)
    let ledger = box("o2/.auricle/\(run)/ledger-2.jsonl")
    let lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
    try lines.filter { !$0.contains("\"kept\"") }.map { $0 + "\n" }.joined()
      .write(toFile: ledger, atomically: false, encoding: .utf8)
    try move("o2", to: "o3")
    let before = number(of: "o3/b.wav")
    let third = try start("o3")
    try makeSound("in/c.wav", seed: 3)
    try wait(third, "the third") { box.names("o3") == ["a.wav", "b.wav", "c.wav"] }
    let result = try end(third)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(before != nil && number(of: "o3/b.wav") == before)
    #expect(!isThere("o1") && !isThere("o2"))
    #expect(try box.run("verify", "o3").exitCode == 0)
  }
}
