// A run with a ledger: planned on the disk, recorded file by file, resumable at any point.
// SPDX-License-Identifier: Apache-2.0

import AudioPictures
import AudioTypes
import HostSystem
import RunLedgers
import RunReports
import Workers

/// Runs the pending files of a run.
struct LedgerRun {
  let host: HostPlaces
  let work: WorkRequest
  /// The requested report; nil for the one the run was begun with.
  let report: String?
  let folder: RunFolder
  let manifest: RunManifest
  /// The chain as it was read when the run was begun, for all its workers.
  let chain: ChainSource
  let isNew: Bool
  let control: RunControl

  func go() throws -> RunOutcome {
    try folder.lock()
    let output = try outputRoot()
    let manifest = try completed()
    if isNew { folder.removeLeftoversOfOthers() }
    let root = output ?? folder.output
    var options = RunPreparation.options(
      host, work, manifest.settings, chain: chain, run: folder.partName, sandbox: manifest.sandbox,
      limits: manifest.limits)
    options.outputRoot = output
    options.backupSuffix = manifest.backupSuffix
    options.plannedFolders = manifest.inputFolders
    options.mayHaveLeftovers = !isNew
    var session = try LedgerSession(
      folder, manifest, root: root, options: options, control: control)
    // In place, the run itself changes inputs.
    let isTied = !isNew && manifest.backupSuffix == nil
    let changed = isTied ? try ChangedInputs(folder, session.state).sentence : nil
    let left = manifest.totals.fileCount - session.state.settledCount
    let damage = left > 0 ? session.before.damageNote : nil
    session.options.notes = [changed, damage, isNew ? manifest.totals.repeats : nil]
      .compactMap(\.self)
    session.options.workerCount = max(1, min(session.options.workerCount, left))
    let settled = session.state
    let context = context(session)
    let summary = try session.run(
      folder.jobs { settled.isSettled($0) }, context, fileCount: manifest.totals.fileCount,
      shouldStop: control.shouldStop)
    return try end(summary, session, context, hasChangedInputs: changed != nil)
  }

  /// The manifest with a plan and with current settings.
  private func completed() throws(AuricleError) -> RunManifest {
    var manifest = manifest
    if !manifest.isPlanned {
      manifest = try control.refusing { () throws(AuricleError) in
        try RunPlanning(control: control, report: report).plan(folder, manifest, isNew: isNew)
      }
    } else if !isNew {
      try folder.checkPlan(manifest)
    }
    if work.makesPictures || RunPlanning.reportsPage(report), manifest.pictures == nil {
      manifest.pictures = PictureSize(fileCount: manifest.totals.fileCount)
      try folder.write(manifest)
    }
    // A resumed run writes the report that it was begun with.
    if let report = RunPreparation.absolute(report), report != manifest.report {
      manifest.report = report
      try folder.write(manifest)
    }
    return manifest
  }

  /// Reports the end of the run, and writes its report.
  private func end(
    _ summary: RunSummary, _ session: LedgerSession, _ context: RunContext,
    hasChangedInputs: Bool
  ) throws -> RunOutcome {
    let manifest = session.manifest
    var isGone = false
    if case .refused = summary.end, isNew {
      folder.discard()
      isGone = true
    }
    let all = try RunState(folder, fileCount: manifest.totals.fileCount)
    session.storeVerdicts(summary, all)
    var outcome = RunOutcome(context, summary, all)
    // A finished run has the exit code of all its files, including those of earlier sessions; problems of
    // inputs prevent success.
    if case .finished = summary.end, summary.exitCode == 0, all.failedCount > 0 || hasChangedInputs
    {
      outcome.exitCode = AuricleError.Category.someFilesFailed.rawValue
    }
    control.onUpdate(.ended(outcome))
    if let path = context.report, !isGone {
      do {
        try RunReport.write(folder, manifest, all, root: context.output ?? ".", to: path)
      } catch let error as AuricleError {
        // The reason of a stopped run has precedence; and the place of an earlier session's report may be
        // gone.
        if case .stopped = summary.end {} else if report != nil { throw error }
        control.onUpdate(.warning(error))
      }
    }
    return outcome
  }

  private func context(_ session: LedgerSession) -> RunContext {
    var context = session.context
    context.report = report ?? session.manifest.report
    context.byteCount = session.manifest.totals.byteCount
    let folderName = ShellWord.quoted(folder.output)
    context.resume =
      folder.shard.map { "auricle shard \(folderName) --index \($0.index)" }
      ?? "auricle \(session.manifest.command) --resume \(folderName)"
    return context
  }

  /// The path of the output folder from the working folder; nil when results replace their inputs.
  ///
  /// Inputs are relative to the folder that the run was begun in, so this process changes to it.
  private func outputRoot() throws(AuricleError) -> String? {
    guard !isNew else { return manifest.output }
    let here = FolderMaker.realPath(folder.output)
    if WorkingFolder.path != manifest.workingFolder, !WorkingFolder.enter(manifest.workingFolder) {
      throw AuricleError(
        .temporary,
        "the folder \(manifest.workingFolder), from which the run was begun, is not there")
    }
    guard let output = manifest.output else { return nil }
    return here == FolderMaker.realPath(output) ? output : here
  }
}
