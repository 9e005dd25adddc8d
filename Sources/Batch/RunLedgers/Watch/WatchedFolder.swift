// Finds new files of a folder that have stopped changing.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem

/// A file's state as observed.
struct SeenFile: Equatable {
  package var path: String
  /// Its folder relative to the watched one.
  package var dir: String
  package var byteCount: Int
  /// Its modification time in nanoseconds.
  package var modified: Int64

  /// The current state of a path; nil unless it is a regular file.
  package init?(path: String, dir: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    self.dir = dir
    byteCount = Int(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// A path that is no readable file.
  package init(problem path: String) {
    self.path = path
    dir = ""
    byteCount = 0
    modified = 0
  }
}

/// Watches a folder for new files.
///
/// A file is returned once its length and modification time have stayed the same for the settle time. No
/// process may have it open for writing. Changes are reported by the system; disks that other machines
/// write to are polled.
final class WatchedFolder {
  fileprivate struct Candidate {
    package var file: SeenFile
    package var since: ContinuousClock.Instant
    package var lastCheck: ContinuousClock.Instant
  }

  private let path: String
  private let settle: Duration
  private let isRecursive: Bool
  private let excluded: FileIdentity?
  private let isRemote: Bool
  private let notices: FolderNotices?
  private let isKnown: (SeenFile) throws(AuricleError) -> Bool
  /// Keyed by the bytes of paths: names that compare equal as strings may differ.
  private var candidates: [[UInt8]: Candidate] = [:]
  private var settled: [SeenFile] = []
  private var nextWalk = ContinuousClock.now
  private var lastCheck: ContinuousClock.Instant?
  private var hasMore = false
  /// Paths that cannot be read and since when, and then their reports.
  private var problems: [[UInt8]: (path: String, since: ContinuousClock.Instant)] = [:]
  private var reported: [(path: String, error: AuricleError)] = []
  /// The disk that the folder is on, and the folder that is watched.
  private let device: UInt64?
  private var listened: FileIdentity?
  private var nextRootCheck = ContinuousClock.now

  /// The most files waited for at once; further ones are found later.
  private static let mostCandidates = 20_000

  /// Watches a folder.
  ///
  /// - Parameters:
  ///   - settle: Seconds that a file must stay unchanged.
  ///   - polls: Whether to poll even if the system reports changes.
  ///   - isKnown: Whether a file was returned before in the same state.
  package init(
    path: String, settle: Double, isRecursive: Bool, polls: Bool, excluded: FileIdentity?,
    isKnown: @escaping (SeenFile) throws(AuricleError) -> Bool
  ) {
    self.path = path
    self.settle = .seconds(settle)
    self.isRecursive = isRecursive
    self.excluded = excluded
    self.isKnown = isKnown
    device = FileIdentity.of(path)?.identity.device
    isRemote = FolderDisk.isRemote(path)
    notices = polls || isRemote ? nil : FolderNotices()
  }

  /// Whether the system reports changes.
  package var isNotified: Bool { notices != nil }

  /// The next file that has settled; nil when there is none now. Fast when called often.
  package func next() throws(AuricleError) -> SeenFile? {
    try poll()
    while let file = settled.popLast() {
      guard let now = SeenFile(path: file.path, dir: file.dir) else { continue }
      guard now == file, isRemote || !FolderDisk.isBeingWritten(file.path) else {
        try wait(for: now)
        continue
      }
      return file
    }
    return nil
  }

  /// The next path that could not be read for the settle time, each once; nil when there is none.
  func nextProblem() throws(AuricleError) -> (path: String, error: AuricleError)? {
    while let problem = reported.popLast() {
      if try !isKnown(SeenFile(problem: problem.path)) { return problem }
    }
    return nil
  }

  /// Waits again for a file that was returned and has changed since.
  package func recheck(at path: String, dir: String) throws(AuricleError) {
    if let file = SeenFile(path: path, dir: dir) { try wait(for: file) }
  }

  private func poll() throws(AuricleError) {
    let now = ContinuousClock.now
    if let lastCheck, now - lastCheck < .milliseconds(90) { return }
    lastCheck = now
    for notice in notices?.drain() ?? [] {
      switch notice {
      case .lost: nextWalk = now
      case .item(let path, let dir, let isFolder): try noteItem(path, dir, isFolder: isFolder)
      }
    }
    if notices != nil, now >= nextRootCheck {
      nextRootCheck = now + .seconds(1)
      // While a program uses a folder, the system does not report that it was removed or unmounted.
      if FileIdentity.of(path)?.identity != listened { nextWalk = now }
    }
    if now >= nextWalk || hasMore && candidates.count < Self.mostCandidates / 2 {
      try walk(path, dir: "")
      let duration = ContinuousClock.now - now
      // With notifications an occasional walk is enough; otherwise walk as often as it costs little.
      let isNotified = notices.map { !$0.isIncomplete } ?? false
      nextWalk = .now + (isNotified ? .seconds(300) : max(.seconds(1), settle / 2, duration * 20))
    }
    judge(now)
    try judgeProblems(now)
  }

  /// Handles a path that was created.
  private func noteItem(_ path: String, _ dir: String, isFolder: Bool) throws(AuricleError) {
    let name = Path.lastComponent(path)
    guard !name.hasPrefix(".") else { return }
    guard FileIdentity.exists(path) else {
      // It is gone already, or its name is not UTF-8 and was repaired.
      if name.unicodeScalars.contains("\u{FFFD}") { try suspect(path) }
      return
    }
    // A link to a folder is reported as a file.
    let found = FileIdentity.of(path)
    if isFolder || found?.kind == .folder {
      guard isRecursive, found?.identity != excluded else { return }
      try walk(path, dir: Path.joining(dir, name))
    } else if AudioFileNames.isAudio(path) {
      guard let file = SeenFile(path: path, dir: dir) else { return try suspect(path) }
      try wait(for: file)
    }
  }

  private func walk(_ folder: String, dir: String) throws(AuricleError) {
    hasMore = false
    let found = FileIdentity.of(folder)
    guard let found, found.kind == .folder else {
      guard folder == path else { return }
      throw AuricleError(.temporary, "the folder \(path) no longer exists")
    }
    if dir.isEmpty {
      // Without notifications every walk finds the same files again.
      guard notices == nil || found.identity.device == device else {
        throw AuricleError(
          .temporary,
          "the folder \(path) is on another disk now, because one was unmounted or mounted: give "
            + "the command again when the right one is there")
      }
      listened = found.identity
    }
    var walk = FolderWalk()
    walk.isRecursive = isRecursive
    walk.excluded = excluded
    walk.enters = { [notices] path, below in
      notices?.listen(to: path, dir: dir.isEmpty ? below : Path.joining(dir, below))
    }
    try walk.visit(folder) { (found) throws(AuricleError) in
      switch found {
      case .file(let path, let below, _):
        let dir = below.isEmpty ? dir : dir.isEmpty ? below : Path.joining(dir, below)
        if let file = SeenFile(path: path, dir: dir) { try wait(for: file) }
      case .problem(let path, _): try suspect(path)
      }
    }
  }

  /// Waits whether a path stays unreadable: files come and go during a walk.
  private func suspect(_ path: String) throws(AuricleError) {
    let key = Array(path.utf8)
    guard problems[key] == nil, problems.count < Self.mostCandidates,
      try !isKnown(SeenFile(problem: path))
    else { return }
    problems[key] = (path, .now)
  }

  /// Checks unreadable paths again after the settle time.
  private func judgeProblems(_ now: ContinuousClock.Instant) throws(AuricleError) {
    guard !problems.isEmpty else { return }
    var due = problems.filter { now - $0.value.since >= settle }
    guard !due.isEmpty else { return }
    var folders: Set<[UInt8]> = []
    for (key, problem) in due {
      problems[key] = nil
      // A folder that cannot be read is reported by itself, all else by its parent folder.
      let isFolder = FileIdentity.of(problem.path)?.kind == .folder
      folders.insert(isFolder ? key : Array(Path.folder(of: problem.path).utf8))
    }
    var walk = FolderWalk()
    walk.isRecursive = false
    var found: [(path: String, error: AuricleError)] = []
    for folder in folders.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try walk.visit(String(decoding: folder, as: UTF8.self)) { (seen) throws(AuricleError) in
        guard case .problem(let path, let error) = seen,
          due.removeValue(forKey: Array(path.utf8)) != nil
        else { return }
        found.append((path, error))
      }
    }
    // A folder that has become readable may hold files.
    if due.values.contains(where: { FileIdentity.of($0.path)?.kind == .folder }) { nextWalk = now }
    reported = found.reversed() + reported
  }

  private func wait(for file: SeenFile) throws(AuricleError) {
    guard try !isKnown(file) else { return }
    let key = Array(file.path.utf8)
    if let known = candidates[key] {
      if known.file != file { candidates[key] = Candidate(file) }
      return
    }
    guard candidates.count < Self.mostCandidates else {
      hasMore = true
      return
    }
    candidates[key] = Candidate(file)
  }

  /// Checks the files that are waited for.
  private func judge(_ now: ContinuousClock.Instant) {
    var ready: [SeenFile] = []
    let interval = min(max(settle / 5, .milliseconds(100)), .seconds(1))
    for (key, candidate) in candidates where now - candidate.lastCheck >= interval {
      guard let seen = SeenFile(path: candidate.file.path, dir: candidate.file.dir) else {
        // It was removed again.
        candidates[key] = nil
        continue
      }
      candidates[key]?.lastCheck = now
      if seen != candidate.file {
        candidates[key] = Candidate(seen)
      } else if now - candidate.since >= settle {
        candidates[key] = nil
        ready.append(seen)
      }
    }
    guard !ready.isEmpty else { return }
    // Popped from the end: first by name, after earlier ones that had settled.
    ready.sort { $1.path.utf8.lexicographicallyPrecedes($0.path.utf8) }
    settled = ready + settled
  }
}

extension WatchedFolder.Candidate {
  fileprivate init(_ file: SeenFile) {
    self.init(file: file, since: .now, lastCheck: .now)
  }
}
