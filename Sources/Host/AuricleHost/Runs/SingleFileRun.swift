// Runs one file, which may be standard input or output; no folder, so no ledger.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import Foundation
import Glibc
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// Runs one file.
struct SingleFileRun {
  private let request: SingleFileRequest
  private let preparation: RunPreparation
  private var control: RunControl { preparation.control }

  init(_ request: SingleFileRequest, _ host: HostPlaces, _ control: RunControl) {
    self.request = request
    preparation = RunPreparation(
      host: host, chain: request.chain, results: request.results, work: request.work,
      control: control)
  }

  /// Runs the file.
  func go() throws -> RunOutcome {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    let (preset, settings, entry) = try prepare(folder)
    var run = UnrecordedRun(
      preparation: preparation, preset: preset, settings: settings, entries: [entry])
    run.seed = request.seed
    if case .file = request.output { run.shownOutput = entry.output }
    return try run.go(in: folder) { summary throws(AuricleError) in
      guard case .descriptor(let target) = request.output, summary.count(.done) == 1 else { return }
      try deliver(entry.output, to: target)
    }
  }

  /// Finds out the planned result; writes nothing.
  func dryRun() throws -> PlanEntry {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    return try prepare(folder).entry
  }

  /// Reads the preset and plans the file like a named one: its result's place is checked in the same way.
  private func prepare(
    _ folder: ScratchFolder
  ) throws -> (preset: ChainPreset, settings: JobSettings, entry: PlanEntry) {
    let preset = try preparation.readPreset()
    var file: String?
    if case .file(let path) = request.output { file = path }
    var settings = try request.results.settings(for: preset, file: file)
    try settings.refuse(request.rawInput, severalResults: true)
    try preset.refuse(variantCount: request.variantCount, seed: request.seed)
    var input = folder.path + "/input"
    switch request.input {
    case .file(let path): input = path
    case .descriptor(let source):
      try folder.spool(source, to: input, shouldStop: control.shouldStop)
    }
    var planned = PlanRequest(
      inputs: [input], destination: .file(file ?? folder.path + "/result"))
    planned.existing = request.results.existingPolicy
    planned.isRecursive = request.work.isRecursive
    planned.acceptsSongs = settings.song != nil
    planned.readsLengths = request.rawInput == nil
    planned.shouldStop = control.shouldStop
    let plan = try preparation.planning(preset, settings) { () throws(AuricleError) in
      try BatchPlan(planned)
    }
    guard var entry = plan.entries.first else {
      throw AuricleError(.noInput, "there is no input file: name one")
    }
    if case .descriptor = request.input {
      entry.input = "standard input"
      entry.opens = input
    }
    if file == nil {
      entry.output = folder.path + "/result"
      entry.showsOutput = "standard output"
    }
    if preset.hasRandomValues {
      entry.variant = 1
      entry.key = (entry.input as NSString).lastPathComponent
    }
    return (preset, settings, entry)
  }

  /// Copies a result to a pipe.
  private func deliver(_ path: String, to target: Int32) throws(AuricleError) {
    switch ScratchFolder.copy(path, to: target) {
    case 0: return
    case EPIPE:
      throw AuricleError(
        .inputOutput, "standard output was closed before the end of the sound")
    case let failure:
      let reason = unsafe String(cString: strerror(failure))
      throw AuricleError(.inputOutput, "cannot write the sound to standard output: \(reason)")
    }
  }
}
