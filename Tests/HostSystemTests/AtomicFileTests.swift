// Files that are written whole or not at all, by one process at a time.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("auricle-atomic") }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: folder(name), encoding: .utf8)
  }

  private func begin(_ name: String, _ text: String, overwrite: Bool = true) throws -> AtomicFile {
    let file = try AtomicFile(path: folder(name), overwrite: overwrite)
    #expect(FileTransfer.writeAll(Array(text.utf8), to: file.descriptor) == 0)
    return file
  }

  @Test func whatIsThereStaysUntilTheEnd() throws {
    try folder.write("old", to: "a.json")
    let file = try begin("a.json", "new")
    #expect(text("a.json") == "old" && folder.files == [".a.json.part", "a.json"])
    try file.commit()
    try file.commit()
    file.cancel()
    #expect(text("a.json") == "new" && folder.files == ["a.json"])
  }

  @Test func abandoningKeepsTheOldFile() throws {
    try folder.write("old", to: "a.json")
    try begin("a.json", "new").cancel()
    _ = try begin("a.json", "newer")
    #expect(text("a.json") == "old" && folder.files == ["a.json"])
  }

  @Test func twoWritersDoNotMix() throws {
    let first = try begin("a.json", "first")
    let error = #expect(throws: AuricleError.self) { try begin("a.json", "second") }
    #expect(error?.category == .temporary)
    try first.commit()
    try begin("a.json", "second").commit()
    #expect(text("a.json") == "second")
  }

  @Test func whatADeadProcessLeftIsReplaced() throws {
    try folder.write("half of something", to: ".a.json.part")
    try begin("a.json", "new").commit()
    #expect(text("a.json") == "new" && folder.files == ["a.json"])
  }

  @Test func whatIsInTheWayIsNotRemoved() throws {
    try folder.makeFolder(".a.json.part")
    try folder.makeFolder("b.json")
    for name in ["a.json", "b.json"] {
      let error = #expect(throws: AuricleError.self) { try begin(name, "new") }
      #expect(error?.category == .inputOutput)
    }
    for name in ["missing/a.json", "", ".", "x/.."] {
      #expect(throws: AuricleError.self) { try begin(name, "new") }
    }
  }

  @Test func aFileThatCameMeanwhileStays() throws {
    let file = try begin("a.json", "new", overwrite: false)
    try folder.write("theirs", to: "a.json")
    let error = #expect(throws: AuricleError.self) { try file.commit() }
    #expect(error?.message.contains("is there already") == true)
    #expect(text("a.json") == "theirs" && folder.files == ["a.json"])
    #expect(throws: AuricleError.self) { try begin("a.json", "new", overwrite: false) }
  }

  @Test func permissionsStayAndLinksGoOnNamingTheFile() throws {
    try folder.write("old", to: "a.json")
    #expect(unsafe chmod(folder("a.json"), 0o600) == 0)
    try begin("a.json", "new").commit()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder("a.json"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: folder("link"), withDestinationPath: "a.json")
    try begin("link", "newer").commit()
    #expect(text("a.json") == "newer" && FileIdentity.isLink(folder("link")))
  }

  /// A pipe, a device behind a link, and a link to nothing are no places for a file.
  @Test func whatIsNoFileStays() throws {
    #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
    for (name, target) in [("null", "/dev/null"), ("gone", "nowhere")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder(name), withDestinationPath: target)
    }
    for name in ["pipe", "null", "gone"] {
      let error = #expect(throws: AuricleError.self) { _ = try begin(name, "new") }
      #expect(error?.category == .inputOutput, "\(name)")
      #expect(error?.message.contains("name another file") == true, "\(name)")
      #expect(FileIdentity.exists(folder(name)), "\(name)")
    }
    #expect(folder.files.filter { $0.hasSuffix(".part") }.isEmpty)
  }

  @Test func aChangeOfTheCurrentFolderDoesNoHarm() throws {
    let file = try begin("a.json", "new")
    #expect(file.partPath == folder(".a.json.part"))
    #expect(AtomicFile.partName(String(repeating: "\u{E4}", count: 127)).utf8.count <= 255)
  }
}
