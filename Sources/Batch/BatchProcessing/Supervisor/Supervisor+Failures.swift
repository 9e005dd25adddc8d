// What follows when a unit fails: another attempt, a file that is set aside, or the end of the run.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

extension Supervisor {
  /// A unit gave an error: refused to be made, or failed while it rendered.
  func unitFails(
    _ job: Job, _ error: AuricleError, _ body: JSONValue, of worker: WorkerProcess
  ) {
    var record = failure(of: job.entry, error, .unit)
    record.attempts = job.attempts
    let phase = body["phase"]?.text ?? ""
    if let number = body["unit"]?.integer.flatMap({ Int32(exactly: $0) }),
      let unit = worker.unitName(number)
    {
      record.blame = FileRecord.Blame(unit: unit, phase: phase)
    }
    guard phase == "render" else { return refuse(job, record, error, of: worker) }
    judge(job, record)
    // What it did to the worker's memory is not known.
    retire(worker)
  }

  /// A unit said no, in order. A worker that made no chain before would hear the same again; in another
  /// the unit may say so because of what it did before.
  private func refuse(
    _ job: Job, _ record: FileRecord, _ error: AuricleError, of worker: WorkerProcess
  ) {
    let isFresh = worker.doneCount == 1 && worker.formats.count <= 1
    guard isFresh || job.refusingUnit != nil || refusals.contains(error.message) else {
      job.refusingUnit = record.blame?.unit ?? "a unit"
      job.attempts -= 1
      retries.append(job)
      retire(worker)
      return
    }
    if refusals.count < Self.mostRefusals { refusals.insert(error.message) }
    if let refusal = WorkerRefusal(binaryOf: error) {
      // No fault of a file: all are left for a session that can load it.
      takeBack(job)
      if end == nil { end = .refused(refusal) }
      return
    }
    self.record(record)
    if let unit = record.blame?.unit { countFailure(of: [unit]) }
  }

  /// How many sentences of units that refuse are remembered.
  private static let mostRefusals = 1000

  /// So often a file may have its worker killed from outside before that counts as a failure.
  private static let mostKills = 6

  /// One more attempt, or none.
  ///
  /// - Parameter suspects: The units of which one is to blame, where it is not known which.
  func judge(_ job: Job, _ failure: FileRecord, suspects: [String] = []) {
    var failure = failure
    // An end from outside says little about the file.
    guard job.attempts - min(job.killCount, Self.mostKills) > 1 else {
      retries.append(job)
      tell(.retried(failure))
      return
    }
    if failure.blame != nil { failure.status = .quarantined }
    record(failure)
    guard let unit = failure.blame?.unit else { return }
    countFailure(of: suspects.isEmpty ? [unit] : suspects)
  }

  /// One of some units cost one more file; too many without one that goes well end the run.
  private func countFailure(of units: [String]) {
    if let unit = breaker.fails(units), end == nil { end = .breaker(unit: unit) }
  }
}
