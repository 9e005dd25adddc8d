// Which units can have ended a worker while it ran other code, and the record of its end.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import PlugInGuard
import RunLedgers

extension BlameJudge {
  /// Judges the end of a worker for the file that it is blamed on.
  mutating func judgeEnd(of job: Job, _ seen: SeenEnd, _ forms: RecordForms) -> Verdict {
    if seen.isKilled { job.killCount += 1 }
    let phase = seen.signs.phase
    if !seen.signs.isDamaged, seen.isBegun, phase == .render || phase == .write {
      job.hasRendered = true
    }
    let (failure, suspects) = record(of: job, seen, forms)
    if let unit = seen.unitInMaking,
      let verdict = judgeEarlyEnd(job, failure, unit: unit, how: seen.clause)
    {
      return verdict
    }
    return judge(job, failure, suspects: suspects)
  }

  /// The record of a file whose worker ended.
  ///
  /// - Returns: The record, and the suspects, empty when the culprit is known.
  func record(
    of job: Job, _ seen: SeenEnd, _ forms: RecordForms
  ) -> (FileRecord, suspects: [String]) {
    let suspects = suspects(seen, job)
    let record = record(of: job, seen, suspects, forms)
    return joining(job, record, seen.end, suspects)
  }

  /// The units of which one must have ended a worker while it ran other code; empty if that is not so.
  private func suspects(_ seen: SeenEnd, _ job: Job) -> [String] {
    let signs = seen.signs
    let isOfUnits = seen.end.isOfUnits || signs.isDamaged && !seen.end.isFromOutside
    guard signs.isDamaged || !signs.phase.isOfUnit || signs.unit == nil else { return [] }
    if isOfUnits { return foreignUnits.isEmpty ? chainUnits : foreignUnits }
    // The host's own code and its libraries do not crash while they write or wait. They may while they read a
    // damaged file, but not one that was decoded before, and not where units have rendered in the process.
    guard seen.end.isCrash else { return [] }
    switch signs.phase {
    case .write, .verify, .idle: return foreignUnits
    case .read, .prepare:
      let hasRendered = seen.hasRendered || job.hasRendered || signs.reading.frames > 0
      return hasRendered ? foreignUnits : []
    default: return []
    }
  }

  private func record(
    of job: Job, _ seen: SeenEnd, _ suspects: [String], _ forms: RecordForms
  ) -> FileRecord {
    let signs = seen.signs
    let reached = signs.phase
    let reading = signs.reading
    var phase = reached
    var unit = signs.isDamaged || !phase.isOfUnit ? nil : signs.unit
    let isSuspicion = unit == nil && (seen.end.isCrash || signs.isDamaged && !seen.end.isOfUnits)
    let isOfJob = reading.job != 0 && reading.job == UInt64(job.number)
    if unit == nil, !suspects.isEmpty {
      unit = suspects.joined(separator: " or ")
      if !phase.isOfUnit || seen.isBegun && !isOfJob {
        phase = seen.isBegun || isOfJob ? .render : .load
      }
    }
    var text = "\(unit ?? "the worker") \(seen.predicate) \(phase.clause)"
    if isSuspicion {
      text = "the worker \(seen.predicate)"
      if !signs.isDamaged { text += " \(reached.clause)" }
      if let unit { text += ", as when a unit has damaged its memory, which is \(unit)" }
    }
    if reading.frames > 0, phase == .render, !signs.isDamaged, reading.job == UInt64(job.number) {
      text += " (after frame \(reading.frames) of the input)"
    }
    if let line = seen.lastLine { text += "; it said: \(line)" }
    // A worker that keeps dying outside of units is no fault of the disk.
    let isOfInput = unit == nil && phase == .read
    var record = forms.failure(
      of: job.entry, AuricleError(isOfInput ? .badData : .software, text),
      isOfInput ? .input : .unit, attempts: job.attempts)
    if let unit {
      record.blame = FileRecord.Blame(unit: unit, phase: "\(phase)", signal: seen.end.name)
    }
    return record
  }

  /// Joins the records of two attempts that ended at different places, as happens with damaged memory:
  /// neither place shows the culprit.
  private func joining(
    _ job: Job, _ record: FileRecord, _ end: WorkerEnd, _ suspects: [String]
  ) -> (FileRecord, suspects: [String]) {
    guard end.isCrash || end == .hang || end.isOfUnits else { return (record, suspects) }
    let place = suspects.isEmpty ? record.blame?.unit ?? "" : ""
    let before = job.lastEnd
    job.lastEnd = (place, end.isCrash)
    let unit = foreignUnits.joined(separator: " or ")
    guard let before, before.place != place, before.isCrash || end.isCrash, !unit.isEmpty,
      unit != record.blame?.unit
    else { return (record, suspects) }
    var joined = record
    joined.origin = .unit
    joined.blame = FileRecord.Blame(
      unit: unit, phase: record.blame?.phase ?? "\(WorkPhase.render)", signal: end.name)
    joined.error = AuricleError(
      .software,
      "\(place.isEmpty ? "the worker" : place) \(end.sentence), and the attempt before ended "
        + "elsewhere, as when a unit has damaged the memory of its process, which is \(unit)")
    return (joined, foreignUnits)
  }
}
