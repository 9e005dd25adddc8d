// Decides the blame for a failure, and the consequence: another attempt, quarantine, the end of the run.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PlugInGuard
import RunLedgers

/// Judges failures of files and ends of workers.
struct BlameJudge {
  /// The consequence of a failed attempt.
  enum Verdict {
    /// The file is tried again, for this reason.
    case again(FileRecord)
    /// It is tried again in another process; this attempt does not count.
    case elsewhere
    /// The failure is recorded; the run ends as well if `end` is set.
    case recorded(FileRecord, end: RunEnd?)
    /// The file and all others stay as they are: the run ends.
    case ended(RunEnd)
  }

  /// The units of the chain, as reported by the first worker.
  var units: [UnitIdentity] = []
  /// The names of units in heartbeats, by their names in records.
  private var titles: [String: String] = [:]
  private var counter: FailureCounter
  /// Sentences of units that cannot be made in any process.
  private var refusals: Set<String> = []
  /// The unit that ended the previous worker before anything was rendered; nil after a rendering.
  private var unusable: String?
  /// Whether units have rendered in this run.
  private var hasRendered = false

  /// Consecutive workers that ended between two files.
  private var exitsBetweenJobs = 0

  /// The number of these exits that ends the run.
  private static let mostExitsBetweenJobs = 20
  /// The most such sentences that are remembered.
  private static let mostRefusals = 1000
  /// The number of times that another process may kill a file's worker before that counts as a failure.
  private static let mostKills = 6
  /// The most units named as suspects.
  private static let mostSuspects = 16
  /// The most units of a worker that have names.
  private static let mostTitles: Int32 = 100

  init(failureLimit: Int) { counter = FailureCounter(limit: failureLimit) }

  // MARK: Units

  /// The units of the chain, by their names in heartbeats.
  var chainUnits: [String] { names(of: units) }

  /// The units of the chain that do not ship with the program, each once, as records name them. Shipped units
  /// are tested not to misbehave.
  var foreignUnits: [String] { names(of: units.filter { !$0.isShipped }) }

  /// All units of the chain, each once, as records name them.
  var allUnits: [String] { names(of: units) }

  private func names(of units: [UnitIdentity]) -> [String] {
    var names: [String] = []
    for unit in units where names.count < Self.mostSuspects {
      let name = titles[unit.name] ?? "\(unit.name) (\(unit.identity))"
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Notes the names of units in heartbeats, before any of them has run for a file.
  mutating func noteTitles(of worker: any WorkerHandle) {
    guard units.contains(where: { titles[$0.name] == nil }) else { return }
    for number in 0..<Self.mostTitles {
      guard let title = worker.unitName(number) else { return }
      for unit in units where titles[unit.name] == nil && title.hasPrefix(unit.name + " (") {
        titles[unit.name] = title
      }
    }
  }

  // MARK: Success

  /// Notes that a worker has answered a job.
  mutating func noteAnswer() { exitsBetweenJobs = 0 }

  /// Notes that units have rendered for a file: the chain can be made.
  mutating func noteRendering() {
    unusable = nil
    hasRendered = true
  }

  /// Notes that a file is done.
  mutating func noteSuccess() {
    noteRendering()
    counter.succeeds()
  }

  // MARK: Failure

  /// Decides whether a file gets another attempt.
  ///
  /// - Parameter suspects: The units of which one is to blame, when it is not known which.
  mutating func judge(_ job: Job, _ failure: FileRecord, suspects: [String] = []) -> Verdict {
    // A worker killed by another process says little about the file.
    guard job.attempts - min(job.killCount, Self.mostKills) > 1 else { return .again(failure) }
    var failure = failure
    if failure.blame != nil { failure.status = .quarantined }
    let units = suspects.isEmpty ? failure.blame.map { [$0.unit] } ?? [] : suspects
    return .recorded(failure, end: failure.blame == nil ? nil : count(units))
  }

  /// Judges a worker that a unit ended before anything was rendered, which is no fault of the file: others
  /// are tried first. Twice in a row ends the run.
  ///
  /// - Parameters:
  ///   - job: The file; nil where the worker had none yet.
  ///   - unit: The unit that was running.
  ///   - how: How it ended the worker, without a subject.
  mutating func judgeEarlyEnd(
    _ job: Job?, _ failure: FileRecord?, unit: String, how: String
  ) -> Verdict? {
    job?.earlyEndCount += 1
    // The unit works for other files.
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

  /// Judges an error that a unit returned while it was made or rendered.
  ///
  /// In a fresh worker the same refusal would come again; in another it may be due to earlier files.
  mutating func judgeError(
    _ job: Job, _ record: FileRecord, _ failure: FailedFile, isFresh: Bool
  ) -> Verdict {
    guard failure.phase != .render else { return judge(job, record) }
    guard isFresh || job.refusingUnit != nil || refusals.contains(failure.error.message) else {
      job.refusingUnit = record.blame?.unit ?? "a unit"
      return .elsewhere
    }
    if refusals.count < Self.mostRefusals { refusals.insert(failure.error.message) }
    // No fault of the file: all are left for a session that can load the unit.
    if let refusal = WorkerRefusal(binaryOf: failure.error) { return .ended(.refused(refusal)) }
    return .recorded(record, end: record.blame.flatMap { count([$0.unit]) })
  }

  /// Judges a unit that tampered with its worker's files: another attempt in a fresh worker, as for other
  /// misbehaviour.
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

  /// The reason why every file needs a separate process after a worker ended between two files; nil if that
  /// would not help.
  func reasonToRenew(_ seen: SeenEnd, doneCount: Int) -> String? {
    switch seen.signs.phase {
    case .close, .reset: "\(seen.signs.unit ?? "a unit") \(seen.clause)"
    default:
      seen.signs.isDamaged && doneCount > 0
        ? "a worker \(seen.end.sentence) after a unit had damaged its memory" : nil
    }
  }

  /// Judges a worker that ended between two files: too many in a row end the run.
  mutating func judgeExitBetweenJobs(_ seen: SeenEnd) -> RunEnd? {
    exitsBetweenJobs += 1
    guard exitsBetweenJobs >= Self.mostExitsBetweenJobs else { return nil }
    return .stopped(
      AuricleError(
        .software, "workers keep ending although no file is the cause: the last \(seen.end.name)"))
  }

  /// Counts a lost file against these units; too many without a success end the run.
  private mutating func count(_ units: [String]) -> RunEnd? {
    counter.fails(units).map { .breaker(unit: $0, why: "failed with too many files in a row") }
  }
}
