// A session of a run with a ledger: the common part of runs and watches.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import RunLedgers
import RunReports
import Workers

/// A reporter that passes a supervisor's reports on, and counts them.
final class RunReporter {
  let control: RunControl
  let meter: ProgressMeter
  weak var supervisor: Supervisor?

  init(
    _ control: RunControl, fileCount: Int?, plan: InputAmounts, before: RunTally = RunTally()
  ) {
    self.control = control
    meter = ProgressMeter(fileCount: fileCount, plan: plan, before: before)
  }

  /// Passes on an event.
  func report(_ event: RunEvent) {
    switch event {
    case .recorded(let record): meter.add(record)
    case .tick:
      meter.committing = supervisor?.committing ?? CommittingWork()
      return control.onUpdate(.progress(supervisor?.activities ?? []))
    default: break
    }
    control.onUpdate(.event(event))
  }
}

/// A session of a run.
struct LedgerSession {
  let folder: RunFolder
  private(set) var manifest: RunManifest
  let control: RunControl
  /// The state after earlier sessions.
  let before: RunState
  /// The same with results that were named when a session was cut off.
  private(set) var state: RunState
  /// The options of the supervisor.
  var options: SupervisorOptions
  private let root: String
  private let journal: RunJournal
  private let confirmed: [FileRecord]

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - root: The path of the output folder from the working folder.
  ///   - options: The options of the supervisor besides those of the manifest.
  init(
    _ folder: RunFolder, _ manifest: RunManifest, root: String, options: SupervisorOptions,
    control: RunControl
  ) throws(AuricleError) {
    self.folder = folder
    self.manifest = manifest
    self.root = root
    self.control = control
    var state = try RunState(folder, fileCount: manifest.totals.fileCount)
    before = state
    journal = try folder.beginLedger()
    let locate = try state.locator(manifest, of: folder, in: root)
    confirmed = try state.confirm(
      in: journal, isShared: folder.shard != nil, locate: locate)
    self.state = state
    self.options = options
    self.options.setup.seed = manifest.seed
    self.options.setup.pictures = manifest.pictures
    if manifest.pictures != nil { self.options.pictureBook = try folder.beginPictures() }
    self.options.existing = manifest.existing
    self.options.isShared = folder.shard != nil
    // Results that existed when the plan was made are named in it.
    if folder.shard != nil, manifest.existing == .skip { self.options.existing = .error }
    self.options.inputFolders = manifest.inputs
    self.options.verdicts = before.verdicts
  }

  /// The names and paths of the run.
  var context: RunContext {
    var context = RunContext()
    context.run = manifest.run
    context.presetName = manifest.presetName
    context.output = root
    context.ledger = folder.path
    context.workerCount = options.workerCount
    return context
  }

  /// Runs the files of a source to the end.
  ///
  /// - Parameters:
  ///   - fileCount: The number of files; nil for a watch.
  ///   - shouldStop: Asked several times a second.
  ///   - onEvent: Receives every event before it is passed on.
  mutating func run(
    _ source: any JobSource, _ context: RunContext, fileCount: Int?, shouldStop: () -> Bool,
    onEvent: @escaping (RunEvent) -> Void = { _ in }
  ) throws(AuricleError) -> RunSummary {
    options.setup.sandbox.scratchFolder = try folder.openScratch()
    defer { folder.closeScratch() }
    let supervisor = try Supervisor(options: options, source: source, journal: journal)
    let reporter = RunReporter(
      control, fileCount: fileCount, plan: manifest.totals.inputs, before: before.tally)
    reporter.supervisor = supervisor
    control.onUpdate(
      .began(
        RunStart(context: context, fileCount: fileCount, before: before, meter: reporter.meter)))
    for record in confirmed { reporter.report(.recorded(record)) }
    var manifest = manifest
    let folder = folder
    let cache = before.verdicts.isEmpty ? VerdictCache(manifest, options) : nil
    let summary = supervisor.run(shouldStop: shouldStop) { (event) throws(AuricleError) in
      try Self.compare(event, with: &manifest, of: folder)
      if case .units(let units) = event, let cache {
        supervisor.adopt(cache.verdicts(units, manifest.sideFiles ?? []))
      }
      onEvent(event)
      reporter.report(event)
    }
    self.manifest = manifest
    return summary
  }

  /// Stores the verdicts of a finished run for the next run of its chain.
  func storeVerdicts(_ summary: RunSummary, _ all: RunState) {
    // Verdicts of an earlier session may be from another environment.
    guard case .finished = summary.end, before.verdicts.isEmpty else { return }
    VerdictCache(manifest, options)?.store(
      all.verdicts, manifest.units, manifest.sideFiles ?? [])
  }

  /// Records units and files that the run is tied to when they are first known; refuses to continue with
  /// others.
  private static func compare(
    _ event: RunEvent, with manifest: inout RunManifest, of folder: RunFolder
  ) throws(AuricleError) {
    let difference: String?
    var isNews = false
    switch event {
    case .sideFiles(let found):
      difference = manifest.sideFileDisagreement(found)
      isNews = manifest.sideFiles == nil
      if difference == nil { manifest.sideFiles = found }
    case .units(let found):
      difference = manifest.unitDisagreement(found)
      isNews = manifest.units.isEmpty
      if isNews { manifest.units = found }
    default: return
    }
    if let difference {
      throw RunPreparation.disagreement(folder, manifest, difference)
    }
    if isNews, folder.shard == nil { try folder.write(manifest) }
  }
}
