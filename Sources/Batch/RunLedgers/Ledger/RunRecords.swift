// The records of a run in the order of its plan, read from the ledgers in little memory.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import Glibc
import HostSystem

/// A file of a run for reports; pending when no ledger has a record of it.
public struct ReportedFile: Sendable {
  /// The file as it was planned.
  public var entry: PlanEntry
  /// Its record; nil while it is pending.
  public var record: FileRecord?

  /// `done`, `failed`, `quarantined`, `skipped` or `pending`.
  public var status: String { record?.status.rawValue ?? "pending" }
}

/// Reads the records of a run.
///
/// The offset of each file's line is kept in a nameless temporary file, 8 bytes each.
public final class RunRecords {
  private let folder: RunFolder
  private let fileCount: Int
  private let shards: [RunFolder]
  private let readers: [LineFileReader]
  private let places: Int32
  private var forgotten = BitSet()
  /// Files with a result, which no other record of them outweighs.
  private var done = BitSet()

  /// Reads the ledgers once.
  ///
  /// Context: control.
  public init(_ folder: RunFolder, fileCount: Int) throws(AuricleError) {
    self.folder = folder
    self.fileCount = folder.shard?.fileCount ?? fileCount
    // A run in shards is read one shard after the other.
    shards = try folder.isInShards ? folder.shards() : []
    let bound = folder.shard?.end ?? fileCount
    readers = try (shards.isEmpty ? folder.ledgerPaths : []).map { (path) throws(AuricleError) in
      try LineFileReader(path: path)
    }
    places = try NamelessFile.make()
    var announced: [Int: UInt64] = [:]
    for (number, reader) in readers.enumerated() {
      announced = [:]
      while let line = try reader.next() {
        guard let json = CheckedLine.decode(line), let index = json["index"]?.integer,
          (0..<bound).contains(index)
        else { continue }
        // The number of the ledger, from 1, in the bits above the offset.
        let place = UInt64(number + 1) << 48 | UInt64(reader.lineOffset)
        switch (json["t"]?.text, json["status"]?.text) {
        case ("file", "done"): announced[index] = place
        case ("file", _): if !done.contains(index) { note(index, place) }
        case ("gone", _): forgotten.insert(index)
        case ("kept", _):
          if let known = announced.removeValue(forKey: index) ?? pending[index] {
            note(index, known)
            done.insert(index)
          }
        default: continue
        }
      }
      pending.merge(announced) { $1 }
    }
    pending = [:]
  }

  deinit { close(places) }

  /// Results announced in one ledger and confirmed in the next.
  private var pending: [Int: UInt64] = [:]

  /// Calls `body` with every file of the plan, in order, except forgotten ones.
  ///
  /// - Throws: `.badData` when files of the plan are missing in it; errors of `body`.
  public func forEach(
    _ body: (ReportedFile) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    for shard in shards { try RunRecords(shard, fileCount: fileCount).forEach(body) }
    // A run that was cut off early has no plan.
    guard shards.isEmpty, fileCount > 0 else { return }
    var plan = try PlannedJobs(path: folder.planPath)
    var count = 0
    while count < fileCount, let entry = try plan.next() {
      count += 1
      let record = record(entry.index)
      if record == nil, forgotten.contains(entry.index) { continue }
      try body(ReportedFile(entry: entry, record: record))
    }
    guard count >= fileCount else {
      throw AuricleError(
        .badData,
        "\(folder.planPath) is damaged: it has \(count) of the \(fileCount) files of this run")
    }
  }

  private func record(_ index: Int) -> FileRecord? {
    var place: UInt64 = 0
    guard unsafe pread(places, &place, 8, off_t(index * 8)) == 8, place != 0 else { return nil }
    let number = Int(place >> 48) - 1
    guard readers.indices.contains(number),
      let line = readers[number].line(at: Int(place & 0xFFFF_FFFF_FFFF))
    else { return nil }
    return CheckedLine.decode(line).flatMap(FileRecord.init(json:))
  }

  private func note(_ index: Int, _ place: UInt64) {
    var place = place
    _ = unsafe pwrite(places, &place, 8, off_t(index * 8))
  }
}
