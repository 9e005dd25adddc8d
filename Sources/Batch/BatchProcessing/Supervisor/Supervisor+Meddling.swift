// Results that cannot be written though their disk can be: a unit has laid hands on its process.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc

extension Supervisor {
  /// Whether a unit is behind what a worker tells of a result that it could not write. Only from here can
  /// it be seen: in the worker every write may fail because of what a unit did to the open file, or to the
  /// process.
  ///
  /// To be asked as long as the unfinished results are there: without them there might be room again.
  func isMeddling(_ job: Job, _ error: AuricleError, _ body: JSONValue) -> Bool {
    guard !foreignUnits.isEmpty else { return false }
    if body["meddled"]?.boolean == true { return true }
    guard body["kind"]?.text == "output", places.isInPlace else { return false }
    // Written, and not what was written when it was read back.
    if error.message.contains(" frames instead of ") { return true }
    let message = error.message.lowercased()
    guard
      let number = Self.pretended.first(where: {
        message.hasSuffix(": \(Path.reason($0).lowercased())")
      })
    else { return false }
    let isOfRoom = [ENOSPC, EDQUOT].contains(number)
    return job.parts.allSatisfy { part in
      WriteTrial.succeeds(isOfRoom: isOfRoom) { () throws(AuricleError) in
        try part.folder.makeNamelessFile(run: options.run)
      }
    } && scratchCanBeWritten(isOfRoom: isOfRoom)
  }

  /// What writes fail with that a unit can bring about: those of a broken, full or protected disk, and
  /// of files with other flags than they were opened with.
  private static let pretended = [EIO, ENOSPC, EDQUOT, EROFS, EPERM, EINVAL]

  /// The same for what encoders put aside, which may lie on another disk.
  private func scratchCanBeWritten(isOfRoom: Bool) -> Bool {
    guard let scratch = options.setup.sandbox.scratchFolder else { return true }
    return WriteTrial.succeeds(isOfRoom: isOfRoom) { () throws(AuricleError) in
      try NamelessFile.make(in: scratch)
    }
  }

  /// A unit meddled with what its worker writes: one more attempt in a fresh one, as for other deeds.
  func meddles(_ job: Job, _ error: AuricleError, of worker: WorkerProcess) {
    let suspects = foreignUnits
    let deed = "a unit meddled with the files of the process it works in"
    var text = error.message.hasPrefix(deed) ? error.message : "\(deed): \(error.message)"
    let names = suspects.joined(separator: " or ")
    if suspects.count > 1 { text += "; it is \(names)" }
    var record = failure(of: job.entry, AuricleError(.software, text), .unit)
    record.attempts = job.attempts
    record.blame = FileRecord.Blame(unit: names, phase: "render")
    judge(job, record, suspects: suspects)
    // What it did to the worker is not known.
    retire(worker)
  }
}
