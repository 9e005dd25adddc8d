// Ledgers: the meaning of their lines after any end, and the right to write them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import Foundation
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct LedgerTests {
  @Test func recordsReadBackAsTheyWere() throws {
    let bench = try RunBench(fileCount: 1)
    var record = try bench.record(0, .quarantined, origin: .unit)
    record.blame = .init(unit: "Acme: Wah (aufx:wahw:Acme)", phase: "render", signal: "SIGSEGV")
    record.attempts = 2
    record.variant = 3
    record.kept = ["out/x.wav"]
    for record in [record, try bench.record(0, .done), try bench.record(0, .skipped)] {
      let again = try #require(FileRecord(json: record.json))
      #expect(again.json == record.json)
      #expect(again.status == record.status && again.blame == record.blame)
    }
  }

  /// Levels whose dB a way over linear values would change in the last digit.
  @Test(arguments: [-4.120297203267089, -6.000001131211578, 0, -144.5])
  func levelsReadBackAsTheyWere(_ decibels: Double) throws {
    let bench = try RunBench(fileCount: 1)
    var record = try bench.record(0, .done)
    record.result?.after = Levels(peakDecibels: decibels, rmsDecibels: decibels)
    let again = try #require(FileRecord(json: record.json))
    #expect(again.result?.after.rmsDecibels == decibels)
    #expect(again.result?.after.peakDecibels == decibels)
  }

  @Test func whatIsDoneCountsOnceItsResultHasItsName() throws {
    let bench = try RunBench(fileCount: 2)
    let journal = try bench.run.beginLedger()
    #expect(try journal.writer.append([LedgerLine.file(bench.record(0, .done))]) == 0)
    #expect(try bench.state(fileCount: 2).settledCount == 0)
    #expect(journal.writer.append([LedgerLine.kept(0)]) == 0)
    let state = try bench.state(fileCount: 2)
    #expect(state.counts == [.done: 1] && state.isSettled(0) && !state.isSettled(1))
    #expect(state.seconds == 1)
  }

  @Test func everyStatusIsCountedOnce() throws {
    let bench = try RunBench(fileCount: 5)
    let writer = try bench.run.beginLedger().writer
    var lines: [[JSONValue.Member]] = []
    let statuses: [FileRecord.Status] = [.done, .failed, .quarantined, .skipped]
    for (index, status) in statuses.enumerated() {
      let line = LedgerLine.file(try bench.record(index, status))
      lines += [line, line]
      if status == .done { lines += [LedgerLine.kept(index), LedgerLine.kept(index)] }
    }
    #expect(writer.append(lines) == 0)
    let state = try bench.state(fileCount: 5)
    #expect(state.counts == [.done: 1, .failed: 1, .quarantined: 1, .skipped: 1])
    #expect(state.failedCount == 2 && state.settledCount == 4)
    #expect(state.tally.failures.map(\.count) == [2])
    #expect(state.tally.inputBytes == 40)
  }

  @Test func whatTheDiskDidIsTriedAgain() throws {
    let bench = try RunBench(fileCount: 1)
    let first = try bench.run.beginLedger().writer
    #expect(try first.append([LedgerLine.file(bench.record(0, .failed, origin: .output))]) == 0)
    var state = try bench.state(fileCount: 1)
    #expect(!state.isSettled(0) && state.settledCount == 0)
    #expect(state.againTally.failedCount == 1)
    let second = try bench.run.beginLedger().writer
    #expect(
      try second.append([LedgerLine.file(bench.record(0, .done)), LedgerLine.kept(0)]) == 0)
    state = try bench.state(fileCount: 1)
    #expect(state.counts == [.done: 1] && state.againTally.failedCount == 0)
    #expect(state.sessionCount == 2)
  }

  @Test func aTornLastLineCountsForNothing() throws {
    let bench = try RunBench(fileCount: 2)
    let writer = try bench.run.beginLedger().writer
    #expect(
      try writer.append([0, 1].map { try LedgerLine.file(bench.record($0, .failed)) })
        == 0)
    let whole = bytes(of: bench.ledger(1))
    let lastLine = try #require(whole.dropLast().lastIndex(of: 0x0A)) + 1
    for cut in stride(from: lastLine, to: whole.count, by: 7) {
      try write(Array(whole[..<cut]), to: bench.ledger(1))
      let state = try bench.state(fileCount: 2)
      #expect(state.isSettled(0) && !state.isSettled(1), "cut at \(cut)")
    }
  }

  @Test func anAlteredLineIsCountedAsDamagedAndBelievedByNobody() throws {
    let bench = try RunBench(fileCount: 3)
    let writer = try bench.run.beginLedger().writer
    #expect(
      try writer.append((0..<3).map { try LedgerLine.file(bench.record($0, .failed)) }) == 0)
    let whole = bytes(of: bench.ledger(1))
    let lines = whole.split(separator: 0x0A)
    var random = SeededGenerator(seed: 20_261_123)
    for _ in 0..<60 {
      var altered = whole
      let place = lines[2].indices.randomElement(using: &random) ?? 0
      altered[place] ^= 1 << UInt8.random(in: 0..<7, using: &random)
      guard altered[place] != 0x0A else { continue }
      try write(altered, to: bench.ledger(1))
      let state = try bench.state(fileCount: 3)
      #expect(state.damagedLineCount == 1, "byte \(place), seed \(random.seed)")
      #expect(!state.isSettled(1) && state.isSettled(0) && state.isSettled(2))
    }
  }

  @Test func linesAboutFilesOutsideThePlanAreIgnored() throws {
    let bench = try RunBench(fileCount: 1)
    let writer = try bench.run.beginLedger().writer
    #expect(
      try writer.append([LedgerLine.file(bench.record(5, .failed)), LedgerLine.kept(9)]) == 0)
    #expect(try bench.state(fileCount: 1).settledCount == 0)
  }

  @Test func aLedgerHasOneWriter() throws {
    let bench = try RunBench(fileCount: 1)
    let journal = try bench.run.beginLedger()
    let error = #expect(throws: AuricleError.self) { try LedgerWriter(path: journal.writer.path) }
    #expect(error?.message.contains("ledger-1.jsonl") == true)
    // Every session has a separate ledger.
    #expect(try bench.run.beginLedger().writer.path == bench.ledger(2))
  }

  @Test func aLineThatIsTooLongStopsTheLedgerAndLeavesItWhole() throws {
    let bench = try RunBench(fileCount: 1)
    let writer = try bench.run.beginLedger().writer
    let before = bytes(of: bench.ledger(1))
    let long = String(repeating: "x", count: CheckedLine.maximumByteCount)
    #expect(writer.append([LedgerLine.kept(0), [.init("text", .string(long))]]) != 0)
    #expect(writer.append([LedgerLine.kept(0)]) != 0)
    #expect(bytes(of: bench.ledger(1)) == before)
  }

  @Test func aLedgerThatWasRemovedIsNoticed() throws {
    let bench = try RunBench(fileCount: 1)
    let writer = try bench.run.beginLedger().writer
    #expect(writer.synchronize() == 0)
    try FileManager.default.removeItem(atPath: bench.ledger(1))
    #expect(writer.append([LedgerLine.kept(0)]) == 0)
    #expect(writer.synchronize() == LedgerWriter.lost)
    #expect(writer.append([LedgerLine.kept(0)]) == LedgerWriter.lost)
  }

  @Test func filesThatWereRemovedCountNoMore() throws {
    let bench = try RunBench(fileCount: 2)
    _ = try bench.planned()
    let writer = try bench.run.beginLedger().writer
    let gone: [JSONValue.Member] = [.init("t", "gone"), .init("index", 0)]
    #expect(writer.append([gone, gone]) == 0)
    let state = try bench.state(fileCount: 2)
    #expect(state.isForgotten(0) && state.isSettled(0) && state.forgottenCount == 1)
    #expect(state.settledCount == 0)
    var reported: [Int] = []
    try RunRecords(bench.run, fileCount: 2).forEach { (file) throws(AuricleError) in
      reported.append(file.entry.index)
    }
    #expect(reported == [1])
  }
}
