// Files under names of the user: removed only while the name leads to them. And the folder that nobody can occupy.
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

@Suite struct RuntimeFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("tmp")
  }

  private func path() -> String? {
    RuntimeFolder.path(in: folder("tmp")) { $0 == "XDG_STATE_HOME" ? folder("state") : nil }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func theNameIsRandomRecordedAndForOneUser() throws {
    let made = try #require(path())
    #expect(made.hasPrefix(folder("tmp/auricle-")) && made.utf8.count >= 16)
    #expect(mode(made) == 0o700 && mode(folder("state/auricle")) == 0o700)
    #expect(path() == made)
    // A cleaner of temporary files costs the folder alone.
    #expect(unsafe rmdir(made) == 0)
    #expect(path() == made && mode(made) == 0o700)
  }

  /// A link, a file and a folder for others under the recorded name: another name is recorded.
  @Test func anOccupiedNameIsLeft() throws {
    var known: Set<String> = []
    for way in 0..<3 {
      let made = try #require(path())
      #expect(known.insert(made).inserted)
      #expect(unsafe rmdir(made) == 0)
      switch way {
      case 0:
        try FileManager.default.createSymbolicLink(
          atPath: made, withDestinationPath: folder.path)
      case 1: try Data().write(to: URL(fileURLWithPath: made))
      default: #expect(unsafe mkdir(made, 0o700) == 0 && chmod(made, 0o777) == 0)
      }
      let next = try #require(path())
      #expect(next != made && mode(next) == 0o700, "\(way)")
    }
  }
}
