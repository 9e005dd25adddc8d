// The state of a run, read from its ledgers, with one bit for each file.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
public import FileRendering
import Glibc
import HostSystem

/// A set of small numbers, a bit each.
struct BitSet {
  private var words: [UInt64] = []

  package func contains(_ number: Int) -> Bool {
    number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
  }

  /// Adds a number; false when it was a member already.
  @discardableResult
  package mutating func insert(_ number: Int) -> Bool {
    while number >> 6 >= words.count { words.append(0) }
    guard !contains(number) else { return false }
    words[number >> 6] |= 1 << UInt64(number & 63)
    return true
  }

  package mutating func remove(_ number: Int) {
    if number >> 6 < words.count { words[number >> 6] &= ~(1 << UInt64(number & 63)) }
  }
}

/// The state of a run according to its ledgers.
public struct RunState {
  /// The totals of all settled files.
  public private(set) var tally = RunTally()
  /// The same for the last session alone.
  public private(set) var sessionTally = RunTally()
  /// Files that failed in the last session and are tried again: the disk may have room then.
  public private(set) var againTally = RunTally()
  /// When the last session began, in UTC.
  public private(set) var sessionStart: String?
  /// When the last session ended, in UTC; nil while it runs or when it was cut off.
  public private(set) var sessionEnd: String?
  /// The process of the last session.
  public private(set) var process: Int?
  /// Lines that were torn or altered.
  public private(set) var damagedLineCount = 0
  /// The number of times that the run was begun or resumed.
  public private(set) var sessionCount = 0
  /// Notes for the user, in order.
  public private(set) var notes: [String] = []
  /// The sandbox in force, as workers last reported it.
  public private(set) var sandbox: String?
  /// The end of the last session; nil when it was cut off.
  public private(set) var lastEnd: String?
  /// Why the last session ended early.
  public private(set) var endReason: String?
  /// The verdicts on chain reuse.
  public private(set) var verdicts: [ReuseVerdict] = []
  /// The stamps of inputs that had changed since the plan when they were read.
  private(set) var readInputs: [Int: FileStamp] = [:]
  private var settled = BitSet()
  private var forgotten = BitSet()
  /// The number of files of the plan that were removed or changed before they were done and no longer count.
  public private(set) var forgottenCount = 0
  /// Results that were about to be named when a session ended.
  private(set) var unconfirmed: [Int: FileRecord] = [:]
  /// The number of files in the plan.
  private let fileCount: Int
  /// Failures of the shards' files, which the result of another attempt outweighs.
  private var failures: [Int: FileRecord]?

  /// Reads the ledgers of a run, in memory that does not grow with them.
  ///
  /// Context: control.
  public init(_ folder: RunFolder, fileCount: Int) throws(AuricleError) {
    self.fileCount = folder.shard?.end ?? fileCount
    if folder.hasAttempts { failures = [:] }
    for path in folder.ledgerPaths {
      let reader = try LineFileReader(path: path)
      while let line = try reader.next() {
        guard let json = CheckedLine.decode(line) else {
          damagedLineCount += 1
          continue
        }
        apply(json)
      }
    }
  }

  /// A note on lines of the ledgers that are damaged; nil when none is.
  package var damageNote: String? {
    guard damagedLineCount > 0 else { return nil }
    let lines = damagedLineCount == 1 ? "1 line" : "\(damagedLineCount) lines"
    return "\(lines) of earlier ledgers are damaged and set aside: what they record is done again"
  }

  /// Files by status.
  public var counts: [FileRecord.Status: Int] { tally.counts }

  /// Seconds of sound written.
  public var seconds: Double { tally.outputSeconds }

  /// Whether a file is settled for good, or was forgotten.
  public func isSettled(_ index: Int) -> Bool {
    settled.contains(index) || forgotten.contains(index)
  }

  /// Whether a file was removed or changed before it was done.
  public func isForgotten(_ index: Int) -> Bool { forgotten.contains(index) }

  /// The number of files that are settled for good.
  public var settledCount: Int { tally.fileCount }

  /// The total of failed and quarantined files.
  public var failedCount: Int { tally.failedCount }

