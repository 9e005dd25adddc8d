// The plan of a folder that is watched: it grows by a line whenever a file has come.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc

/// A plan that lines are added to, each on the disk before its file is begun.
final class GrowingPlan {
  /// Files so far.
  private(set) var fileCount = 0
  private let path: String
  private let descriptor: Int32
  private var length = 0
  private let known = HashTable64()
  private let outputs = HashTable64()
  private let foldsNames: Bool

  /// Opens a plan, or begins it; a line that was torn is cut off.
  ///
  /// `root` is the folder that results lie below.
  init(path: String, root: String) throws(AuricleError) {
    self.path = path
    foldsNames = FolderNaming.folds(root)
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
    let reader = try LineFileReader(path: path)
    while let line = try reader.next() {
      guard let json = CheckedLine.decode(line), let entry = PlanEntry(json: json),
        entry.index == fileCount
      else { break }
      length = reader.lineOffset + line.count + 1
      try remember(entry)
    }
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw systemError(errno, "write", path) }
  }

  deinit { close(descriptor) }

  /// Whether a file stands in the plan just as it is.
  func holds(_ file: SeenFile) throws(AuricleError) -> Bool {
    try known.value(of: Self.key(file.path, file.byteCount, Int(file.modified))) != nil
  }

  /// The place in the plan of the file that a result belongs to; nil when the name is free.
  func owner(of output: String) throws(AuricleError) -> Int? {
    try outputs.value(of: key(of: output))
  }

  /// What a result is known by.
  func key(of output: String) -> UInt64 {
    foldsNames ? FolderNaming.key(output) : HashTable64.hash(output)
  }

  /// The file at a place of the plan.
  func input(at index: Int) throws(AuricleError) -> String? {
    var jobs = try PlannedJobs(path: path)
    while let entry = try jobs.next() {
      if entry.index == index { return entry.input }
    }
    return nil
  }

  /// Adds files, and brings them to the disk.
  func add(_ entries: [PlanEntry]) throws(AuricleError) {
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
        .temporary, "the plan \(path) cannot be written: \(Path.reason(number))")
    }
    length += bytes.count
    for entry in entries { try remember(entry) }
  }

  private func remember(_ entry: PlanEntry) throws(AuricleError) {
    _ = try known.insert(Self.key(entry.input, entry.byteCount, Int(entry.modified)), entry.index)
    if !entry.output.isEmpty, entry.error == nil {
      _ = try outputs.insert(key(of: entry.output), entry.index)
    }
    fileCount += 1
  }

  private static func key(_ path: String, _ byteCount: Int, _ modified: Int) -> UInt64 {
    HashTable64.hash("\(byteCount)/\(modified)/\(path)")
  }
}
