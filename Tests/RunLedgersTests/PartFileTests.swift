// Unfinished files: hidden until they are complete, gone with their owner, never somebody else's.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct PartFileTests {
  let temporary: TemporaryFolder
  let folder: OpenFolder

  init() throws {
    temporary = try TemporaryFolder("auricle-part")
    folder = try #require(OpenFolder(opening: temporary.path))
  }

  private func part(_ name: String = "a.wav", run: String = "r1") throws -> PartFile {
    try PartFile(folder: folder, name: name, run: run, shownPath: name)
  }

  private func write(_ text: String, to part: PartFile) {
    #expect(FileTransfer.writeAll(Array(text.utf8), to: part.descriptor) == 0)
  }

  @Test func theNameAppearsWhenAllIsThere() throws {
    let part = try part()
    write("new", to: part)
    #expect(temporary.files == [".a.wav.r1.part"])
    #expect(part.publish(replacing: false) == 0)
    #expect(temporary.files == ["a.wav"] && bytes(of: temporary("a.wav")) == Array("new".utf8))
    part.unpublish()
    #expect(temporary.files.isEmpty)
  }

  @Test func whatIsThereStaysUnlessItIsToBeReplaced() throws {
    try temporary.write("old", to: "a.wav")
    let part = try part()
    write("new", to: part)
    #expect(part.publish(replacing: false) == EEXIST)
    #expect(bytes(of: temporary("a.wav")) == Array("old".utf8) && !part.isThereAlready)
    #expect(part.publish(replacing: true) == 0)
    #expect(bytes(of: temporary("a.wav")) == Array("new".utf8))
  }

  @Test func lettingGoRemovesIt() throws {
    var part: PartFile? = try part()
    #expect(part?.byteCount == 0)
    part = nil
    #expect(temporary.files.isEmpty)
  }

  @Test func twoRunsDoNotMeet() throws {
    let (first, second) = (try part(run: "r1"), try part(run: "r2"))
    write("first", to: first)
    write("second", to: second)
    #expect(second.publish(replacing: false) == 0 && first.publish(replacing: false) == EEXIST)
    #expect(bytes(of: temporary("a.wav")) == Array("second".utf8))
  }

  @Test func aLeftoverOfTheSameRunIsReplaced() throws {
    try temporary.write("half of it", to: ".a.wav.r1.part")
    let part = try part()
    #expect(part.byteCount == 0)
    PartFile.removeLeftover(of: "a.wav", run: "r1", in: folder)
    #expect(temporary.files.isEmpty)
  }

  @Test func oneThatWasRemovedOrExchangedIsNotNamed() throws {
    let gone = try part("gone.wav")
    try removeFile(temporary(".gone.wav.r1.part"))
    #expect(gone.publish(replacing: true) == PartFile.lost)
    let exchanged = try part("b.wav")
    write("mine", to: exchanged)
    try removeFile(temporary(".b.wav.r1.part"))
    try temporary.write("yours", to: ".b.wav.r1.part")
    #expect(exchanged.publish(replacing: true) == PartFile.lost)
    #expect(!FileIdentity.exists(temporary("b.wav")))
  }

  @Test func oneThatGrewAfterItWasCompleteIsNotNamed() throws {
    let part = try part()
    write("all of it", to: part)
    part.completeByteCount = part.byteCount
    write("and more", to: part)
    #expect(part.publish(replacing: true) == PartFile.changed)
  }

  @Test func longNamesHaveShortHiddenOnes() throws {
    let name = String(repeating: "ä", count: 125) + ".wav"
    let hidden = PartFile.name(of: name, run: "20261123-150000-abcd", in: folder)
    #expect(hidden.utf8.count <= 255 && hidden.hasSuffix(".20261123-150000-abcd.part"))
    let part = try part(name)
    #expect(part.publish(replacing: false) == 0)
    let error = #expect(throws: AuricleError.self) {
      try self.part(String(repeating: "a", count: 256))
    }
    #expect(error?.cause == .errno(ENAMETOOLONG))
  }

  @Test func permissionsOfTheReplacedFileStay() throws {
    try temporary.write("old", to: "a.wav")
    #expect(unsafe chmod(temporary("a.wav"), 0o640) == 0)
    let part = try part()
    _ = part.adoptAttributes(isInput: false)
    #expect(part.publish(replacing: true) == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: temporary("a.wav"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }
}
