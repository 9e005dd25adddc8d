// Finds files that came into a folder and have stopped growing.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem

/// A file as it was seen.
struct SeenFile: Equatable {
  package var path: String
  /// Its folder below the one that is watched.
  package var dir: String
  package var byteCount: Int
  /// When it was changed last, in nanoseconds.
  package var modified: Int64

  /// What is at a path now; nil unless it is a regular file.
  package init?(path: String, dir: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    self.dir = dir
    byteCount = Int(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// What is at a path and is no file that could be taken.
  package init(problem path: String) {
    self.path = path
    dir = ""
    byteCount = 0
    modified = 0
  }
}

/// Looks at a folder again and again.
///
/// A file is handed out once its length and time of change have stayed the same for the settle time,
/// and nobody has it open for writing, as far as that can be told. Changes are told by the system,
/// and on disks that other machines write to found by looking.
final class WatchedFolder {
  fileprivate struct Candidate {
    package var file: SeenFile
    package var since: ContinuousClock.Instant
    package var lastLook: ContinuousClock.Instant
  }

  private let path: String
  private let settle: Duration
  private let isRecursive: Bool
  private let excluded: FileIdentity?
  private let isRemote: Bool
  private let notices: FolderNotices?
  private let isKnown: (SeenFile) throws(AuricleError) -> Bool
  /// By their paths, byte for byte: names that look alike may be two.
  private var candidates: [[UInt8]: Candidate] = [:]
  private var settled: [SeenFile] = []
  private var nextWalk = ContinuousClock.now
  private var lastLook: ContinuousClock.Instant?
  private var hasMore = false
  /// What cannot be taken, since when, and then what is told of it.
  private var problems: [[UInt8]: (path: String, since: ContinuousClock.Instant)] = [:]
  private var told: [(path: String, error: AuricleError)] = []
  /// The disk that the folder is on, and the folder that is listened to.
  private let device: UInt64?
  private var listened: FileIdentity?
  private var nextRootLook = ContinuousClock.now

  /// Files that are waited for at once; of more, the others are found later.
  private static let mostCandidates = 20_000

  /// Watches a folder.
  ///
  /// - Parameters:
  ///   - settle: Seconds that a file has to stay as it is.
  ///   - polls: Whether to look, even where the system tells of changes.
  ///   - isKnown: Whether a file was handed out before, just as it is.
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

  /// Whether the system tells of changes.
  package var isTold: Bool { notices != nil }

  /// The next file that has settled; nil when there is none now. Quick when called often.
  package func next() throws(AuricleError) -> SeenFile? {
    try look()
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

  /// What cannot be taken and has stayed so for the settle time, once; nil when there is none.
  func nextProblem() throws(AuricleError) -> (path: String, error: AuricleError)? {
    while let problem = told.popLast() {
      if try !isKnown(SeenFile(problem: problem.path)) { return problem }
    }
    return nil
  }

  /// Waits for a file again that was handed out and is not as it was.
  package func lookAgain(at path: String, dir: String) throws(AuricleError) {
    if let file = SeenFile(path: path, dir: dir) { try wait(for: file) }
  }

  private func look() throws(AuricleError) {
    let now = ContinuousClock.now
    if let lastLook, now - lastLook < .milliseconds(90) { return }
    lastLook = now
    for notice in notices?.take() ?? [] {
      switch notice {
      case .lost: nextWalk = now
      case .item(let path, let dir, let isFolder): try take(path, dir, isFolder: isFolder)
      }
    }
    if notices != nil, now >= nextRootLook {
      nextRootLook = now + .seconds(1)
      // Who still uses a folder keeps the system from telling that it was removed or unmounted.
      if FileIdentity.of(path)?.identity != listened { nextWalk = now }
    }
    if now >= nextWalk || hasMore && candidates.count < Self.mostCandidates / 2 {
      try walk(path, dir: "")
      let took = ContinuousClock.now - now
      // Where changes are told a look now and then is enough; else as often as it costs little.
      let isTold = notices.map { !$0.isIncomplete } ?? false
      nextWalk = .now + (isTold ? .seconds(300) : max(.seconds(1), settle / 2, took * 20))
    }
    judge(now)
    try judgeProblems(now)
  }

  /// Something came into being.
  private func take(_ path: String, _ dir: String, isFolder: Bool) throws(AuricleError) {
    let name = Path.lastComponent(path)
    guard !name.hasPrefix(".") else { return }
    guard FileIdentity.exists(path) else {
      // It is gone already; or its name is not UTF-8, and was repaired.
      if name.unicodeScalars.contains("\u{FFFD}") { try suspect(path) }
      return
    }
    // A link to a folder is told as if it were a file.
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
      throw AuricleError(.temporary, "the folder \(path) is not there any more")
    }
    if dir.isEmpty {
      // Where changes are not told, what is there is found again and again.
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
      case .file(let path, let below):
        let dir = below.isEmpty ? dir : dir.isEmpty ? below : Path.joining(dir, below)
        if let file = SeenFile(path: path, dir: dir) { try wait(for: file) }
      case .problem(let path, _): try suspect(path)
      }
    }
  }

  /// Waits whether what cannot be taken stays so: names come and go while they are looked at.
  private func suspect(_ path: String) throws(AuricleError) {
    let key = Array(path.utf8)
    guard problems[key] == nil, problems.count < Self.mostCandidates,
      try !isKnown(SeenFile(problem: path))
    else { return }
    problems[key] = (path, .now)
  }

  /// Looks once more at what cannot be taken.
  private func judgeProblems(_ now: ContinuousClock.Instant) throws(AuricleError) {
    guard !problems.isEmpty else { return }
    var due = problems.filter { now - $0.value.since >= settle }
    guard !due.isEmpty else { return }
    var folders: Set<[UInt8]> = []
    for (key, problem) in due {
      problems[key] = nil
      // A folder that cannot be read is told by itself, all else by the folder it is in.
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
    // What became readable meanwhile holds files.
    if due.values.contains(where: { FileIdentity.of($0.path)?.kind == .folder }) { nextWalk = now }
    told = found.reversed() + told
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

  /// Looks at files that are waited for.
  private func judge(_ now: ContinuousClock.Instant) {
    var ready: [SeenFile] = []
    let interval = min(max(settle / 5, .milliseconds(100)), .seconds(1))
    for (key, candidate) in candidates where now - candidate.lastLook >= interval {
      guard let seen = SeenFile(path: candidate.file.path, dir: candidate.file.dir) else {
        // It was taken away again.
        candidates[key] = nil
        continue
      }
      candidates[key]?.lastLook = now
      if seen != candidate.file {
        candidates[key] = Candidate(seen)
      } else if now - candidate.since >= settle {
        candidates[key] = nil
        ready.append(seen)
      }
    }
    guard !ready.isEmpty else { return }
    // Taken from the end: the first by name first, those that came before them before all.
    ready.sort { $1.path.utf8.lexicographicallyPrecedes($0.path.utf8) }
    settled = ready + settled
  }
}

extension WatchedFolder.Candidate {
  fileprivate init(_ file: SeenFile) {
    self.init(file: file, since: .now, lastLook: .now)
  }
}
