// Begins a run of many files: checks and plans it, or resumes an unfinished one.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import ChainPresets
import HostSystem
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// Begins a run.
struct BeginRun {
  let request: RunRequest
  let preparation: RunPreparation
  private var control: RunControl { preparation.control }

  init(_ request: RunRequest, _ host: HostPlaces, _ control: RunControl) {
    self.request = request
    preparation = RunPreparation(
      host: host, chain: request.chain, results: request.results, work: request.work,
      control: control)
  }

  /// Runs the files, or resumes the same run if it was cut off.
  func go() throws -> RunOutcome {
    let (preset, manifest) = try prepare()
    if let unfinished = try control.refusing({ () throws(AuricleError) in
      try unfinishedRun(manifest)
    }) {
      return try resume(unfinished)
    }
    let (folder, planned) = try preparation.planning(preset, manifest.settings) {
      () throws(AuricleError) in
      let folder = try RunFolder.create(in: ledgerFolder, isAlone: !request.work.isNewRun)
      var manifest = manifest
      manifest.run = folder.run
      manifest = try RunPlanning(control: control, report: request.report).plan(folder, manifest)
      return (folder, manifest)
    }
    return try LedgerRun(
      host: preparation.host, work: request.work, report: request.report, folder: folder,
      manifest: planned, chain: ChainRequest.source(of: preset), isNew: true, control: control
    ).go()
  }

  /// Finds out the planned results of the run.
  func dryRun() throws -> DryRunResult {
    let (preset, manifest) = try prepare()
    var planRequest = try RunPlanning(control: control, report: request.report).request(manifest)
    planRequest.report = request.report
    let options = preparation.options(
      manifest.settings, chain: ChainRequest.source(of: preset), run: "dry")
    let result = try DryRunResult(planRequest, options, root: request.output, control)
    if let report = request.report { try ReportPlace.checkContent(report) }
    return result
  }

  /// Reads the preset and checks the request; writes nothing.
  func prepare() throws -> (ChainPreset, RunManifest) {
    if let report = request.report { try ReportPlace.check(report, output: request.output) }
    let preset = try preparation.readPreset()
    if let report = request.report {
      try ReportPlace.checkReplacing(
        report, request.inputs + [request.list, preset.source?.name])
    }
    var settings = try request.results.settings(for: preset)
    try settings.refuse(request.rawInput, severalResults: request.destination == .inPlace)
    // A web page shows loudness.
    if RunPlanning.reportsPage(request.report) { settings.measuresLoudness = true }
    try preset.refuse(variantCount: request.variantCount, seed: request.seed)
    var manifest = try preparation.manifest(
      preset, settings, inputs: request.inputs, variantCount: request.variantCount,
      seed: request.seed)
    manifest.list = request.list
    manifest.output = request.output
    if request.destination == .inPlace {
      manifest.backupSuffix = ".bak"
      if manifest.variantCount > 1 {
        throw AuricleError(.usage, "--in-place makes one result: leave --variants out")
      }
    }
    return (preset, manifest)
  }

  /// Resumes a run that is the same.
  private func resume(_ folder: RunFolder) throws -> RunOutcome {
    var resumed = ResumeRequest(folder: folder.output)
    resumed.work = request.work
    resumed.report = request.report
    return try ResumeRun(resumed, preparation.host, control).go(on: folder)
  }

  /// The unfinished run of the output folder, if it is the same.
  private func unfinishedRun(_ manifest: RunManifest) throws(AuricleError) -> RunFolder? {
    guard !request.work.isNewRun, let last = RunFolder.all(in: ledgerFolder).last,
      let before = try? last.manifest(), before.watch == nil
    else { return nil }
    // Read in this order: a ledger that another process still writes has no end.
    let isInUse = last.isInUse
    let state = try RunState(last, fileCount: before.totals.fileCount)
    let difference = before.disagreement(with: manifest)
    // A run that was cut off before it began, or finished without results because its settings were wrong, is
    // not resumed.
    let hadNoResult = state.settledCount == 0 && state.lastEnd == "finished" && !isInUse
    if difference != nil, !before.isPlanned || hadNoResult { return nil }
    guard state.settledCount < before.totals.fileCount || !before.isPlanned else { return nil }
    guard let difference else {
      control.onUpdate(.message("going on with the unfinished run \(last.run)"))
      return last
    }
    // Reported like a run that another process has resumed.
    if isInUse {
      try last.lock()
      // It has ended meanwhile: its state has changed.
      throw AuricleError(
        .temporary,
        "another auricle was at work on the run \(last.run) in \(last.output) and has just ended: "
          + "give the command again")
    }
    throw AuricleError(
      .badData,
      "\(last.output) holds an unfinished run (\(last.run), \(state.settledCount) of "
        + "\(before.totals.fileCount) files) with \(difference): finish it with --resume "
        + "\(last.output); or leave it, with " + RunPreparation.waysOn)
  }

  /// The folder of the ledger: the output folder, or the single folder that is changed in place.
  private var ledgerFolder: String {
    if let output = request.output { return output }
    if let first = request.inputs.first, request.inputs.count == 1,
      FileIdentity.of(first)?.kind == .folder
    {
      return first
    }
    return "."
  }
}

extension JobSettings {
  /// Adds the settings for inputs in place; refuses several results for one place.
  mutating func refuse(
    _ rawInput: AudioFileFormat?, severalResults: Bool
  ) throws(AuricleError) {
    self.rawInput = rawInput
    guard deliverables.count > 1, severalResults else { return }
    throw AuricleError(
      .usage,
      "the preset gives \(deliverables.count) files for each input: name a folder for them with "
        + "--output")
  }
}

extension ChainPreset {
  /// Refuses variants that would all be the same.
  func refuse(variantCount: Int?, seed: UInt64?) throws(AuricleError) {
    guard !hasRandomValues, variantCount != nil || seed != nil else { return }
    throw AuricleError(
      .usage,
      "the preset has no random values, so all variants would be the same: write "
        + "{random: [LOW, HIGH]} or {choose: [A, B]} for a parameter, or leave "
        + "\(variantCount != nil ? "--variants" : "--seed") out")
  }
}