  private mutating func apply(_ json: JSONValue) {
    switch json["t"]?.text {
    case "session":
      sessionCount += 1
      lastEnd = nil
      endReason = nil
      sessionTally = RunTally()
      againTally = RunTally()
      sessionStart = json["time"]?.text
      sessionEnd = nil
      process = json["process"]?.integer
    case "note": json["text"]?.text.map { if notes.count < 1000 { notes.append($0) } }
    case "reuse":
      guard let verdict = ReuseVerdict(json: json) else { return }
      verdicts.removeAll { $0.format == verdict.format }
      if verdicts.count < 64 { verdicts.append(verdict) }
    case "input":
      guard let index = json["index"]?.integer, (0..<fileCount).contains(index),
        let bytes = json["bytes"]?.integer, let modified = json["modified"]?.integer
      else { return }
      readInputs[index] = FileStamp(byteCount: bytes, modified: Int64(modified))
    case "gone":
      guard let index = json["index"]?.integer, (0..<fileCount).contains(index),
        !isSettled(index), forgotten.insert(index)
      else { return }
      unconfirmed[index] = nil
      forgottenCount += 1
    case "sandbox": sandbox = json["text"]?.text ?? sandbox
    case "end":
      lastEnd = json["state"]?.text
      endReason = json["error"]?.text
      sessionEnd = json["time"]?.text
    case "kept":
      guard let index = json["index"]?.integer, let record = unconfirmed.removeValue(forKey: index)
      else { return }
      settle(record)
    case "file":
      guard let record = FileRecord(json: json), (0..<fileCount).contains(record.index) else {
        return
      }
      if record.status == .done {
        if !settled.contains(record.index) || failures?[record.index] != nil {
          unconfirmed[record.index] = record
        }
      } else {
        unconfirmed[record.index] = nil
        if record.isFinal { settle(record) } else { againTally.add(record) }
      }
    default: break
    }
  }

  private mutating func settle(_ record: FileRecord) {
    if !settled.insert(record.index) {
      guard record.status == .done, let failed = failures?.removeValue(forKey: record.index) else {
        return
      }
      tally.remove(failed)
      sessionTally.remove(failed)
    } else if record.status != .done {
      failures?[record.index] = record
    }
    tally.add(record)
    sessionTally.add(record)
  }

  /// Checks results that were announced but not confirmed; confirms in the ledger all that exist and are
  /// complete.
  ///
  /// - Parameters:
  ///   - isShared: Whether another process may be naming them now: then nothing is removed.
  ///   - locate: Returns the current path of a recorded result.
  /// - Returns: The records confirmed by it.
  public mutating func confirm(
    in journal: RunJournal, isShared: Bool = false, locate: (String) -> String
  ) throws(AuricleError) -> [FileRecord] {
    var found: [FileRecord] = []
    for record in unconfirmed.values.sorted(by: { $0.index < $1.index }) {
      let files = record.storedFiles.map { (path: locate($0.path), stored: $0.stored) }
      let there = files.filter { StoredFile.isThere($0.path, $0.stored) }
      let kept = record.kept.map(locate)
      guard !files.isEmpty, there.count == files.count else {
        // Only some results of the file were named: they are made again with the others.
        if files.count > 1, !isShared {
          for file in there where !kept.contains(file.path) { unsafe _ = unlink(file.path) }
        }
        continue
      }
      found.append(record)
    }
    guard !found.isEmpty else { return [] }
    var number = journal.writer.append(found.map { LedgerLine.kept($0.index) })
    if number == 0 { number = journal.writer.synchronize() }
    guard number == 0 else { throw systemError(number, "write", journal.writer.path) }
    for record in found { settle(record) }
    unconfirmed = [:]
    return found
  }
}

extension StoredFile {
  /// The problem of a result at a path; nil when it exists unchanged.
  public static func problem(at path: String, expected: StoredFile) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      return errno == ENOENT ? "is missing" : "cannot be read: \(systemReason(errno))"
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return "is no regular file"
    }
    guard Int(status.st_size) == expected.byteCount else {
      return "has \(status.st_size) bytes instead of \(expected.byteCount)"
    }
    var hash: UInt64 = 0
    var count: UInt64 = 0
    let number = unsafe AuricleXXH64File(descriptor, &hash, &count)
    if number != 0 { return "cannot be read: \(systemReason(number))" }
    return hash == expected.checksum ? nil : "was changed: its checksum is another"
  }

  /// A file as it is now; nil when it cannot be read.
  package static func of(folder: Int32, name: String) -> StoredFile? {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe openat(folder, name, flags)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return nil }
    return StoredFile(byteCount: Int(clamping: count), checksum: hash)
  }

  package static func isThere(_ path: String, _ expected: StoredFile) -> Bool {
    problem(at: path, expected: expected) == nil
  }
}
