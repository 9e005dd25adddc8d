// Plans: which files are found, from folders, links and lists.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct PlanInputTests {
  let bench: PlanBench

  init() throws { bench = try PlanBench() }

  private func write(_ names: String...) throws {
    for name in names { try bench.folder.write("x", to: name) }
  }

  @Test func onlyAudioIsFoundInFolders() throws {
    try write("in/a.wav", "in/notes.txt", "in/cover.jpg", "in/.hidden.wav", "in/.git/y.wav")
    try bench.folder.write("RIFFxxxxWAVE", to: "in/take1")
    try bench.folder.write("hello", to: "in/README")
    #expect(try bench.outputs(bench.request("in")) == ["a.wav", "take1"])
    #expect(try bench.outputs(bench.request("in/notes.txt")) == ["notes.txt"])
  }

  @Test func withoutRecursionOnlyTheFolderItselfCounts() throws {
    try write("in/a.wav", "in/sub/b.wav")
    var request = bench.request("in")
    request.isRecursive = false
    #expect(try bench.outputs(request) == ["a.wav"])
  }

  @Test func loopsOfLinksEnd() throws {
    try write("in/sub/a.wav")
    try bench.link("in/sub/loop", to: bench.folder("in"))
    try bench.link("in/sub/self", to: ".")
    #expect(try bench.outputs(bench.request("in")) == ["sub/a.wav"])
  }

  @Test func aFileWithSeveralNamesIsDoneOnceAndSaid() throws {
    try write("in/a.wav")
    try bench.link("in/b.wav", to: "a.wav")
    let plan = try bench.plan(bench.request("in/a.wav", "in", "in/../in/a.wav"))
    #expect(plan.entries.map(\.output) == ["a.wav"])
    #expect(plan.totals.repeatCount == 3)
    #expect(plan.totals.repeats?.contains("and 2 more") == true)
  }

  @Test func hardLinksAreFilesOfTheirOwn() throws {
    try write("in/a.wav")
    try FileManager.default.linkItem(
      atPath: bench.folder("in/a.wav"), toPath: bench.folder("in/b.wav"))
    #expect(try bench.outputs(bench.request("in")) == ["a.wav", "b.wav"])
  }

  @Test func theOutputFolderInsideTheInputIsLeftOut() throws {
    try write("in/a.wav", "in/out/old.wav")
    var request = bench.request("in")
    request.destination = .folder(bench.folder("in/out"))
    #expect(try bench.outputs(request) == ["a.wav"])
  }

  @Test func missingFilesAndEmptyFoldersFailAlone() throws {
    try write("a.wav")
    try bench.folder.makeFolder("empty")
    let plan = try bench.plan(bench.request("nowhere.wav", "empty", "a.wav"))
    #expect(plan.entries.map(\.error?.category) == [.noInput, .noInput, nil])
    #expect(plan.totals.fileCount == 3 && plan.totals.failureCount == 2)
  }

  @Test func deadLinksAndPipesAreReportedByName() throws {
    try write("in/a.wav")
    try bench.link("in/gone.wav", to: "nowhere")
    try bench.link("in/gone.txt", to: "nowhere")
    #expect(unsafe mkfifo(bench.folder("in/pipe.wav"), 0o600) == 0)
    let failed = try bench.plan(bench.request("in")).entries.filter { $0.error != nil }
    #expect(failed.map { Path.lastComponent($0.input) } == ["gone.wav", "pipe.wav"])
    #expect(failed.last?.error?.message.contains("no regular file") == true)
  }

  @Test func namesThatAreNotUTF8AreNames() throws {
    try write("in/b.wav")
    let name = (bench.folder("in/") + "a").utf8CString.dropLast() + [-1] + ".wav".utf8CString
    let path = Array(name)
    let file = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    close(file)
    defer { unsafe _ = unlink(path) }
    let entries = try bench.plan(bench.request("in")).entries
    #expect(entries.map(\.error?.message) == [nil, nil])
    #expect(entries.map(\.output) == ["a\u{10FFFF}.wav", "b.wav"])
    let input = try #require(entries.first?.input)
    #expect(
      FileNameText.bytes(Path.lastComponent(input)) == [0x61, 0xFF] + Array(".wav".utf8))
  }

  @Test func namesWithCombiningMarksStayAsTheyAre() throws {
    // A name that begins with a mark joins the slash before it to one character.
    try write("in/\u{301}a.wav", "in/e\u{301}.wav", "in/\u{E9}.wav")
    let names = try bench.outputs(bench.request("in")).map { Array($0.utf8) }
    #expect(
      Set(names)
        == Set(["\u{301}a.wav", "e\u{301}.wav", "\u{E9}.wav"].map { Array($0.utf8) }))
  }

  // MARK: Lists

  private func list(_ bytes: [UInt8]) throws -> PlanRequest {
    try bench.folder.write(Data(bytes), to: "list.txt")
    var request = bench.request()
    request.list = bench.folder("list.txt")
    return request
  }

  @Test func listsAreReadWithAnyLineEnds() throws {
    try write("a.wav", "b c.wav")
    let (first, second) = (bench.folder("a.wav"), bench.folder("b c.wav"))
    for text in [
      "\(first)\n\(second)\n", "\(first)\r\n\n\(second)", "\u{FEFF}\(first)\n\(second)",
      "\r\n\r\n\(first)\r\n\(second)\r\n", "\(first)\0\(second)\0",
    ] {
      #expect(try bench.outputs(list(Array(text.utf8))) == ["a.wav", "b c.wav"])
    }
    // Where a list has zero bytes, a name may have line ends.
    try write("two\nlines.wav")
    let zeros = "\(first)\0\(bench.folder("two\nlines.wav"))"
    #expect(try bench.outputs(list(Array(zeros.utf8))) == ["a.wav", "two\nlines.wav"])
  }

  @Test func badLinesOfAListFailAlone() throws {
    try write("a.wav")
    let lines =
      Array("\(bench.folder("no.wav"))\nx".utf8) + [0xFF, 0x0A] + bench.folder("a.wav").utf8
    let entries = try bench.plan(list(lines)).entries
    #expect(entries.map(\.error?.category) == [.noInput, .noInput, nil])
    #expect(entries.dropFirst().first?.error?.message == "there is no file or folder x\u{10FFFF}")
  }

  @Test func aListWithoutNamesIsSaid() throws {
    for bytes in [[], [0x0A, 0x0A], [0xEF, 0xBB, 0xBF]] as [[UInt8]] {
      let entries = try bench.plan(list(bytes)).entries
      #expect(entries.map(\.error?.message).first??.contains("names no files") == true)
    }
  }

  @Test func whatIsNoListIsRefused() throws {
    let sound = Array("RIFF".utf8) + [0, 0, 0, 0] + "WAVEfmt ".utf8
    #expect(try bench.refusal(list(sound))?.message.contains("is an audio file") == true)
    // Split at its zero bytes, such a list would name `/`, and with it everything.
    for text in [[0xFF, 0xFE, 0x2F, 0], [0xFE, 0xFF, 0, 0x2F]] as [[UInt8]] {
      let error = try bench.refusal(list(text))
      #expect(error?.message.contains("is UTF-16 text: save it as UTF-8") == true)
      #expect(error?.category == .badData)
    }
    let endless = [UInt8](repeating: 0x61, count: 200_000)
    #expect(try bench.refusal(list(endless))?.category == .badData)
    var missing = bench.request()
    missing.list = bench.folder("nolist")
    #expect(try bench.refusal(missing)?.category == .noInput)
  }

  @Test func searchingFilesCanBeInterrupted() throws {
    try write("in/a.wav")
    var request = bench.request("in")
    request.shouldStop = { true }
    #expect(try bench.refusal(request)?.category == .interrupted)
  }
}
