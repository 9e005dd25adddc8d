// A run that is cut off after any line of its ledger goes on with exactly that ledger's state.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct LedgerPrefixTests {
  /// A reader's expected view of the lines so far, counted in the plainest way.
  private struct Expected {
    var announced: Set<Int> = []
    var settled: [Int: FileRecord.Status] = [:]
    var again = 0

    mutating func note(_ record: FileRecord) {
      if record.status == .done {
        announced.insert(record.index)
      } else if record.isFinal {
        settled[record.index] = record.status
      } else {
        again += 1
      }
    }

    mutating func noteKept(_ index: Int) {
      if announced.remove(index) != nil { settled[index] = .done }
    }

    var counts: [FileRecord.Status: Int] {
      settled.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func theStateIsThatOfThePrefix(seed: UInt64) throws {
    let count = 12
    let bench = try RunBench(fileCount: count)
    _ = try bench.planned()
    var random = SeededGenerator(seed: seed)
    let statuses: [FileRecord.Status] = [.done, .failed, .quarantined, .skipped]
    // One line, and its changes.
    var steps: [(line: [JSONValue.Member], change: (inout Expected) -> Void)] = []
    for group in stride(from: 0, to: count, by: 4) {
      var named: [Int] = []
      for index in (group..<(group + 4)).shuffled(using: &random) {
        let status = statuses.randomElement(using: &random) ?? .done
        let origin: FileRecord.Origin = Bool.random(using: &random) ? .output : .input
        let record = try bench.record(index, status, origin: origin)
        steps.append((LedgerLine.file(record), { $0.note(record) }))
        if status == .done { named.append(index) }
      }
      // The results of a group get their names together.
      for index in named { steps.append((LedgerLine.kept(index), { $0.noteKept(index) })) }
    }
    let writer = try bench.run.beginLedger().writer
    #expect(writer.append(steps.map(\.line)) == 0)
    let lines = bytes(of: bench.ledger(1)).split(separator: 0x0A)
    try #require(lines.count == steps.count + 1)
    var expected = Expected()
    for length in 0...steps.count {
      if length > 0 { steps[length - 1].change(&expected) }
      // The next line is torn somewhere, as a crash leaves it.
      var prefix = lines[...length].flatMap { $0 + [0x0A] }
      if length + 1 < lines.count {
        prefix += lines[length + 1].prefix(
          Int.random(in: 0...lines[length + 1].count, using: &random))
      }
      try write(prefix, to: bench.ledger(1))
      let state = try bench.state(fileCount: count)
      #expect(state.counts == expected.counts, "seed \(seed), after \(length) lines")
      #expect(state.againTally.failedCount == expected.again)
      #expect((0..<count).filter(state.isSettled) == expected.settled.keys.sorted())
      var reported: [Int: String] = [:]
      try RunRecords(bench.run, fileCount: count).forEach { (file) throws(AuricleError) in
        reported[file.entry.index] = file.status
      }
      for (index, status) in expected.settled { #expect(reported[index] == status.rawValue) }
    }
  }

  @Test func resultsThatGotTheirNamesAreConfirmedAndOthersMadeAgain() throws {
    let bench = try RunBench(fileCount: 4)
    _ = try bench.planned()
    let first = try bench.run.beginLedger().writer
    #expect(try first.append((0..<4).map { try LedgerLine.file(bench.record($0, .done)) }) == 0)
    // One did not get its name, one is another file by now.
    try bench.folder.write("changed!", to: "out/2.wav")
    try removeFile(bench.folder("out/3.wav"))
    var state = try bench.state(fileCount: 4)
    let found = try state.confirm(in: try bench.run.beginLedger()) { $0 }
    #expect(found.map(\.index) == [0, 1])
    #expect(state.counts == [.done: 2] && !state.isSettled(2) && !state.isSettled(3))
    // A confirmed result is in the new ledger.
    let again = try bench.state(fileCount: 4)
    #expect(again.counts == [.done: 2] && again.isSettled(1))
    var statuses: [String] = []
    try RunRecords(bench.run, fileCount: 4).forEach { (file) throws(AuricleError) in
      statuses.append(file.status)
    }
    #expect(statuses == ["done", "done", "pending", "pending"])
  }
}
