// A run on the disk: `.auricle/RUN` in the output folder, with its manifest, plan and ledgers.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// The folder of one run.
///
/// `run.json` holds the run's request, `plan.jsonl` has a line for each file, `ledger-N.jsonl` their
/// records: one ledger for each session.
public final class RunFolder {
  /// The folder that holds the runs of an output folder.
  public static let name = RecordsFolder.name

  /// The output folder.
  public let output: String
  /// The name of the run.
  public let run: String
  /// The folder of the run.
  public let path: String
  /// The shard that this is the folder of; nil for a whole run.
  public let shard: Shard?
  private var lockDescriptor: Int32 = -1
  private var madeFolders: [String] = []

  private init(output: String, run: String) {
    self.output = output
    self.run = run
    path = Path.joining(Path.joining(output, Self.name), run)
    shard = nil
  }

  /// The folder of a shard of a run.
  init(_ whole: RunFolder, shard: Shard, path: String) {
    output = whole.output
    run = whole.run
    self.path = path
    self.shard = shard
  }

  deinit { if lockDescriptor >= 0 { close(lockDescriptor) } }

  /// The plan's file.
  public var planPath: String { Path.joining(path, "plan.jsonl") }
  /// The manifest's file.
  public var manifestPath: String { Path.joining(path, "run.json") }

  /// Creates a folder for a new run, and locks it.
  ///
  /// - Parameter isAlone: Whether to refuse when a process is working on another run.
  /// - Throws: `.temporary` when there is one.
  ///
  /// Context: control.
  public static func create(
    in output: String, isAlone: Bool = false
  ) throws(AuricleError) -> RunFolder {
    let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    var made: [String] = []
    var missing = Path.trimmed(output)
    while FileIdentity.of(missing) == nil {
      made.append(missing)
      let parent = Path.folder(of: missing)
      if parent == missing || parent == "." { break }
      missing = parent
    }
    let second = nextSecond(in: output)
    for _ in 0..<16 {
      let end = String((0..<4).map { _ in letters[Int.random(in: 0..<letters.count)] })
      let folder = RunFolder(output: output, run: "\(second)-\(end)")
      try FolderMaker.make(Path.folder(of: folder.path))
      // If several begin at once, the first has created and locked its run before another checks.
      let gate = closeGate(Path.folder(of: folder.path))
      defer { close(gate) }
      if isAlone, let other = active(in: output) {
        if let watch = other.watch {
          throw AuricleError(
            .temporary,
            "the folder \(watch.folder) is being watched, and its results go into \(output) (run "
              + "\(other.run)): choose another --output, end that watch first, or give --new-run to "
              + "write beside it")
        }
        try other.lock()
      }
      if unsafe mkdir(folder.path, 0o777) != 0 {
        if errno == EEXIST { continue }
        throw systemError(errno, "write", folder.path)
      }
      folder.madeFolders = [folder.path, Path.folder(of: folder.path)] + made
      try folder.lock()
      return folder
    }
    throw AuricleError(.temporary, "no free name for a run is left in \(output): try again")
  }

  /// Waits until no other process is beginning a run in a folder, and keeps others waiting while the returned
  /// descriptor is open; if the system cannot lock folders, nobody waits.
  private static func closeGate(_ folder: String) -> Int32 {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    retrying { flock(descriptor, LOCK_EX) }
    return descriptor
  }

  /// A run that a process is working on, including a watch or one without a manifest yet; nil for none.
  private static func active(in output: String) -> RunFolder? {
    FolderListing.names(in: Path.joining(output, name)).map { RunFolder(output: output, run: $0) }
      .first(where: \.isInUse)
  }

  /// The prefix of a new run's name, by which the newest run is the last: the time, or a second after the last run.
  ///
  /// The latter is used if a run has that second, or if the clock was set back.
  private static func nextSecond(in output: String) -> String {
    let now = UTCTime.text("%Y%m%d-%H%M%S")
    guard let last = all(in: output).last?.run.prefix(15), last >= now else { return now }
    return UTCTime.next(after: last) ?? now
  }

  /// Removes a run that never began, and the empty folders that were created for it.
  public func discard() {
    closeScratch()
    _ = unsafe Path.joining(path, Self.shards).withFileName { unsafe AuricleRemoveFolder($0) }
    for name in FolderListing.names(in: path) { unsafe unlink(Path.joining(path, name)) }
    for folder in madeFolders { unsafe rmdir(folder) }
  }

