// A run read from the ledger of an output folder: its state, its files, its report.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import RunLedgers
public import RunReports
import Workers

/// A run in an output folder, as recorded: finished, cut off, or running.
public struct RecordedRun {
  private let folder: RunFolder
  private let overview: RunOverview

  /// Opens the ledger of a run.
  ///
  /// - Parameters:
  ///   - folder: The output folder.
  ///   - run: The run's name; nil for the latest.
  /// - Throws: When there is no run, or when its ledger cannot be read.
  ///
  /// Context: control.
  public init(in folder: String, run: String? = nil) throws(AuricleError) {
    self.folder = try RunFolder.find(in: folder, run: run)
    overview = try RunOverview(self.folder)
  }

  /// `running`, `watching`, `finished`, `interrupted`, `breaker`, `stopped`, or `unfinished` when it was
  /// cut off.
  public var stateName: String { overview.word }

  /// The number of its files.
  public var fileCount: Int { overview.fileCount }

  /// Files by status.
  public var counts: [FileRecord.Status: Int] { overview.state.counts }

  /// Failures by reason.
  public var failures: [(reason: String, count: Int)] { overview.failures }

  /// Calls `body` with the record of every file in the order of the plan; nil for a pending one.
  ///
  /// - Throws: Errors of `body`, or when the ledger cannot be read.
  ///
  /// Context: control.
  public func forEachFile(
    _ body: (PlanEntry, FileRecord?) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let manifest = overview.manifest
    try RunRecords(folder, fileCount: manifest.totals.fileCount).forEach {
      (file) throws(AuricleError) in
      try body(
        manifest.located(file.entry, in: overview.output),
        file.record.map { manifest.located($0, as: file.entry, in: overview.output) })
    }
  }

  /// Writes the report in pieces.
  ///
  /// - Throws: When the ledger cannot be read.
  ///
  /// Context: control.
  public func writeReport(as format: ReportFormat, to write: (String) -> Void) throws {
    try RunReport.write(folder, overview, as: format, to: write)
  }
}
