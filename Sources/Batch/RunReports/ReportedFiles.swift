// The files of a run for a report: in the order of the plan, with current paths.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import RunLedgers
import Workers

/// The files of a run for a report.
struct ReportedFiles {
  let folder: RunFolder
  let manifest: RunManifest
  /// The current path of the output folder.
  let root: String
  /// Called before every file; true stops.
  let shouldStop: () -> Bool

  /// Hands over every file of the run, in the order of its plan, with its results where they are now.
  ///
  /// - Parameter failuresFirst: Whether files that failed come before all others.
  func forEach(
    failuresFirst: Bool = false, _ body: (ReportedFile) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let records = try RunRecords(folder, fileCount: manifest.totals.fileCount)
    for wantsFailures in failuresFirst ? [true, false] : [nil] {
      try records.forEach { (file) throws(AuricleError) in
        try checkStop(at: file.entry.index)
        guard wantsFailures == nil || wantsFailures == file.hasFailed else { return }
        var file = file
        file.record = file.record.map { manifest.located($0, as: file.entry, in: root) }
        file.entry = manifest.located(file.entry, in: root)
        try body(file)
      }
    }
  }

  private func checkStop(at index: Int) throws(AuricleError) {
    guard shouldStop() else { return }
    throw AuricleError(
      .interrupted,
      "interrupted after \(index) of \(manifest.totals.fileCount) files: the report is not whole; "
        + "give the command again")
  }
}

extension ReportedFile {
  /// Whether it failed or was set aside.
  var hasFailed: Bool { record?.status == .failed || record?.status == .quarantined }
}
