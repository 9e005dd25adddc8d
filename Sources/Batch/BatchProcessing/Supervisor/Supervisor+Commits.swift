// What the committer made of results.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc

extension Supervisor {
  /// Takes note of what was committed, and of what could not be.
  func takeOutcomes() {
    for outcome in committer.takeOutcomes() {
      if let record = outcome.record {
        uncommitted -= 1
        if record.status == .done { committing.remove(record) }
      }
      if let (number, step) = outcome.failure {
        commitFails(outcome.record, number, step)
      } else if let record = outcome.record {
        summary.add(record)
        tell(.recorded(record))
      }
    }
  }

  private func commitFails(_ record: FileRecord?, _ number: Int32, _ step: String) {
    if step == "ledger" {
      let reason =
        number == LedgerWriter.lost
        ? "it was removed while the run went on; what is done has its name, so give the whole command "
          + "again with --new-run --on-exists skip" : Path.reason(number)
      stop(
        AuricleError(.temporary, "the run cannot be accounted for in its ledger: \(reason)"))
      return
    }
    guard let record else { return }
    var entry = PlanEntry(
      index: record.index, input: record.input, output: planned(record.output))
    entry.byteCount = record.inputByteCount
    entry.variant = record.variant
    if number == EEXIST, let suffix = options.backupSuffix {
      let error = AuricleError(
        .inputOutput,
        "the original of \(record.output) cannot be kept: \(record.output + suffix) is there already and "
          + "is another file; \(record.output) may have been done before: see which is the original, "
          + "and move what stands in the way")
      self.record(failure(of: entry, error, .output))
      return
    }
    if number == EEXIST {
      self.record(alreadyThere(entry, entry.output))
      return
    }
    if number == PartFile.lost {
      let error = AuricleError(
        .inputOutput,
        "the unfinished file of \(record.output) was taken away or replaced by another program: keep "
          + "it out of the folder and resume the run")
      self.record(failure(of: entry, error, .output))
      return
    }
    if number == PartFile.changed {
      let error = AuricleError(
        .inputOutput,
        "\(record.output) was changed after it was done, as by a unit that keeps what is not its own, "
          + "and was not kept: resume the run")
      self.record(failure(of: entry, error, .output))
      return
    }
    let error = systemError(number, step, record.output)
    // A result whose name may not last is no failure of the file: the ledger has announced it, and a
    // resumed run looks whether it is there.
    if error.category == .temporary || step == Committer.folderStep || !places.isInPlace {
      stop(AuricleError(.temporary, status: error.status, error.message))
      return
    }
    self.record(failure(of: entry, error, .output))
  }
}
