// Makes the plan of a run and splits it into shards of about the same length of sound.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// The way of splitting a plan.
public enum ShardSplit: Sendable, Equatable {
  /// Into so many shards.
  case count(Int)
  /// Into shards of about so many minutes of sound.
  case minutes(Double)
}

extension RunFolder {
  /// Makes the plan of a new run and splits it; the shards are ranges of it.
  ///
  /// - Returns: The totals, the checksum of the whole plan, and the shards.
  /// - Throws: As `Planner`.
  ///
  /// Context: control. A few bytes of memory for each file.
  public func plan(
    _ request: PlanRequest, outputRoot: String?, split: ShardSplit
  ) throws(AuricleError) -> (totals: PlanTotals, checksum: UInt64, shards: [Shard]) {
    let whole = Path.joining(path, "whole.jsonl")
    defer { unsafe _ = unlink(whole) }
    var weights: [Float] = []
    let scale = InputScale(InputAmounts())
    // Seconds and bytes of the files whose length is known, for those whose length is not.
    var known: [String: (seconds: Double, bytes: Double)] = [:]
    let plan = try PlanFile.write(request, to: whole, outputRoot: outputRoot) { entry in
      guard entry.error == nil, !entry.isSkipped else { return weights.append(0.01) }
      let kind = InputAmounts.kind(of: entry.input)
      var seconds = entry.seconds
      if let seconds {
        let sum = known[kind] ?? (0, 0)
        known[kind] = (sum.seconds + seconds, sum.bytes + Double(entry.byteCount))
      } else if let sum = known[kind], sum.bytes > 0 {
        seconds = Double(entry.byteCount) * sum.seconds / sum.bytes
      }
      weights.append(
        Float(scale.weight(entry.input, byteCount: entry.byteCount, seconds: seconds)))
    }
    let sum = weights.reduce(0.0) { $0 + Double($1) }
    let count: Int
    switch split {
    case .count(let wanted): count = wanted
    case .minutes(let minutes):
      count = max(1, min(weights.count, Int(min((sum / (minutes * 60)).rounded(.up), 1e6))))
    }
    let reader = try LineFileReader(path: whole)
    var shards: [Shard] = []
    var left = sum
    var next = 0
    try FolderMaker.make(Path.joining(path, Self.shards))
    for index in 0..<count {
      if request.shouldStop() { throw AuricleError(.interrupted, "interrupted: nothing was begun") }
      let end = Self.end(of: index, from: next, weights, left: left, count: count)
      let seconds = weights[next..<end].reduce(0.0) { $0 + Double($1) }
      shards.append(try write(index, next..<end, seconds, from: reader))
      left -= seconds
      next = end
    }
    try synchronize(shards)
    return (plan.totals, plan.checksum, shards)
  }

  /// Brings the files of the shards to the disk, many at a time.
  private func synchronize(_ shards: [Shard]) throws(AuricleError) {
    for start in stride(from: 0, to: shards.count, by: 64) {
      let places = shards[start..<min(start + 64, shards.count)].map { shardPath($0.index) }
      let files = places.flatMap { place in
        ["plan.jsonl", "shard.json", "."].map { name in
          unsafe open(Path.joining(place, name), O_RDONLY | O_CLOEXEC)
        }
      }
      defer { for file in files where file >= 0 { close(file) } }
      var errors = [Int32](repeating: 0, count: files.count)
      unsafe AuricleSynchronizeAll(files, files.count, &errors)
      if let number = errors.first(where: { $0 != 0 && $0 != EINVAL }) {
        throw systemError(number, "write", path)
      }
    }
    AtomicFile.synchronizeFolder(Path.joining(path, Self.shards))
  }

  /// The end of a shard: it gets its part of the rest, and leaves at least a file to each later one.
  private static func end(
    of index: Int, from first: Int, _ weights: [Float], left: Double, count: Int
  ) -> Int {
    let following = count - index - 1
    guard following > 0 else { return weights.count }
    let wanted = left / Double(following + 1)
    let most = max(first, weights.count - following)
    var (end, sum) = (first, 0.0)
    while end < most {
      let weight = Double(weights[end])
      guard end == first || sum + weight / 2 <= wanted else { break }
      sum += weight
      end += 1
    }
    return end
  }

  private func write(
    _ index: Int, _ files: Range<Int>, _ seconds: Double, from reader: LineFileReader
  ) throws(AuricleError) -> Shard {
    let place = shardPath(index)
    try FolderMaker.make(place)
    let writer = try LineFileWriter(path: Path.joining(place, "plan.jsonl"))
    for _ in files {
      guard let line = try reader.next() else {
        throw AuricleError(.inputOutput, "the plan was cut short while it was split: plan again")
      }
      try writer.write(line + [0x0A])
    }
    let shard = Shard(
      index: index, first: files.lowerBound, fileCount: files.count,
      seconds: (seconds * 1000).rounded() / 1000,
      planChecksum: try writer.finish(synchronizes: false))
    let file = try LineFileWriter(path: Path.joining(place, "shard.json"))
    try file.write(shard.line ?? [])
    _ = try file.finish(synchronizes: false)
    return shard
  }
}
