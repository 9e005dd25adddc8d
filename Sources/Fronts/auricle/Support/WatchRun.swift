// A folder that is watched: its run is found again or begun, and goes on until it is told to end.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioPictures
import AudioTypes
import BatchProcessing
import Foundation

/// Watches a folder.
struct WatchRun {
  let session: BatchSession
  let folder: String
  let settle: Double
  let polls: Bool

  func go() throws {
    Interruption.install()
    let preset = try session.readPreset()
    let settings = try session.output.settings(for: preset)
    let root = try places()
    var manifest = try session.newManifest(preset, settings)
    var watch = WatchRequest(folder: root.folder)
    watch.settle = settle
    watch.polls = polls
    manifest.watch = watch
    manifest.inputs = [root.folder]
    manifest.output = root.output
    if session.work.pictures { manifest.pictures = .medium }
    var options = session.options(
      settings, chain: session.chain.source(of: preset), run: "watch")
    manifest.sandbox = options.setup.sandbox
    manifest.limits = options.limits
    // What is wrong with the chain is told now, not when the first file comes.
    guard let trial = try tried(options) else { return }
    if let refusal = trial.refusal {
      _ = session.refused(AuricleError(refusal.category, refusal.text))
      StandardStreams.writeMessage(refusal.text)
      throw ExitCode(refusal.category.rawValue)
    }
    let run: RunFolder
    do throws(AuricleError) { run = try openRun(&manifest, trial.units) } catch {
      throw session.refused(error)
    }
    options.run = manifest.run
    try follow(run, manifest, options, into: root.output)
  }

  /// Tries the chain; nil when the watch is told to end, which is a good end at whatever point.
  private func tried(_ options: SupervisorOptions) throws(AuricleError) -> ChainTrial? {
    do throws(AuricleError) {
      return try ChainTrial(options: options, asksFigures: true) { Interruption.isRequested }
    } catch {
      guard error.category == .interrupted else { throw error }
      StandardStreams.writeMessage(error.message)
      return nil
    }
  }

  /// Both folders as paths from the root; neither may hold what belongs to the other.
  private func places() throws(AuricleError) -> (folder: String, output: String) {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw AuricleError(.noInput, "there is no folder \(folder) to watch")
    }
    guard isFolder.boolValue else {
      throw AuricleError(.usage, "\(folder) is a file: name a folder to watch")
    }
    let output = session.output.output ?? ""
    // Before it is made: a refusal leaves nothing behind.
    let (here, there) = (FolderMaker.realPath(folder), FolderMaker.realPath(output))
    if here == there || there.hasPrefix(here == "/" ? here : here + "/") {
      throw AuricleError(
        .usage,
        "the output folder \(output) lies in the watched folder \(folder), which would take its own "
          + "results: choose another --output")
    }
    if here.hasPrefix(there == "/" ? there : there + "/") {
      throw AuricleError(
        .usage,
        "the watched folder \(folder) lies in the output folder \(output), where results could come "
          + "into it: choose another --output")
    }
    try FolderMaker.make(there)
    return (here, there)
  }

  /// The run that watches this folder already, or a new one.
  private func openRun(
    _ manifest: inout RunManifest, _ units: [UnitIdentity]
  ) throws(AuricleError) -> RunFolder {
    let output = manifest.output ?? "."
    let isSame: (RunFolder) -> Bool = { [folder = manifest.watch?.folder] run in
      run.watch?.folder == folder
    }
    guard !session.work.newRun, let known = RunFolder.all(in: output).last(where: isSame) else {
      let run = try RunFolder.create(in: output)
      run.removeLeftoversOfOthers()
      manifest.run = run.run
      manifest.units = units
      try run.write(manifest)
      return run
    }
    var before = try known.manifest()
    try known.takeLock()
    // What is to become of results that are there may be said anew: what waits is done so.
    before.existing = manifest.existing
    if let difference = before.disagreement(with: manifest) ?? before.unitDisagreement(units) {
      throw AuricleError(
        .badData,
        "\(folder) was watched before with \(difference) (run \(known.run) in \(output)): give the "
          + "command once with " + BatchSession.waysOn)
    }
    before.watch = manifest.watch
    before.pictures = manifest.pictures ?? before.pictures
    before.sandbox = manifest.sandbox
    before.limits = manifest.limits
    try known.write(before)
    manifest = before
    return known
  }

  /// Does what is left and what comes, into the output folder as it is called now: the manifest has
  /// the name that it had when the run was begun, by which records of that time are known.
  private func follow(
    _ run: RunFolder, _ known: RunManifest, _ base: SupervisorOptions, into output: String
  ) throws {
    var manifest = known
    // Places in the plan that are not known yet are not settled.
    var state = try RunState(run, fileCount: manifest.totals.fileCount)
    let before = state
    let journal = try run.beginLedger()
    let locate = try state.locator(manifest, of: run, in: output)
    let found = try state.confirm(in: journal, locate: locate)
    var options = base
    // The chain was tried: from here on the preset is what it was, whatever becomes of its file.
    options.setup.chain = manifest.frozenChain
    options.setup.seed = manifest.seed
    options.setup.sandbox.scratchFolder = try run.openScratch()
    defer { run.closeScratch() }
    options.setup.pictures = manifest.pictures
    if manifest.pictures != nil { options.pictureBook = try run.beginPictures() }
    options.outputRoot = output
    options.existing = manifest.existing
    options.inputFolders = manifest.inputs
    options.findings = before.findings
    let settled = state
    // Whoever writes to a file that is just being looked at makes the system send this.
    signal(SIGIO, SIG_IGN)
    let source = try WatchSource(
      run, manifest, root: output, state: settled, isStopping: { Interruption.isRequested })
    let supervisor = try Supervisor(options: options, source: source, journal: journal)
    var context = RunContext()
    context.run = manifest.run
    context.presetName = manifest.presetName
    context.output = output
    context.ledger = run.path
    context.workerCount = options.workerCount
    var report = ProcessReport(
      context, fileCount: nil, alreadyDone: before, format: session.format,
      isQuiet: session.isQuiet)
    report.keepsOrder = false
    report.supervisor = supervisor
    report.begin()
    if !session.isQuiet {
      let how = source.isTold ? "" : ", looking every now and then"
      StandardStreams.writeMessage(
        "watching \(TerminalText.plain(folder))\(how); Ctrl-C ends it when the files at work are done"
      )
    }
    for record in found { report.handle(.recorded(record)) }
    var settledCount = settled.settledCount
    let summary = supervisor.run(shouldStop: { false }) { (event) throws(AuricleError) in
      if case .sideFiles(let found) = event {
        if let difference = manifest.sideFileDisagreement(found) {
          throw BatchSession.disagreement(run, difference, watching: true)
        }
        if manifest.sideFiles == nil {
          manifest.sideFiles = found
          try run.write(manifest)
        }
      }
      if case .units(let units) = event, let difference = manifest.unitDisagreement(units) {
        throw BatchSession.disagreement(run, difference, watching: true)
      }
      if case .recorded(let record) = event {
        if record.isFinal { settledCount += 1 } else { report.againCount += 1 }
      }
      report.handle(event)
    }
    // The disk with the ledger may be what went away: what is left is counted without it.
    report.waitingCount = max(
      source.fileCount - source.forgottenCount - settledCount - report.againCount, 0)
    let all = try? RunState(run, fileCount: source.fileCount)
    report.finish(summary, all)
    if summary.exitCode != 0 { throw ExitCode(summary.exitCode) }
  }
}
