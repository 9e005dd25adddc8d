// Runs files that are listed in memory: no folder, so no ledger.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// A run without a ledger.
struct UnrecordedRun {
  let preparation: RunPreparation
  let preset: ChainPreset
  let settings: JobSettings
  let entries: [PlanEntry]
  /// The seed of random values; nil for 0.
  var seed: UInt64?
  /// The only result, as reports name it.
  var shownOutput: String?

  /// Runs the files.
  ///
  /// - Parameter finish: Called when all are done, before that is reported.
  func go(
    in folder: ScratchFolder, finish: (RunSummary) throws(AuricleError) -> Void = { _ in }
  ) throws -> RunOutcome {
    let control = preparation.control
    var options = preparation.options(
      settings, chain: ChainRequest.source(of: preset),
      run: String(UInt32.random(in: 0...(.max)), radix: 36))
    options.existing = preparation.results.existingPolicy
    options.workerCount = min(options.workerCount, max(entries.count, 1))
    options.setup.sandbox.scratchFolder = folder.makeFolder("scratch")
    options.setup.wantsUnits = false
    if preset.hasRandomValues { options.setup.seed = seed ?? 0 }
    let supervisor = try Supervisor(options: options, source: ListedJobs(entries))
    var context = RunContext()
    context.presetName = preparation.presetName
    context.output = shownOutput
    context.byteCount = entries.reduce(0) { $0 + $1.byteCount }
    var inputs = InputAmounts()
    for entry in entries {
      inputs.add(entry.input, byteCount: entry.byteCount, seconds: entry.seconds)
    }
    let reporter = RunReporter(control, fileCount: entries.count, plan: inputs)
    reporter.supervisor = supervisor
    control.onUpdate(
      .began(
        RunStart(
          context: context, fileCount: entries.count, before: nil, meter: reporter.meter)))
    let summary = supervisor.run(shouldStop: control.shouldStop) {
      (event) throws(AuricleError) in reporter.report(event)
    }
    try finish(summary)
    let outcome = RunOutcome(context, summary)
    control.onUpdate(.ended(outcome))
    return outcome
  }
}
