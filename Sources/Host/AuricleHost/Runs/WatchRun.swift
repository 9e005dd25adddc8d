// Watches a folder: finds or begins its run, which continues until it is stopped.
// SPDX-License-Identifier: Apache-2.0

import AudioPictures
import AudioTypes
import Glibc
import HostSystem
import RunLedgers
import Workers

/// Watches a folder.
struct WatchRun {
  private let request: FolderWatchRequest
  private let preparation: RunPreparation
  private var control: RunControl { preparation.control }

  init(_ request: FolderWatchRequest, _ host: HostPlaces, _ control: RunControl) {
    self.request = request
    preparation = RunPreparation(
      host: host, chain: request.chain, results: request.results, work: request.work,
      control: control)
  }

  /// Runs new files; nil when it was stopped while the chain was tried.
  func go() throws -> RunOutcome? {
    let preset = try preparation.readPreset()
    let settings = try request.results.settings(for: preset)
    let root = try places()
    var manifest = try preparation.manifest(preset, settings, inputs: [root.folder])
    var watch = WatchRequest(folder: root.folder)
    watch.settle = request.settleTime
    watch.polls = request.polls
    manifest.watch = watch
    manifest.output = root.output
    if request.work.makesPictures { manifest.pictures = .medium }
    var options = preparation.options(
      settings, chain: ChainRequest.source(of: preset), run: "watch")
    // Problems of the chain are reported now, not when the first file comes.
    guard let trial = try tried(options) else { return nil }
    if let refusal = trial.refusal {
      control.onUpdate(.refused(AuricleError(refusal.category, refusal.text)))
      throw refusal
    }
    let run = try control.refusing { () throws(AuricleError) in
      try openRun(&manifest, trial.units)
    }
    options.run = manifest.run
    // The chain was tried: from here on the preset stays as it was read.
    options.setup.chain = manifest.frozenChain
    options.outputRoot = root.output
    return try follow(run, manifest, options, into: root.output)
  }

  /// Tries the chain; nil when the watch is stopped, which counts as a normal end.
  private func tried(_ options: SupervisorOptions) throws(AuricleError) -> ChainTrial? {
    do throws(AuricleError) {
      return try ChainTrial(options: options, asksFigures: true, shouldStop: control.shouldStop)
    } catch {
      guard error.category == .interrupted else { throw error }
      control.onUpdate(.warning(error))
      return nil
    }
  }

  /// Both folders as absolute paths; neither may contain the other's files.
  private func places() throws(AuricleError) -> (folder: String, output: String) {
    guard let found = FileIdentity.of(request.folder) else {
      throw AuricleError(.noInput, "there is no folder \(request.folder) to watch")
    }
    guard found.kind == .folder else {
      throw AuricleError(.usage, "\(request.folder) is a file: name a folder to watch")
    }
    let (folder, output) = (request.folder, request.output)
    // Checked before it is created: a refusal leaves nothing behind.
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
    guard !request.work.isNewRun, let known = RunFolder.all(in: output).last(where: isSame) else {
      let run = try RunFolder.create(in: output)
      run.removeLeftoversOfOthers()
      manifest.run = run.run
      manifest.units = units
      try run.write(manifest)
      return run
    }
    var before = try known.manifest()
    try known.lock()
    // The policy for existing results may change; waiting files use the new one.
    before.existing = manifest.existing
    if let difference = before.disagreement(with: manifest) ?? before.unitDisagreement(units) {
      throw AuricleError(
        .badData,
        "\(request.folder) was watched before with \(difference) (run \(known.run) in \(output)): give the "
          + "command once with " + RunPreparation.waysOn)
    }
    before.watch = manifest.watch
    before.pictures = manifest.pictures ?? before.pictures
    before.sandbox = manifest.sandbox
    before.limits = manifest.limits
    try known.write(before)
    manifest = before
    return known
  }

  /// Processes pending and new files into the current output folder; the manifest keeps the folder's path
  /// when the run was begun, which early records use.
  private func follow(
    _ run: RunFolder, _ manifest: RunManifest, _ options: SupervisorOptions, into output: String
  ) throws -> RunOutcome {
    var session = try LedgerSession(
      run, manifest, root: output, options: options, control: control)
    // The system sends this signal when a program writes to a file whose lease is held.
    signal(SIGIO, SIG_IGN)
    let source = try WatchSource(
      run, manifest, root: output, state: session.state, isStopping: control.shouldStop)
    let how = source.isNotified ? "" : ", looking every now and then"
    control.onUpdate(
      .message(
        "watching \(request.folder)\(how); Ctrl-C ends it when the files at work are done"))
    var settledCount = session.state.settledCount
    var againCount = 0
    let context = session.context
    let summary = try session.run(source, context, fileCount: nil, shouldStop: { false }) { event in
      guard case .recorded(let record) = event else { return }
      if record.isFinal { settledCount += 1 } else { againCount += 1 }
    }
    // The disk with the ledger may be gone: the rest is counted without it.
    var outcome = RunOutcome(context, summary, try? RunState(run, fileCount: source.fileCount))
    outcome.againCount = againCount
    outcome.waitingCount = max(
      source.fileCount - source.forgottenCount - settledCount - againCount, 0)
    control.onUpdate(.ended(outcome))
    return outcome
  }
}
