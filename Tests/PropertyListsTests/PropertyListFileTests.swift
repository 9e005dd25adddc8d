// Files: reading them, and refusals before reading.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PropertyLists
import Testing

@Suite("Property list files")
struct PropertyListFileTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/auricle-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func failure(_ path: String) throws -> PropertyListError {
    try #require(throws: PropertyListError.self) { try PropertyListReader().read(contentsOf: path) }
  }

  @Test func readsAFile() throws {
    try withFolder { folder in
      let path = folder + "/Info.plist"
      let long = String(repeating: "x", count: 300_000)
      try "<plist><string>\(long)</string></plist>"
        .write(toFile: path, atomically: false, encoding: .utf8)
      #expect(try PropertyListReader().read(contentsOf: path) == .string(long))
    }
  }

  @Test func refusesWhatIsNoFile() throws {
    try withFolder { folder in
      try #expect(failure(folder).message.contains("folder"))
      let missing = try failure(folder + "/none")
      #expect(missing.kind == .unreadable(ENOENT))
      #expect(missing.message.contains("No such file"))
      let pipe = folder + "/pipe"
      unsafe #expect(mkfifo(pipe, 0o600) == 0)
      try #expect(failure(pipe).message.contains("not an ordinary file"))
      try #expect(failure("/dev/zero").message.contains("not an ordinary file"))
      #expect(FileManager.default.createFile(atPath: folder + "/empty", contents: nil))
      try #expect(failure(folder + "/empty").message == "it is empty")
    }
  }

  @Test func refusesAHugeFileUnread() throws {
    try withFolder { folder in
      let path = folder + "/sparse"
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      unsafe #expect(truncate(path, 1 << 40) == 0)
      try #expect(failure(path).kind == .limitExceeded)
    }
  }
}
