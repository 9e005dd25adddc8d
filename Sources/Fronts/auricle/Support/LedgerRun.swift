// A run with a ledger: planned on the disk, accounted for file by file, resumed at any point.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioPictures
import AudioTypes
import BatchProcessing
import Foundation

/// Runs what a run's folder says is to be done.
struct LedgerRun {
  let session: BatchSession
  let folder: RunFolder
  let manifest: RunManifest
  /// The chain as it was read when the run was begun: that of all its workers.
  let chain: ChainSource
  let isNew: Bool

  func go() throws {
    Interruption.install()
    try folder.takeLock()
    var manifest = manifest
    let output = try outputRoot()
    if !manifest.isPlanned {
      do throws(AuricleError) {
        manifest = try session.plan(folder, manifest, isNew: isNew)
      } catch { throw session.refused(error) }
    } else if !isNew {
      try folder.checkPlan(manifest)
    }
    if session.work.pictures || session.run.reportsPage, manifest.pictures == nil {
      manifest.pictures = PictureSize(fileCount: manifest.totals.fileCount)
      try folder.write(manifest)
    }
    // A run that is resumed ends with the report that it was begun with.
    if let report = BatchSession.absolute(session.run.report), report != manifest.report {
      manifest.report = report
      try folder.write(manifest)
    }
    var state = try RunState(folder, fileCount: manifest.totals.fileCount)
    let before = state
    let journal = try folder.beginLedger()
    if isNew { folder.removeLeftoversOfOthers() }
    let root = output ?? folder.output
    let locate = try state.locator(manifest, of: folder, in: root)
    let found = try state.confirm(in: journal, locate: locate)
    var options = session.options(
      manifest.settings, chain: chain, run: manifest.run, sandbox: manifest.sandbox,
      limits: manifest.limits)
    options.setup.pictures = manifest.pictures
    if manifest.pictures != nil { options.pictureBook = try folder.beginPictures() }
    options.outputRoot = output
    options.setup.seed = manifest.seed
    options.setup.sandbox.scratchFolder = try folder.openScratch()
    defer { folder.closeScratch() }
    options.existing = manifest.existing
    options.backupSuffix = manifest.backupSuffix
    options.inputFolders = manifest.inputs
    options.plannedFolders = manifest.inputFolders
    options.mayHaveLeftovers = !isNew
    options.findings = before.findings
    let kept = KeptFindings(manifest, setup: options.setup, program: options.program)
    options.recall = kept.map { kept in { kept.findings($0, $1) } }
    // In place, this run itself is what changed inputs.
    let isTied = !isNew && manifest.backupSuffix == nil
    let changed = isTied ? try ChangedInputs(folder, state).sentence : nil
    options.notes = [changed, isNew ? manifest.totals.repeats : nil].compactMap(\.self)
    let left = manifest.totals.fileCount - state.settledCount
    options.workerCount = max(1, min(options.workerCount, left))
    let settled = state
    let supervisor = try Supervisor(
      options: options, source: folder.jobs { settled.isSettled($0) }, journal: journal)

    var report = ProcessReport(
      context(manifest, root, workers: options.workerCount),
      fileCount: manifest.totals.fileCount, alreadyDone: before, format: session.format,
      isQuiet: session.isQuiet)
    report.supervisor = supervisor
    report.begin()
    for record in found { report.handle(.recorded(record)) }
    let folder = folder
    let summary = supervisor.run(shouldStop: { Interruption.isRequested }) {
      (event) throws(AuricleError) in
      if case .sideFiles(let found) = event {
        if let difference = manifest.sideFileDisagreement(found) {
          throw BatchSession.disagreement(folder, difference)
        }
        manifest.sideFiles = found
      }
      if case .units(let found) = event {
        if let difference = manifest.unitDisagreement(found) {
          throw BatchSession.disagreement(folder, difference)
        }
        if manifest.units.isEmpty {
          manifest.units = found
          try folder.write(manifest)
        }
      }
      report.handle(event)
    }
    var isGone = false
    if case .refused = summary.end, isNew {
      folder.discard()
      isGone = true
    }
    let all = try RunState(folder, fileCount: manifest.totals.fileCount)
    // What an earlier session found may be of other surroundings.
    if case .finished = summary.end, before.findings.isEmpty {
      kept?.keep(all.findings, manifest.units, manifest.sideFiles ?? [])
    }
    report.finish(summary, all)
    var code = exitCode(summary, all)
    if let path = session.run.report ?? manifest.report, !isGone {
      do {
        try RunReport.write(folder, manifest, all, root: root, to: path)
      } catch let error as AuricleError {
        // Why the run was stopped counts for more; and a report of an earlier session may have its place
        // no more.
        if case .stopped = summary.end {} else if session.run.report != nil { throw error }
        StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
      }
    }
    // What was told of inputs is no success of all.
    if code == 0, changed != nil { code = AuricleError.Category.someFilesFailed.rawValue }
    if code != 0 { throw ExitCode(code) }
  }

  private func context(_ manifest: RunManifest, _ root: String, workers: Int) -> RunContext {
    var context = RunContext()
    context.run = manifest.run
    context.presetName = manifest.presetName
    context.output = root
    context.ledger = folder.path
    context.report = session.run.report ?? manifest.report
    context.byteCount = manifest.totals.byteCount
    context.workerCount = workers
    context.resume = "auricle process --resume " + ShellWord.quoted(folder.output)
    return context
  }

  /// A run that ended has the code of all its files, those of earlier sessions too.
  private func exitCode(_ summary: RunSummary, _ all: RunState) -> Int32 {
    guard case .finished = summary.end, summary.exitCode == 0 else { return summary.exitCode }
    guard all.failedCount > 0 else { return 0 }
    return AuricleError.Category.someFilesFailed.rawValue
  }

  /// The output folder as results are named from here; nil when they take their inputs' places.
  ///
  /// Inputs are named from the folder that the run was begun in, so this process goes there.
  private func outputRoot() throws(AuricleError) -> String? {
    guard !isNew else { return manifest.output }
    let here = URL(fileURLWithPath: folder.output).standardizedFileURL
      .resolvingSymlinksInPath().path
    if FileManager.default.currentDirectoryPath != manifest.workingFolder,
      !FileManager.default.changeCurrentDirectoryPath(manifest.workingFolder)
    {
      throw AuricleError(
        .temporary,
        "the folder \(manifest.workingFolder), from which the run was begun, is not there")
    }
    guard let output = manifest.output else { return nil }
    let there = URL(fileURLWithPath: output).standardizedFileURL.resolvingSymlinksInPath().path
    return here == there ? output : here
  }
}
