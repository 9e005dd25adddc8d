// A run in parts: the checks before it is planned, and one part of it done; for modules above.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import ResultSettings
package import RunLedgers
import Workers

extension AuricleInstallation {
  /// Reads the preset and checks a request, and has a worker make the chain; writes nothing.
  ///
  /// - Returns: The manifest of a run with its units and files, and the request for its plan.
  /// - Throws: As `run`.
  ///
  /// Context: control.
  package func prepare(
    _ request: RunRequest, control: RunControl
  ) throws -> (manifest: RunManifest, plan: PlanRequest) {
    let begin = BeginRun(request, host, control)
    var (preset, manifest) = try begin.prepare()
    let options = begin.preparation.options(
      manifest.settings, chain: ChainRequest.source(of: preset), run: "plan")
    let trial = try ChainTrial(options: options, shouldStop: control.shouldStop)
    if let refusal = trial.refusal { throw refusal }
    (manifest.units, manifest.sideFiles) = (trial.units, trial.sideFiles)
    var plan = try RunPlanning(control: control, report: nil).request(manifest)
    plan.readsLengths = manifest.settings.rawInput == nil
    return (manifest, plan)
  }

  /// Does the pending files of a part of a run.
  ///
  /// - Parameters:
  ///   - folder: The folder of the part.
  ///   - manifest: The manifest of its run, with the figures of the part's plan.
  /// - Throws: As `run`.
  ///
  /// Context: control; returns when the part is done or was asked to stop.
  package func run(
    part folder: RunFolder, _ manifest: RunManifest, work: WorkRequest, control: RunControl
  ) throws -> RunOutcome {
    try LedgerRun(
      host: host, work: work, report: nil, folder: folder, manifest: manifest,
      chain: manifest.frozenChain, isNew: false, control: control
    ).go()
  }
}
