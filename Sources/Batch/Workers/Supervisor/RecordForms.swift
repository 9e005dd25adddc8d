// Records of files without a result: failed, skipped, changed.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem
import RunLedgers

/// Makes records from entries of the plan.
struct RecordForms {
  private let outputRoot: String?
  private let existing: ExistingPolicy
  /// Whether the run is a watch.
  private let isWatch: Bool

  init(_ options: SupervisorOptions, isWatch: Bool) {
    outputRoot = options.outputRoot
    existing = options.existing
    self.isWatch = isWatch
  }

  /// The path of a result as displayed.
  func shown(_ entry: PlanEntry, _ output: String? = nil) -> String {
    if let text = entry.showsOutput { return text }
    let output = output ?? entry.output
    // An entry that cannot be read has no result.
    if output.isEmpty { return "" }
    return outputRoot.map { Path.joining($0, output) } ?? output
  }

  /// The path of a result in the plan, from that in a record.
  func planned(_ output: String) -> String {
    outputRoot.flatMap { Path.below($0, output) } ?? output
  }

  /// The entry of a record.
  func entry(of record: FileRecord) -> PlanEntry {
    var entry = PlanEntry(
      index: record.index, input: record.input, output: planned(record.output))
    entry.byteCount = record.inputByteCount
    entry.seconds = record.inputSeconds
    entry.variant = record.variant
    entry.fields = record.fields
    return entry
  }

  /// An empty record of an entry.
  func blank(_ entry: PlanEntry, _ status: FileRecord.Status) -> FileRecord {
    var record = FileRecord(
      index: entry.index, status: status, input: entry.input, output: shown(entry))
    record.inputByteCount = entry.byteCount
    record.inputSeconds = entry.seconds
    record.variant = entry.variant
    record.fields = entry.fields
    return record
  }

  /// The record of a failed file.
  func failure(
    of entry: PlanEntry, _ error: AuricleError, _ origin: FileRecord.Origin, attempts: Int = 1
  ) -> FileRecord {
    var record = blank(entry, .failed)
    record.error = error
    record.origin = origin
    record.attempts = attempts
    return record
  }

  /// The record of a file whose result exists and is not to be replaced.
  func alreadyThere(_ entry: PlanEntry, _ output: String) -> FileRecord {
    if existing == .skip { return blank(entry, .skipped) }
    return failure(
      of: entry,
      AuricleError(
        .inputOutput,
        "\(shown(entry, output)) is there already and is not overwritten"
          // A plan stays as it is; a watch may be repeated with other options.
          + (isWatch
            ? ": move it away, or repeat the watch with --on-exists overwrite"
            : " (it was not when the run was planned): move it away and resume the run")),
      .output)
  }

  /// The record of an input that was changed while it was read.
  func changed(_ entry: PlanEntry, attempts: Int) -> FileRecord {
    failure(
      of: entry,
      AuricleError(
        .temporary,
        "\(entry.input) changed while it was read: run the command again when the file is complete"),
      .output, attempts: attempts)
  }
}

extension AuricleError {
  /// The error that a disk is gone.
  func gone(_ what: String) -> AuricleError {
    AuricleError(
      .temporary, status: status,
      category == .temporary ? message : "\(what) no longer exists (\(message))", cause: cause)
  }
}
