// The files of a folder that is watched, handed to the supervisor as they come.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import HostSystem

/// Files that a run left undone, then those that come.
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

  /// Files that are written into the plan together.
  private static let mostTogether = 32

  /// Goes on with a run.
  ///
  /// - Parameters:
  ///   - run: The folder of the run.
  ///   - manifest: Of a run that watches.
  ///   - root: The folder of results as it is called now.
  ///   - state: What the ledgers tell of the files in the plan.
  ///   - isStopping: Whether no more files are to be begun.
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
    // Not the name that the folder had when the run was begun.
    request.destination = .folder(root)
    self.request = request
    self.root = root
    self.isStopping = isStopping
  }

  /// Whether the system tells of changes; else the folder is looked through every now and then.
  public var isTold: Bool { folder.isTold }

  /// Files of the plan so far.
  public var fileCount: Int { plan.fileCount }

  /// Those of them that were taken away, or became others, before they were done.
  public var forgottenCount: Int { plan.forgottenCount }

  /// Files come until the run is to stop.
  public var mayGrow: Bool { !isStopping() }

  /// The next file; nil when none is there now.
  public mutating func next() throws(AuricleError) -> PlanEntry? {
    guard !isStopping() else { return nil }
    if hasLeft {
      if let entry = try left.next() { return entry }
      hasLeft = false
    }
    if ready.isEmpty { try gather() }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  /// A file that was taken away, or is not as it was when it had settled, is waited for anew.
  public mutating func forgets(
    _ entry: PlanEntry, now: FileStamp?
  ) throws(AuricleError) -> Bool {
    let planned = FileStamp(byteCount: entry.byteCount, modified: entry.modified)
    if now == planned, try plan.isNewest(entry) { return false }
    try plan.forget(entry)
    let dir = Path.below(watched, Path.folder(of: entry.input)) ?? ""
    try folder.lookAgain(at: entry.input, dir: dir)
    return true
  }

  /// Plans the files that have settled, and accounts for what cannot be taken.
  private mutating func gather() throws(AuricleError) {
    var entries: [PlanEntry] = []
    var taken: [UInt64: String] = [:]
    while entries.count < Self.mostTogether, let file = try folder.next() {
      for entry in try planned(file, from: plan.fileCount + entries.count, taken) {
        taken[plan.key(of: entry.output)] = entry.input
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

  /// The entries of a file: what a plan of this file alone has.
  private func planned(
    _ file: SeenFile, from index: Int, _ taken: [UInt64: String]
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
    // Taken away just now.
    if entries.contains(where: { $0.error?.category == .noInput }),
      SeenFile(path: file.path, dir: file.dir) == nil
    {
      return []
    }
    for place in entries.indices {
      entries[place].index = index + place
      entries[place].byteCount = file.byteCount
      entries[place].modified = file.modified
      try settleName(&entries[place], taken)
    }
    return entries
  }

  /// No two files have one result, unless the second is a newer state of the first.
  private func settleName(
    _ entry: inout PlanEntry, _ taken: [UInt64: String]
  ) throws(AuricleError) {
    guard entry.error == nil else { return }
    func owner(_ output: String) throws(AuricleError) -> String? {
      if let path = taken[plan.key(of: output)] { return path }
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
          + "rename it, or tell them apart with --name \"{dir}/{name}.{ext}\"")
    }
  }
}
