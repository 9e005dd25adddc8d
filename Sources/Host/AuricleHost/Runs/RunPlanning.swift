// The plan of a run with a ledger.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// Makes plans; can be interrupted.
struct RunPlanning {
  let control: RunControl
  /// The path of the report, which must not be one of the inputs.
  let report: String?

  /// Makes the plan of a run that has none; a run whose plan is refused is removed.
  func plan(
    _ folder: RunFolder, _ manifest: RunManifest, isNew: Bool = true
  ) throws(AuricleError) -> RunManifest {
    var manifest = manifest
    do throws(AuricleError) {
      // A list from a pipe cannot be read twice: a run cut off here is removed.
      if manifest.list != "-" { try folder.write(manifest) }
      manifest.inputFolders = manifest.inputs.compactMap(InputFolder.init(path:))
      var request = try request(manifest)
      request.readsLengths = manifest.settings.rawInput == nil
      let plan = try folder.plan(request, outputRoot: manifest.output)
      if let report { try ReportPlace.checkContent(report) }
      manifest.totals = plan.totals
      manifest.planChecksum = plan.checksum
      try folder.write(manifest)
    } catch {
      // A run to be resumed stays as it was.
      if isNew || error.category != .interrupted { folder.discard() }
      throw error
    }
    return manifest
  }

  /// The request for the plan.
  func request(_ manifest: RunManifest) throws(AuricleError) -> PlanRequest {
    var request = try manifest.planRequest()
    request.shouldStop = control.shouldStop
    request.report = report
    return request
  }

  /// Whether a report is a page, which shows loudness and pictures.
  static func reportsPage(_ report: String?) -> Bool {
    report.flatMap(ReportFormat.init(path:)) == .html
  }
}
