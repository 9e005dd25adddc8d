// The committer alone: results get their names only after the ledger announced them, each file by itself.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostSystem
import RunLedgers
import TestSupport
import Testing
import Workers

@Suite struct CommitterTests {
  let temporary: TemporaryFolder
  let folder: OpenFolder

  init() throws {
    temporary = try TemporaryFolder("auricle-committer")
    _ = try temporary.makeFolder("out")
    let descriptor = unsafe open(temporary("out"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(descriptor >= 0)
    folder = OpenFolder(descriptor: descriptor, path: temporary("out"))
  }

  private func part(_ name: String, _ text: String = "new") throws -> PartFile {
    let part = try PartFile(folder: folder, name: name, run: "r1", shownPath: name)
    try #require(FileTransfer.writeAll(Array(text.utf8), to: part.descriptor) == 0)
    return part
  }

  private func record(_ index: Int) -> FileRecord {
    FileRecord(index: index, status: .done, input: "\(index).in", output: "\(index).wav")
  }

  /// Submits work, ends the committer, and returns every outcome; all parts have been released then.
  private func commit(_ work: [CommitWork], _ ledger: LedgerWriter?) throws -> [CommitOutcome] {
    let committer = try Committer(ledger: ledger)
    work.forEach(committer.submit)
    committer.close()
    while !committer.hasEnded { committer.wake.wait(atMost: .milliseconds(100)) }
    return committer.drainOutcomes()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary("out")).sorted()
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: temporary("out/" + name), encoding: .utf8)
  }

  /// The lines of the ledger as `type index`.
  private func lines() throws -> [String] {
    try Data(contentsOf: URL(fileURLWithPath: temporary("ledger"))).split(separator: 0x0A).map {
      let json = try #require(CheckedLine.decode(Array($0)))
      return "\(json["t"]?.text ?? "?") \(json["index"]?.integer ?? -1)"
    }
  }

  @Test func theLedgerAnnouncesAndConfirmsWhatGetsItsName() throws {
    let ledger = try LedgerWriter(path: temporary("ledger"))
    let outcomes = try commit(
      try (0..<3).map { index in
        .result(record(index), [try part("\(index).wav")], replaces: false, backup: nil)
      }, ledger)
    #expect(outcomes.allSatisfy { $0.failure == nil })
    #expect(outcomes.compactMap(\.record?.index) == [0, 1, 2])
    #expect(try names() == ["0.wav", "1.wav", "2.wav"])
    let lines = try lines()
    for index in 0..<3 {
      let announced = try #require(lines.firstIndex(of: "file \(index)"))
      let confirmed = try #require(lines.firstIndex(of: "kept \(index)"))
      #expect(announced < confirmed)
    }
  }

  @Test("a result that cannot get its name fails alone, and leaves nothing of its file")
  func oneFails() throws {
    try temporary.write("other", to: "out/1b.wav")
    let ledger = try LedgerWriter(path: temporary("ledger"))
    let outcomes = try commit(
      [
        .result(record(0), [try part("0.wav")], replaces: false, backup: nil),
        .result(record(1), [try part("1a.wav"), try part("1b.wav")], replaces: false, backup: nil),
        .result(record(2), [try part("2.wav")], replaces: false, backup: nil),
      ], ledger)
    let failed = outcomes.filter { $0.failure != nil }
    #expect(failed.map(\.record?.index) == [1])
    #expect(failed.first?.failure?.number == EEXIST && failed.first?.failure?.step == "name")
    #expect(try names() == ["0.wav", "1b.wav", "2.wav"])
    #expect(try text("1b.wav") == "other")
    #expect(try !lines().contains("kept 1"))
  }

  @Test("the same bytes under the name count as the result, as after a lost ledger")
  func sameResult() throws {
    try temporary.write("new", to: "out/0.wav")
    let work = CommitWork.result(record(0), [try part("0.wav")], replaces: false, backup: nil)
    let outcomes = try commit([work], try LedgerWriter(path: temporary("ledger")))
    #expect(outcomes.count == 1 && outcomes.first?.failure == nil)
  }

  @Test func anOriginalKeepsItsBackupName() throws {
    try temporary.write("old", to: "out/0.wav")
    let work = CommitWork.result(
      record(0), [try part("0.wav")], replaces: true, backup: "0.wav.bak")
    let outcomes = try commit([work], try LedgerWriter(path: temporary("ledger")))
    #expect(outcomes.first?.failure == nil)
    #expect(try text("0.wav") == "new" && text("0.wav.bak") == "old")
  }

  @Test("nothing gets a name that no ledger announced")
  func lostLedger() throws {
    let ledger = try LedgerWriter(path: temporary("ledger"))
    try FileManager.default.removeItem(atPath: temporary("ledger"))
    let outcomes = try commit(
      [
        .result(record(0), [try part("0.wav")], replaces: false, backup: nil),
        .line(record(1), LedgerLine.file(record(1))),
      ], ledger)
    #expect(outcomes.allSatisfy { $0.failure?.number == LedgerWriter.lost })
    #expect(outcomes.allSatisfy { $0.failure?.step == Committer.ledgerStep })
    #expect(Set(outcomes.compactMap(\.record?.index)) == [0, 1])
    #expect(try names().isEmpty, "the unfinished result is removed")
  }

  @Test func manyGroupsAreAllRecorded() throws {
    let count = 250
    let outcomes = try commit(
      (0..<count).map { .line(record($0), LedgerLine.file(record($0))) },
      try LedgerWriter(path: temporary("ledger")))
    #expect(outcomes.compactMap(\.record?.index) == Array(0..<count))
    #expect(try lines() == (0..<count).map { "file \($0)" })
  }

  @Test func withoutALedgerResultsGetTheirNames() throws {
    let work = CommitWork.result(record(0), [try part("0.wav")], replaces: false, backup: nil)
    #expect(try commit([work], nil).first?.failure == nil)
    #expect(try names() == ["0.wav"])
  }
}
