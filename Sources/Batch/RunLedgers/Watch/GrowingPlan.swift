// The plan of a watched folder, which grows by a line for each new file.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem

/// A plan that lines are appended to, each synchronized before its file is begun.
final class GrowingPlan {
  /// The number of files so far.
  package private(set) var fileCount = 0
  /// The number of files removed from the plan.
  package private(set) var forgottenCount = 0
  private let path: String
  private let descriptor: Int32
  private var length = 0
  /// The newest entry of each state of a file.
  private let known = HashTable64()
  /// The newest entry of each result.
  private let outputs = HashTable64()
  /// The index of a forgotten entry.
  private static let none = Int.max
  private let foldsNames: Bool

  /// Opens or creates a plan; a torn line at its end is cut off.
  ///
  /// `root` is the root of results; `isForgotten` says which files were removed or changed before they were
  /// done.
  ///
  /// - Throws: `.badData` when the plan is damaged elsewhere.
  package init(
    path: String, root: String, isForgotten: (Int) -> Bool
  ) throws(AuricleError) {
    self.path = path
    foldsNames = FolderNaming.folds(root)
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
    length = try PlanFile.readGrowing(path) { (entry) throws(AuricleError) in
      guard isForgotten(entry.index) else { return try remember(entry) }
      fileCount += 1
      forgottenCount += 1
    }
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw systemError(errno, "write", path) }
  }

  deinit { close(descriptor) }

  /// Whether the plan holds a file in its current state.
  package func holds(_ file: SeenFile) throws(AuricleError) -> Bool {
    let key = Self.key(file.path, file.byteCount, Int(file.modified))
    return try known.value(of: key).map { $0 != Self.none } ?? false
  }

  /// Whether no later entry is of the same state of a file.
  package func isNewest(_ entry: PlanEntry) throws(AuricleError) -> Bool {
    let newest = try known.value(of: Self.key(entry))
    return newest == entry.index || entry.variant != nil
  }

  /// Removes an entry: its file may be planned again in the same state, and its result's name is free.
  package func forget(_ entry: PlanEntry) throws(AuricleError) {
    forgottenCount += 1
    if try known.value(of: Self.key(entry)) == entry.index {
      try known.set(Self.key(entry), Self.none)
    }
    guard !entry.output.isEmpty else { return }
    let output = key(of: entry.output)
    if try outputs.value(of: output) == entry.index { try outputs.set(output, Self.none) }
  }

  /// The place in the plan of the file that a result belongs to; nil when the name is free.
  package func owner(of output: String) throws(AuricleError) -> Int? {
    let index = try outputs.value(of: key(of: output))
    return index == Self.none ? nil : index
  }

  /// The key of a result.
  package func key(of output: String) -> UInt64 {
    foldsNames ? FolderNaming.key(output) : HashTable64.hash(output)
  }

  /// The input of an entry.
  package func input(at index: Int) throws(AuricleError) -> String? {
    var jobs = try PlannedJobs(path: path)
    while let entry = try jobs.next() {
      if entry.index == index { return entry.input }
    }
    return nil
  }

  /// Appends entries and synchronizes them.
  package func add(_ entries: [PlanEntry]) throws(AuricleError) {
    var bytes: [UInt8] = []
    for entry in entries {
      guard let line = entry.line else {
        throw AuricleError(.usage, "the path \(entry.input.prefix(100))… is too long")
      }
      bytes += line
    }
    let written = unsafe pwrite(descriptor, bytes, bytes.count, off_t(length))
    guard written == bytes.count, fdatasync(descriptor) == 0 else {
      let number = written >= 0 && written < bytes.count ? ENOSPC : errno
      ftruncate(descriptor, off_t(length))
      throw AuricleError(
        .temporary, "the plan \(path) cannot be written: \(systemReason(number))",
        cause: .errno(number))
    }
    length += bytes.count
    for entry in entries { try remember(entry) }
  }

  private func remember(_ entry: PlanEntry) throws(AuricleError) {
    try known.set(Self.key(entry), entry.index)
    if !entry.output.isEmpty, entry.error == nil {
      try outputs.set(key(of: entry.output), entry.index)
    }
    fileCount += 1
  }

  private static func key(_ entry: PlanEntry) -> UInt64 {
    key(entry.input, entry.byteCount, Int(entry.modified))
  }

  private static func key(_ path: String, _ byteCount: Int, _ modified: Int) -> UInt64 {
    HashTable64.hash("\(byteCount)/\(modified)/\(path)")
  }
}
