// Records of shards with damaged lines: a ledger costs that files are done again, a plan and a shard.json are refused.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import Foundation
import HostSystem
import RunLedgers
import TestSupport
import Testing

@Suite struct ShardRecordTests {
  private static let fileCount = 12
  private static let shardCount = 3
  private let bench: RunBench
  private let manifest: RunManifest

  init() throws {
    bench = try RunBench(fileCount: Self.fileCount)
    var manifest = bench.manifest
    let plan = try bench.run.plan(
      manifest.planRequest(), outputRoot: bench.folder("out"), split: .count(Self.shardCount))
    (manifest.totals, manifest.planChecksum) = (plan.totals, plan.checksum)
    manifest.shardCount = Self.shardCount
    try bench.run.write(manifest)
    self.manifest = manifest
  }

  /// An attempt at a shard: it does each file that the ledgers do not settle. Returns the files that it did.
  @discardableResult
  private func attempt(_ index: Int) throws -> [Int] {
    let folder = try bench.run.shard(index)
    var own = manifest
    own.planChecksum = try #require(folder.shard).planChecksum
    try folder.checkPlan(own)
    let state = try RunState(folder, fileCount: manifest.totals.fileCount)
    let journal = try folder.beginLedger()
    var jobs = try folder.jobs { state.isSettled($0) }
    var done: [Int] = []
    while let entry = try jobs.next() {
      #expect(journal.writer.append([LedgerLine.file(try bench.record(entry.index, .done))]) == 0)
      #expect(journal.writer.append([LedgerLine.kept(entry.index)]) == 0)
      done.append(entry.index)
    }
    #expect(journal.writer.synchronize() == 0)
    return done
  }

  private func missing() throws -> [Int] {
    let state = try RunState(bench.run, fileCount: manifest.totals.fileCount)
    return try ShardProgress(bench.run, state).missing
  }

  private func place(_ shard: Int, _ name: String) -> String {
    "\(bench.run.path)/shards/00000\(shard)/\(name)"
  }

  /// The bytes with a line cut, doubled, removed or swapped, or with a bit flipped.
  private func damaged(_ bytes: [UInt8], _ way: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map {
      Array($0)
    }
    // A file without a whole line gets an end of line.
    guard !lines.isEmpty else { return bytes + [0x0A] }
    let line = Int.random(in: 0..<lines.count, using: &random)
    switch way {
    case 0:
      lines[line] = Array(lines[line].prefix(Int.random(in: 0...lines[line].count, using: &random)))
    case 1: lines.insert(lines[line], at: line)
    case 2: lines.remove(at: line)
    case 3: lines.swapAt(line, Int.random(in: 0..<lines.count, using: &random))
    case 4:
      // The file ends in the middle of a line.
      let whole = lines[..<line].reduce(0) { $0 + $1.count + 1 }
      return Array(bytes.prefix(whole + Int.random(in: 0...lines[line].count, using: &random)))
    default:
      var bytes = bytes
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      return bytes
    }
    return lines.flatMap { $0 + [0x0A] }
  }

  @Test func aDamagedRecordIsDoneAgain() throws {
    for index in 0..<Self.shardCount { try attempt(index) }
    #expect(try missing() == [])
    let ledger = place(0, "ledger-1.jsonl")
    var lines = bytes(of: ledger).split(separator: 0x0A).map { Array($0) }
    let second = try #require(
      lines.indices.filter { String(decoding: lines[$0], as: UTF8.self).contains(#""t":"file""#) }
        .dropFirst().first)
    lines[second][lines[second].count / 2] ^= 1
    try write(lines.flatMap { $0 + [0x0A] }, to: ledger)
    let state = try RunState(bench.run.shard(0), fileCount: manifest.totals.fileCount)
    #expect(state.damagedLineCount == 1)
    #expect(state.damageNote?.hasPrefix("1 line of earlier ledgers") == true)
    #expect(try missing() == [0])
    #expect(try attempt(0).count == 1)
    #expect(try missing() == [])
    try bench.run.merge(manifest, root: bench.folder("out"))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func damagedLedgersAreFinished(seed: UInt64) throws {
    for index in 0..<Self.shardCount { try attempt(index) }
    var random = SeededGenerator(seed: TestSeed.current &+ seed)
    for round in 0..<60 {
      let shard = Int.random(in: 0..<Self.shardCount, using: &random)
      let ledger = place(shard, "ledger-1.jsonl")
      let way = Int.random(in: 0..<6, using: &random)
      try write(damaged(bytes(of: ledger), way, &random), to: ledger)
      for index in try missing() { try attempt(index) }
      // A confirmation in front of its record is confirmed by the merge.
      let left = try missing()
      for index in left {
        let folder = try bench.run.shard(index)
        var state = try RunState(folder, fileCount: manifest.totals.fileCount)
        _ = try state.confirm(in: try folder.beginLedger()) { $0 }
      }
      #expect(try missing() == [], "seed \(seed), round \(round), way \(way)")
      if bytes(of: ledger).isEmpty { try write([0x0A], to: ledger) }
    }
    try bench.run.merge(manifest, root: bench.folder("out"))
    let all = try RunState(bench.run, fileCount: manifest.totals.fileCount)
    #expect(all.settledCount == Self.fileCount)
  }

  /// Each is refused with the line by an attempt and by the merge, before anything is written.
  @Test(arguments: ["plan.jsonl", "shard.json"], [1, 2] as [UInt64])
  func damagedPlansAreRefused(name: String, seed: UInt64) throws {
    for index in 0..<Self.shardCount { try attempt(index) }
    var random = SeededGenerator(seed: TestSeed.current &+ seed)
    for round in 0..<60 {
      let shard = Int.random(in: 0..<Self.shardCount, using: &random)
      let file = place(shard, name)
      let before = bytes(of: file)
      let way = Int.random(in: 0..<6, using: &random)
      let after = damaged(before, way, &random)
      guard after != before else { continue }
      try write(after, to: file)
      let names = bench.folder.files
      let refusals: [() throws -> Void] = [
        { _ = try attempt(shard) }, { try bench.run.merge(manifest, root: bench.folder("out")) },
      ]
      for refusal in refusals {
        let error = #expect(throws: AuricleError.self, "seed \(seed), round \(round), way \(way)") {
          try refusal()
        }
        #expect(error?.category == .badData)
        #expect(
          error?.message.contains("\(name)") == true && error?.message.contains("line ") == true,
          "seed \(seed), round \(round), way \(way): \(error?.message ?? "")")
      }
      #expect(bench.folder.files == names)
      try write(before, to: file)
    }
    try bench.run.merge(manifest, root: bench.folder("out"))
  }
}