  /// The runs of an output folder that have a manifest, the oldest first.
  public static func all(in output: String) -> [RunFolder] {
    // Names begin with the second of the start; two runs of one second are ordered by their manifests.
    FolderListing.names(in: Path.joining(output, name)).map { RunFolder(output: output, run: $0) }
      .compactMap { folder in folder.manifestTime.map { (folder, $0) } }
      .sorted { ($0.0.run.prefix(15), $0.1, $0.0.run) < ($1.0.run.prefix(15), $1.1, $1.0.run) }
      .map(\.0)
  }

  /// When the manifest was written, in nanoseconds since 1970; nil when there is none.
  private var manifestTime: Int64? {
    var status = stat()
    guard unsafe stat(manifestPath, &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// The latest run of an output folder, or the one with a name.
  ///
  /// - Throws: `.noInput` when there is none, `.usage` for a folder without a name.
  public static func find(in output: String, run: String? = nil) throws(AuricleError) -> RunFolder {
    guard !output.isEmpty else { throw AuricleError(.usage, "the name of the folder is empty") }
    let all = all(in: output)
    if let run {
      if let found = all.first(where: { $0.run == run }) { return found }
      throw AuricleError(.noInput, "\(output) has no run '\(run)'")
    }
    if let last = all.last { return last }
    guard FileIdentity.of(output) != nil else {
      throw FileIdentity.absence(of: output, .folder)
    }
    guard FileIdentity.of(output)?.kind == .folder else {
      throw AuricleError(
        .noInput, "\(output) is a file: name the folder that auricle process wrote into")
    }
    throw AuricleError(
      .noInput,
      "\(output) has no run of auricle in it (no \(name)/RUN/run.json): name a folder that "
        + "auricle process wrote into")
  }

  /// Locks the run for this process.
  ///
  /// - Throws: `.temporary` when another process has locked it.
  public func lock() throws(AuricleError) {
    // Not every file system of a cluster has locks; an attempt at a shard needs none.
    guard lockDescriptor < 0, shard == nil else { return }
    let file = Path.joining(path, "lock")
    let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw systemError(errno, "write", file) }
    // Tried several times: a process that only checks the lock holds it for a moment.
    var graceTime = 20
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      graceTime -= 1
      guard graceTime > 0 else {
        close(descriptor)
        throw AuricleError(
          .temporary,
          "another auricle is at work on the run \(run) in \(output): wait until it has ended")
      }
      // The system has no wait for a lock with a limit.
      usleep(5000)
    }
    lockDescriptor = descriptor
    // The remains of a manifest that was being written when power was lost.
    unsafe unlink(Path.joining(path, AtomicFile.partName("run.json")))
  }

  /// Whether a process is working on the run.
  ///
  /// Context: control.
  public var isInUse: Bool {
    let descriptor = unsafe open(Path.joining(path, "lock"), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Creates an empty scratch folder for encoders and plug-ins; leftovers of a session that was cut off are
  /// removed, or another name is used.
  ///
  /// Context: control; with the run locked.
  public func openScratch() throws(AuricleError) -> String {
    closeScratch()
    var scratch = Path.joining(path, Self.scratch + (shard.map { "-\($0.attempt)" } ?? ""))
    var number = 1
    while unsafe mkdir(scratch, 0o700) != 0 {
      let failure = errno
      guard failure == EEXIST, number < Self.mostScratches else {
        throw systemError(failure, "make the folder", scratch)
      }
      number += 1
      scratch = Path.joining(path, "\(Self.scratch)-\(number)")
    }
    return scratch
  }

  private static let scratch = "scratch"
  private static let mostScratches = 100

  /// Removes the scratch folder with its contents.
  public func closeScratch() {
    let own = shard.map { "\(Self.scratch)-\($0.attempt)" }
    for name in FolderListing.names(in: path) where own.map({ $0 == name }) ?? Self.isScratch(name)
    {
      _ = unsafe Path.joining(path, name).withFileName { unsafe AuricleRemoveFolder($0) }
    }
  }

  private static func isScratch(_ name: String) -> Bool {
    name == scratch || name.hasPrefix(scratch + "-")
  }

  /// The other runs of the output folder that were killed: their scratch files exist, and no process is
  /// working on them.
  func killedOthers() -> [RunFolder] {
    FolderListing.names(in: Path.folder(of: path)).filter { $0 != run }
      .map { RunFolder(output: output, run: $0) }
      .filter { FolderListing.names(in: $0.path).contains(where: Self.isScratch) && !$0.isInUse }
  }
}
