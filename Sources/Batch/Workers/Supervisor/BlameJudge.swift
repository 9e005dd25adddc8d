// Who is to blame for a failure, and what follows: another attempt, a file that is set aside, the end.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PlugInGuard
import RunLedgers

/// Judges failures of files and ends of workers.
struct BlameJudge {
  /// What becomes of a file after an attempt that failed.
  enum Verdict {
    /// It is tried again, because of this.
    case again(FileRecord)
    /// It is tried again in another process; this attempt does not count.
    case elsewhere
    /// It is recorded; the run ends as well where an end is told.
    case recorded(FileRecord, end: RunEnd?)
    /// It stays as it is, and so do all others: the run ends.
    case ended(RunEnd)
  }

  /// The units of the chain, as the first worker found them.
  var units: [UnitIdentity] = []
  /// What units of the chain are called while they work, by their names.
  private var titles: [String: String] = [:]
  private var counter: FailureCounter
  /// What units said that refuse to be made in any process.
  private var refusals: Set<String> = []
  /// The unit that ended the last worker before that had rendered anything; nil once one has.
  private var unusable: String?
  /// Whether units have rendered in this run.
  private var hasRendered = false

  /// Workers that ended in a row without a file to blame.
  private var exitsBetweenJobs = 0

  /// How often they may before the run is given up.
  private static let mostExitsBetweenJobs = 20
  /// How many sentences of units that refuse are remembered.
  private static let mostRefusals = 1000
  /// So often a file may have its worker killed from outside before that counts as a failure.
  private static let mostKills = 6
  /// How many units of a chain are named at most where one of them is to blame.
  private static let mostSuspects = 16
  /// How many units of a worker have names.
  private static let mostTitles: Int32 = 100

  init(failureLimit: Int) { counter = FailureCounter(limit: failureLimit) }

  // MARK: Units

  /// The units of the chain, by what they are called while they work.
  var chainUnits: [String] { names(of: units) }

  /// The units of the chain that do not ship with the program, each once, as records name them. What
  /// ships is tested for what only units do.
  var foreignUnits: [String] { names(of: units.filter { !$0.isShipped }) }

  private func names(of units: [UnitIdentity]) -> [String] {
    var names: [String] = []
    for unit in units where names.count < Self.mostSuspects {
      let name = titles[unit.name] ?? "\(unit.name) (\(unit.identity))"
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Notes what units are called while they work, before any of them has run for a file.
  mutating func noteTitles(of worker: any WorkerHandle) {
    guard units.contains(where: { titles[$0.name] == nil }) else { return }
    for number in 0..<Self.mostTitles {
      guard let title = worker.unitName(number) else { return }
      for unit in units where titles[unit.name] == nil && title.hasPrefix(unit.name + " (") {
        titles[unit.name] = title
      }
    }
  }

  // MARK: What went well

  /// A worker has answered a job.
  mutating func noteAnswer() { exitsBetweenJobs = 0 }

  /// Units have rendered for a file: the chain can be made.
  mutating func noteRendering() {
    unusable = nil
    hasRendered = true
  }

  /// A file is done.
  mutating func noteSuccess() {
    noteRendering()
    counter.succeeds()
  }

  // MARK: What failed

  /// One more attempt, or none.
  ///
  /// - Parameter suspects: The units of which one is to blame, where it is not known which.
  mutating func judge(_ job: Job, _ failure: FileRecord, suspects: [String] = []) -> Verdict {
    // An end from outside says little about the file.
    guard job.attempts - min(job.killCount, Self.mostKills) > 1 else { return .again(failure) }
    var failure = failure
    if failure.blame != nil { failure.status = .quarantined }
    let units = suspects.isEmpty ? failure.blame.map { [$0.unit] } ?? [] : suspects
    return .recorded(failure, end: failure.blame == nil ? nil : count(units))
  }

  /// A unit ended a worker before it had rendered anything for a file, which is no fault of the file:
  /// others are tried first. Twice in a row, the run ends.
  ///
  /// - Parameters:
  ///   - job: The file; nil where the worker had none yet.
  ///   - unit: The unit that was at work.
  ///   - how: How it ended the worker, without a subject.
  mutating func judgeEarlyEnd(
    _ job: Job?, _ failure: FileRecord?, unit: String, how: String
  ) -> Verdict? {
    job?.earlyEndCount += 1
    // It does work for others.
    if let job, let failure, hasRendered, job.earlyEndCount > 1 { return judge(job, failure) }
    if unusable == unit {
      return .ended(
        .breaker(
          unit: unit,
          why: "\(how), twice in a row before anything was processed: no file is to blame"
        ))
    }
    unusable = unit
    job?.isDeferred = true
    return failure.map(Verdict.again)
  }

  /// A unit gave an error: refused to be made, or failed while it rendered.
  ///
  /// A worker that made no chain before would hear the same refusal again; in another the unit may say so
  /// because of what it did before.
  mutating func judgeError(
    _ job: Job, _ record: FileRecord, _ failure: FailedFile, isFresh: Bool
  ) -> Verdict {
    guard failure.phase != .render else { return judge(job, record) }
    guard isFresh || job.refusingUnit != nil || refusals.contains(failure.error.message) else {
      job.refusingUnit = record.blame?.unit ?? "a unit"
      return .elsewhere
    }
    if refusals.count < Self.mostRefusals { refusals.insert(failure.error.message) }
    // No fault of a file: all are left for a session that can load it.
    if let refusal = WorkerRefusal(binaryOf: failure.error) { return .ended(.refused(refusal)) }
    return .recorded(record, end: record.blame.flatMap { count([$0.unit]) })
  }

  /// A unit tampered with what its worker writes: one more attempt in a fresh one, as for other deeds.
  mutating func judgeTampering(_ job: Job, _ error: AuricleError?, _ forms: RecordForms) -> Verdict
  {
    let suspects = foreignUnits
    var text = DescriptorTampering.sentence
    if let error { text += ": \(error.message)" }
    let names = suspects.joined(separator: " or ")
    if suspects.count > 1 { text += "; it is \(names)" }
    var record = forms.failure(
      of: job.entry, AuricleError(.software, text), .unit, attempts: job.attempts)
    record.blame = FileRecord.Blame(unit: names, phase: "\(WorkPhase.render)")
    return judge(job, record, suspects: suspects)
  }

  /// Why every file is to have a process of its own, since one ended between two files; nil where that
  /// would not help.
  func reasonToRenew(_ seen: SeenEnd, doneCount: Int) -> String? {
    switch seen.signs.phase {
    case .close, .reset: "\(seen.signs.unit ?? "a unit") \(seen.clause)"
    default:
      seen.signs.isDamaged && doneCount > 0
        ? "a worker \(seen.end.sentence) after a unit had damaged its memory" : nil
    }
  }

  /// A worker ended between two files: too many that do in a row end the run.
  mutating func judgeExitBetweenJobs(_ seen: SeenEnd) -> RunEnd? {
    exitsBetweenJobs += 1
    guard exitsBetweenJobs >= Self.mostExitsBetweenJobs else { return nil }
    return .stopped(
      AuricleError(
        .software, "workers keep ending without a file to blame: the last \(seen.end.name)"))
  }

  /// One of some units cost one more file; too many without one that goes well end the run.
  private mutating func count(_ units: [String]) -> RunEnd? {
    counter.fails(units).map { .breaker(unit: $0, why: "failed with too many files in a row") }
  }
}
