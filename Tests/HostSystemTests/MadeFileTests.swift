// Files under names of the user: removed only while the name leads to them.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostSystem
import TestSupport
import Testing

@Suite struct MadeFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder(name), withDestinationPath: target)
  }

  @Test func theOwnFileIsRemoved() throws {
    try folder.write("mine", to: "a")
    let made = try #require(MadeFile(folder("a"), .file))
    #expect(made.isInPlace && made.remove())
    #expect(folder.files.isEmpty && !made.remove())
  }

  /// Another file, a link to the own file, and a pipe have the name at the time of the removal.
  @Test func anotherFileUnderTheNameStays() throws {
    try folder.write("mine", to: "a")
    let made = try #require(MadeFile(folder("a"), .file))
    #expect(unsafe rename(folder("a"), folder("moved")) == 0)
    try folder.write("theirs", to: "a")
    #expect(!made.remove())
    #expect(try String(contentsOfFile: folder("a"), encoding: .utf8) == "theirs")
    #expect(unsafe unlink(folder("a")) == 0)
    try link("a", to: "moved")
    #expect(!made.isInPlace && !made.remove())
    #expect(FileIdentity.isLink(folder("a")) && folder.files.contains("moved"))
  }

  @Test func otherTypesAreNotOurs() throws {
    try folder.write("a take", to: "take.wav")
    try link("link", to: "take.wav")
    try link("nothing", to: "nowhere")
    #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
    try folder.makeFolder("folder")
    for name in ["take.wav", "link", "nothing", "pipe", "folder", "missing"] {
      #expect(MadeFile(folder(name), .socket) == nil, "\(name)")
    }
  }
}
