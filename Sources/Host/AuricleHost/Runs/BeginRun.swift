// A run of many files from its request on: checked, planned, or found unfinished and gone on with.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import ChainPresets
import Foundation
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

  /// Runs the files, or goes on with the same run where it was cut off.
  func go() throws -> RunOutcome {
    let (preset, manifest) = try prepare()
    if let unfinished = try control.refusing({ () throws(AuricleError) in
      try unfinishedRun(manifest)
    }) {
      return try resume(unfinished)
    }
    let (folder, planned) = try control.refusing { () throws(AuricleError) in
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

  /// What the run would do.
  func dryRun() throws -> DryRunResult {
    let (preset, manifest) = try prepare()
    var planRequest = try RunPlanning(control: control, report: request.report).request(manifest)
    planRequest.report = request.report
    let options = preparation.options(
      manifest.settings, chain: ChainRequest.source(of: preset), run: "dry")
    return try DryRunResult(planRequest, options, root: request.output, control)
  }

  /// Reads the preset and checks what goes together; nothing is written.
  private func prepare() throws -> (ChainPreset, RunManifest) {
    if let report = request.report { try ReportPlace.check(report, output: request.output) }
    let preset = try preparation.readPreset()
    if let report = request.report {
      try ReportPlace.checkReplacing(
        report, request.inputs + [request.list, preset.source?.name])
    }
    var settings = try request.results.settings(for: preset)
    try settings.refuse(request.rawInput, severalResults: request.destination == .inPlace)
    // A page shows how loud files are.
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
        throw AuricleError(.usage, "--in-place gives one result: leave --variants out")
      }
    }
    return (preset, manifest)
  }

  /// Goes on with a run that is this very one.
  private func resume(_ folder: RunFolder) throws -> RunOutcome {
    var resumed = ResumeRequest(folder: folder.output)
    resumed.work = request.work
    resumed.report = request.report
    return try ResumeRun(resumed, preparation.host, control).go(on: folder)
  }

  /// A run in the output folder that is not finished, if it is this very one.
  private func unfinishedRun(_ manifest: RunManifest) throws(AuricleError) -> RunFolder? {
    guard !request.work.isNewRun, let last = RunFolder.all(in: ledgerFolder).last,
      let before = try? last.manifest(), before.watch == nil
    else { return nil }
    // Looked at in this order: what another process still writes is no end.
    let isInUse = last.isInUse
    let state = try RunState(last, fileCount: before.totals.fileCount)
    let difference = before.disagreement(with: manifest)
    // One that was cut off before it began, or came to its end and gave nothing because its settings
    // were wrong, is of no use to another.
    let gaveNothing = state.settledCount == 0 && state.lastEnd == "finished" && !isInUse
    if difference != nil, !before.isPlanned || gaveNothing { return nil }
    guard state.settledCount < before.totals.fileCount || !before.isPlanned else { return nil }
    guard let difference else {
      control.onUpdate(.message("going on with the unfinished run \(last.run)"))
      return last
    }
    // Told in the words of a run that is resumed meanwhile.
    if isInUse {
      try last.takeLock()
      // It has ended while it was looked at: what it left is another thing now.
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

  /// Where the ledger is: in the output folder, or in the one folder that is changed in place.
  private var ledgerFolder: String {
    if let output = request.output { return output }
    var isFolder: ObjCBool = false
    if let first = request.inputs.first, request.inputs.count == 1,
      unsafe FileManager.default.fileExists(atPath: first, isDirectory: &isFolder),
      isFolder.boolValue
    {
      return first
    }
    return "."
  }
}

extension JobSettings {
  /// Puts what is said of inputs in; refuses several results for one place.
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
