// A shard: a range of a run's plan that one process does, with a separate plan and ledgers.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
package import HostSystem

/// A range of the plan of a run.
public struct Shard: Sendable {
  /// Its number, from 0.
  public let index: Int
  /// The place of its first file in the plan.
  public let first: Int
  /// The number of its files.
  public let fileCount: Int
  /// Seconds of sound, as far as they were known or estimated.
  public let seconds: Double
  /// XXH64 of its plan.
  public let planChecksum: UInt64
  /// The name of the attempt of this process: part of the names of its unfinished files.
  public let attempt: String

  /// The place behind its last file.
  var end: Int { first + fileCount }

  /// Whether each of its files is accounted for.
  package func isSettled(in state: RunState) -> Bool { (first..<end).allSatisfy(state.isSettled) }

  init(index: Int, first: Int, fileCount: Int, seconds: Double, planChecksum: UInt64) {
    self.index = index
    self.first = first
    self.fileCount = fileCount
    self.seconds = seconds
    self.planChecksum = planChecksum
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    attempt = String((0..<8).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }

  /// The line of its file.
  var line: [UInt8]? {
    CheckedLine.encode([
      JSONValue.Member("t", "shard"), JSONValue.Member("index", JSONValue(index)),
      JSONValue.Member("first", JSONValue(first)), JSONValue.Member("files", JSONValue(fileCount)),
      JSONValue.Member("seconds", JSONValue(seconds)),
      JSONValue.Member("plan", .string(Hexadecimal.text(planChecksum))),
    ])
  }

  init?(json: JSONValue) {
    guard json["t"]?.text == "shard", let index = json["index"]?.integer, index >= 0,
      let first = json["first"]?.integer, first >= 0, let count = json["files"]?.integer,
      count >= 0, count <= 1 << 40, first <= 1 << 40,
      let sum = json["plan"]?.text.flatMap(Hexadecimal.number)
    else { return nil }
    self.init(
      index: index, first: first, fileCount: count, seconds: json["seconds"]?.number ?? 0,
      planChecksum: sum)
  }
}

extension RunFolder {
  /// The folder of the shards.
  static let shards = "shards"

  /// The folders of the shards in order; empty for a run without any.
  var shardPaths: [String] {
    let folder = Path.joining(path, Self.shards)
    return FolderListing.names(in: folder).filter { Int($0) != nil }.sorted()
      .map { Path.joining(folder, $0) }
  }

  /// Whether several attempts may have written ledgers at once.
  var hasAttempts: Bool { shard != nil || isInShards }

  /// Whether the run is in shards, and not merged.
  var isInShards: Bool {
    shard == nil && FileIdentity.of(planPath) == nil
      && FileIdentity.of(Path.joining(path, Self.shards)) != nil
  }

  /// The name in unfinished files: that of the run, and of the attempt at a shard.
  public var partName: String { shard.map { "\(run)-\($0.attempt)" } ?? run }

  /// The folder of a shard; its name has six digits or more.
  func shardPath(_ index: Int) -> String {
    let digits = String(index)
    let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    return Path.joining(Path.joining(path, Self.shards), name)
  }

  /// The folder of one shard.
  ///
  /// - Throws: `.badData` when the run has no such shard, or its file is damaged.
  ///
  /// Context: control. Reads one small file.
  public func shard(_ index: Int) throws(AuricleError) -> RunFolder {
    let place = shardPath(index)
    let file = Path.joining(place, "shard.json")
    guard FileIdentity.of(file) != nil else {
      throw AuricleError(
        .badData,
        "the run \(run) in \(output) has no shard \(index): auricle status shows the number of shards, "
          + "which are counted from 0")
    }
    let reader = try LineFileReader(path: file)
    guard let line = try reader.next(), let json = CheckedLine.decode(line),
      let shard = Shard(json: json), shard.index == index
    else { throw Self.damage(of: file, line: 1) }
    // Exactly one line, independent of the next one.
    guard FileStamp(path: file)?.byteCount == line.count + 1 else {
      throw Self.damage(of: file, line: 2)
    }
    return RunFolder(self, shard: shard, path: place)
  }

  /// The error for a damaged line of a shard's records.
  private static func damage(of file: String, line: Int) -> AuricleError {
    AuricleError(
      .badData,
      "\(file) is damaged in line \(line): plan the run again (auricle plan … --new-run --on-exists skip)"
    )
  }

  /// The folders of all shards in order.
  ///
  /// - Throws: As `shard`.
  public func shards() throws(AuricleError) -> [RunFolder] {
    var folders: [RunFolder] = []
    for index in shardPaths.indices { folders.append(try shard(index)) }
    return folders
  }
}

/// The finished shards of a run, and the others.
public struct ShardProgress: Sendable {
  /// The number of all.
  public let count: Int
  /// The numbers of those with files that are not accounted for.
  public let missing: [Int]

  /// Reads which shards are done.
  ///
  /// Context: control.
  public init(_ folder: RunFolder, _ state: RunState) throws(AuricleError) {
    let shards = try folder.shards().compactMap(\.shard)
    count = shards.count
    missing = shards.filter { !$0.isSettled(in: state) }.map(\.index)
  }

  /// The missing ones as an array's ranges: `0-3,7`.
  public var ranges: String { Self.ranges(missing) }

  /// Sorted numbers as ranges.
  public static func ranges(_ missing: [Int]) -> String {
    var parts: [ClosedRange<Int>] = []
    for index in missing {
      if let last = parts.last, last.upperBound + 1 == index {
        parts[parts.count - 1] = last.lowerBound...index
      } else {
        parts.append(index...index)
      }
    }
    return parts.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }.joined(separator: ",")
  }

  /// As a line of a table.
  package var text: String { "\(count - missing.count) of \(count) done" }

  /// As JSON.
  package var json: JSONValue {
    .members([
      ("count", JSONValue(count)), ("done", JSONValue(count - missing.count)),
      ("missing", .string(ranges)),
    ])
  }
}
