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

  /// Calls `body` with every file of the run, in the order of its plan, with current paths of results.
  func forEach(_ body: (ReportedFile) throws(AuricleError) -> Void) throws(AuricleError) {
    let fileCount = manifest.totals.fileCount
    try RunRecords(folder, fileCount: fileCount).forEach { (file) throws(AuricleError) in
      if shouldStop() {
        throw AuricleError(
          .interrupted,
          "interrupted after \(file.entry.index) of \(fileCount) files: the report is not whole; "
            + "give the command again")
      }
      var file = file
      file.record = file.record.map { manifest.located($0, as: file.entry, in: root) }
      file.entry = manifest.located(file.entry, in: root)
      try body(file)
    }
  }
}
