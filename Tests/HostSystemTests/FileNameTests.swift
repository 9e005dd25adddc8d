// Names of files as texts: every name has one, and every text leads back to its bytes.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import TestSupport
import Testing

@Suite struct FileNameTests {
  @Test(
    arguments: [
      (Array("a/caf\u{E9}.wav".utf8), "a/caf\u{E9}.wav"), ([0x63, 0xE9, 0x2E], "c\u{10FFE9}."),
      ([0xC3], "\u{10FFC3}"), ([0xE2, 0x82], "\u{10FFE2}\u{10FF82}"),
      ([0xF4, 0x8F, 0xBE, 0x80], "\u{10FFF4}\u{10FF8F}\u{10FFBE}\u{10FF80}"),
      ([0xF4, 0x8F, 0xBD, 0xBF], "\u{10FF7F}"), ([0xC0, 0xAF], "\u{10FFC0}\u{10FFAF}"),
      ([0xED, 0xA0, 0x80], "\u{10FFED}\u{10FFA0}\u{10FF80}"), ([], ""),
    ] as [([UInt8], String)])
  func textsOfNames(bytes: [UInt8], text: String) {
    #expect(FileNameText.text(bytes) == text)
    #expect(FileNameText.bytes(text) == bytes)
    #expect(FileNameText.holdsBytes(text) == (String(validating: bytes, as: UTF8.self) != text))
    #expect(!FileNameText.holdsBytes(FileNameText.shown(text)))
  }

  @Test func anyBytesComeBack() {
    var random = SeededGenerator(seed: TestSeed.current)
    for _ in 0..<2000 {
      let bytes =
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          [0x2F, 0x61, 0xC3, 0xA9, 0xF4, 0x8F, 0xBE, 0xBF, 0x80, 0xFF, 0xE2].randomElement(
            using: &random) ?? 0
        } as [UInt8]
      #expect(FileNameText.bytes(FileNameText.text(bytes)) == bytes)
    }
  }

  /// The system is called with the bytes of a name.
  @Test func filesByTheirBytes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/caf\u{10FFE9}"
    let file = unsafe HostSystem.open(path, O_WRONLY | O_CREAT, 0o600)
    #expect(file >= 0)
    close(file)
    #expect(FolderListing.names(in: folder.path) == ["caf\u{10FFE9}"])
    #expect(
      FileIdentity.of(path)?.kind == .file
        && FileIdentity.realPath(path)?.hasSuffix("\u{10FFE9}") == true)
    #expect(
      unsafe HostSystem.rename(path, path + "\u{10FF80}") == 0 && FileIdentity.of(path) == nil)
    #expect(unsafe HostSystem.unlink(path + "\u{10FF80}") == 0)
  }
}
