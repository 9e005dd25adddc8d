// The files of a watched folder, as a source for the supervisor.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import HostSystem

/// The files that earlier sessions left undone, then new ones.
public struct WatchSource: JobSource {
  private var left: PlannedJobs
  private var hasLeft = true
  private let plan: GrowingPlan
  private let folder: WatchedFolder
  private let watched: String
  private let request: PlanRequest
  private let root: String
  private let isStopping: () -> Bool
  private var ready: [PlanEntry] = []

  /// The most files that are written to the plan together.
  private static let mostTogether = 32

  /// Continues a run.
  ///
  /// - Parameters:
  ///   - run: The folder of the run.
  ///   - manifest: The manifest of a watch.
  ///   - root: The current path of the output folder.
  ///   - state: The state of the plan's files according to the ledgers.
  ///   - isStopping: Whether to begin no more files.
  /// - Throws: `.badData` when the plan is damaged.
  public init(
    _ run: RunFolder, _ manifest: RunManifest, root: String,
    state: RunState, isStopping: @escaping () -> Bool
  ) throws(AuricleError) {
    guard let watch = manifest.watch else {
      throw AuricleError(.usage, "the run \(run.run) watches no folder")
    }
    plan = try GrowingPlan(
      path: run.planPath, root: root, isForgotten: { state.isForgotten($0) })
    left = try PlannedJobs(path: run.planPath, isSettled: { state.isSettled($0) })
    watched = watch.folder
    let plan = plan
    folder = WatchedFolder(
      path: watch.folder, settle: watch.settle, isRecursive: manifest.isRecursive,
      polls: watch.polls, excluded: FileIdentity.of(root)?.identity,
      isKnown: { (file) throws(AuricleError) in try plan.holds(file) })
    var request = try manifest.planRequest()
    // Not the path that the folder had when the run was begun.
    request.destination = .folder(root)
    self.request = request
    self.root = root
    self.isStopping = isStopping
  }

  /// Whether the system reports changes; otherwise the folder is polled.
  public var isNotified: Bool { folder.isNotified }

  /// The number of files in the plan so far.
  public var fileCount: Int { plan.fileCount }

  /// The number of files that were removed or changed before they were done.
  public var forgottenCount: Int { plan.forgottenCount }

  /// More files may follow until the run stops.
  public var mayGrow: Bool { !isStopping() }

  /// The next file; nil when there is none now.
  public mutating func next() throws(AuricleError) -> PlanEntry? {
    guard !isStopping() else { return nil }
    if hasLeft {
      if let entry = try left.next() { return entry }
      hasLeft = false
    }
    if ready.isEmpty { try gather() }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// A file that was removed, or changed after it had settled, is waited for again.
  public mutating func forgets(
    _ entry: PlanEntry, now: FileStamp?
  ) throws(AuricleError) -> Bool {
    let planned = FileStamp(byteCount: entry.byteCount, modified: entry.modified)
    if now == planned, try plan.isNewest(entry) { return false }
    try plan.forget(entry)
    let dir = Path.below(watched, Path.folder(of: entry.input)) ?? ""
    try folder.recheck(at: entry.input, dir: dir)
    return true
  }

  /// Plans the files that have settled, and records unreadable ones.
  private mutating func gather() throws(AuricleError) {
    var entries: [PlanEntry] = []
    var used: [UInt64: String] = [:]
    while entries.count < Self.mostTogether, let file = try folder.next() {
      for entry in try planned(file, from: plan.fileCount + entries.count, used) {
        used[plan.key(of: entry.output)] = entry.input
        entries.append(entry)
      }
    }
    while entries.count < Self.mostTogether, let problem = try folder.nextProblem() {
      var entry = PlanEntry(
        index: plan.fileCount + entries.count, input: problem.path, output: "")
      entry.error = problem.error
      entries.append(entry)
    }
    guard !entries.isEmpty else { return }
    try plan.add(entries)
    ready = entries
  }

  /// The entries of a file, as in a plan of this file alone.
  private func planned(
    _ file: SeenFile, from index: Int, _ used: [UInt64: String]
  ) throws(AuricleError) -> [PlanEntry] {
    var request = request
    request.inputs = [file.path]
    request.list = nil
    request.dir = file.dir
    var entries: [PlanEntry] = []
    do throws(AuricleError) {
      var planner = Planner(request)
      _ = try planner.run { (entry) throws(AuricleError) in entries.append(entry) }
    } catch {
      var entry = PlanEntry(index: 0, input: file.path, output: "")
      entry.error = error
      entries = [entry]
    }
    // Removed just now.
    if entries.contains(where: { $0.error?.category == .noInput }),
      SeenFile(path: file.path, dir: file.dir) == nil
    {
      return []
    }
    for place in entries.indices {
      entries[place].index = index + place
      entries[place].byteCount = file.byteCount
      entries[place].modified = file.modified
      try settleName(&entries[place], used)
    }
    return entries
  }

  /// Makes names unique: two files share a result only if the second is a newer state of the first.
  private func settleName(
    _ entry: inout PlanEntry, _ used: [UInt64: String]
  ) throws(AuricleError) {
    guard entry.error == nil else { return }
    func owner(_ output: String) throws(AuricleError) -> String? {
      if let path = used[plan.key(of: output)] { return path }
      guard let index = try plan.owner(of: output) else { return nil }
      return try plan.input(at: index)
    }
    guard let other = try owner(entry.output) else { return }
    if request.existing == .rename {
      let wanted = entry.output
      let own = Path.extensionAsWritten(of: wanted)
      let stem = own.isEmpty ? wanted : Path.withoutExtension(wanted)
      var number = 2
      while try owner(entry.output) != nil
        || FileIdentity.exists(Path.joining(root, entry.output))
      {
        entry.output = "\(stem) (\(number))" + (own.isEmpty ? "" : "." + own)
        number += 1
      }
    } else if !Path.isSame(other, entry.input) {
      entry.error = AuricleError(
        .usage,
        "\(entry.input) would be written to \(Path.joining(root, entry.output)), as \(other) is: "
          + "rename it, or distinguish them by --name \"{dir}/{name}.{ext}\"")
    }
  }
}
