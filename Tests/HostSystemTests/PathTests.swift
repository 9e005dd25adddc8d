// Paths are split by their bytes: marks, slashes and dots in any place do no harm.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import TestSupport
import Testing

@Suite struct PathTests {
  @Test(arguments: [
    ("/a/b.wav", "/a", "b.wav", "wav"), ("b.wav", ".", "b.wav", "wav"), ("/b", "/", "b", ""),
    ("a/.hidden", "a", ".hidden", ""), ("a.d/b", "a.d", "b", ""),
    ("a/b.TAR.Gz", "a", "b.TAR.Gz", "gz"),
    ("a/b.", "a", "b.", ""), ("a/\u{301}x.wav", "a", "\u{301}x.wav", "wav"), ("", ".", "", ""),
  ])
  func partsOfPaths(path: String, folder: String, name: String, ending: String) {
    #expect(Path.isSame(Path.folder(of: path), folder))
    #expect(Path.isSame(Path.lastComponent(path), name))
    #expect(Path.isSame(Path.fileExtension(of: path), ending))
  }

  @Test(arguments: [
    ("", "a", "a"), ("/", "a", "/a"), ("x", "a", "x/a"), ("x/", "a", "x/a"),
    ("x", "\u{301}a", "x/\u{301}a"), ("x", "", "x/"),
  ])
  func joining(folder: String, name: String, expected: String) {
    #expect(Path.isSame(Path.joining(folder, name), expected))
  }

  @Test(arguments: [
    ("/", "/"), ("//", "/"), ("a///", "a"), ("/a/", "/a"), ("a", "a"), ("", ""),
    ("a/\u{301}", "a/\u{301}"),
  ])
  func slashesAtTheEnd(path: String, expected: String) {
    #expect(Path.isSame(Path.trimmed(path), expected))
  }

  @Test func whatLiesBelowAFolder() {
    #expect(Path.below("out", "out/a/b") == "a/b")
    #expect(Path.below("out/", "out/a") == "a")
    #expect(Path.below("/", "/a") == "a")
    #expect(Path.below("out", "outside/a") == nil && Path.below("out", "out") == nil)
    #expect(Path.below("out", "out/\u{301}a").map { Path.isSame($0, "\u{301}a") } == true)
    // A path that appears the same, but is another folder.
    #expect(Path.below("\u{E9}", "e\u{301}/a") == nil)
  }

  @Test func namesThatAppearAlikeAreTwo() {
    #expect("\u{E9}.wav" == "e\u{301}.wav")
    #expect(!Path.isSame("\u{E9}.wav", "e\u{301}.wav"))
  }

  @Test func componentsAndEndings() {
    #expect(Path.components("/a//b/") == ["a", "b"])
    #expect(Path.components("/a//b", keepingEmpty: true) == ["", "a", "", "b"])
    #expect(Path.withoutExtension("a.b/c.tar.wav") == "a.b/c.tar")
    #expect(Path.withoutExtension("a.b/.wav") == "a.b/.wav")
    #expect(Path.isFromRoot("/\u{301}a") && !Path.isFromRoot("a/") && !Path.isFromRoot(""))
  }

  @Test func aDiskThatFoldsNamesTreatsTheseAsOne() {
    for (first, second) in [
      ("TALK.WAV", "talk.wav"), ("\u{C9}.wav", "e\u{301}.wav"), ("stra\u{DF}e", "STRASSE"),
    ] {
      #expect(FolderNaming.key(first) == FolderNaming.key(second))
    }
    #expect(FolderNaming.key("a.wav") != FolderNaming.key("b.wav"))
  }

  @Test func realPathsHoldWhereTheEndIsNotThereYet() throws {
    let folder = try TemporaryFolder("auricle-path")
    try folder.makeFolder("a")
    #expect(FolderMaker.realPath(folder("a/../a/new/./x")) == folder("a/new/x"))
    #expect(FolderMaker.realPath(folder("new/../b")) == folder("b"))
    try FolderMaker.make(folder("p/q/r/"))
    try FolderMaker.make(folder("p/q/r"))
    #expect(FileIdentity.of(folder("p/q/r"))?.kind == .folder)
    try folder.write("x", to: "file")
    #expect(throws: (any Error).self) { try FolderMaker.make(folder("file/sub")) }
  }
}
