// The loop of a run: files to workers, their answers to the committer, nothing trusted on the way.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
import RealtimeSupport

/// Runs files through workers.
///
/// It opens inputs and unfinished results and passes them as open files; it reads neither sound nor
/// plug-ins. Context: control; the thread that makes it must run it to the end, because workers end
/// with that thread.
public final class Supervisor {
  let options: SupervisorOptions
  var source: any JobSource
  let places: OutputPlaces
  let committer: Committer
  var workers: [WorkerProcess?]
  /// Files to be tried again, in fresh workers.
  var retries: [Job] = []
  /// Files that a worker was given but had not begun when it ended.
  var returned: [Job] = []
  /// Files of the plan that were looked at and not begun.
  var ahead: [PlanEntry] = []
  var isReadToEnd = false
  var isExhausted: Bool { isReadToEnd && ahead.isEmpty }
  var nextNumber = 1
  /// Results at the committer.
  var uncommitted = 0
  /// Files that workers are done with and that are not accounted for yet.
  public internal(set) var committing = CommittingWork()
  var end: RunEnd?
  var summary = RunSummary()
  var breaker: FailureCounter
  /// What units said that refuse to be made in any process.
  var refusals: Set<String> = []
  var units: [UnitIdentity] = []
  /// What units of the chain are called while they work, by their names.
  var titles: [String: String] = [:]
  /// The files that the preset names, as the first worker found them.
  var sideFiles: [PresetFile] = []
  /// Whether a worker has told the units.
  var knowsUnits = false
  var sandboxIsTold = false
  /// What is known of chains.
  var chains = ChainKnowledge()
  /// The chains that are being looked at.
  var examination: Examination?
  /// Whether workers may do more than one file.
  var mayStay = true
  var idleDeaths = 0
  /// What is known of threads that chains leave behind.
  var threadHabit = ThreadHabit()
  /// Lines of units that were passed on.
  var heard: Set<String> = []
  private var lastLook = ContinuousClock.now
  /// When workers were watched last.
  var lastWatch = ContinuousClock.now
  /// When what workers left behind was last removed.
  var lastTidying = ContinuousClock.now
  /// The folders that inputs come from, as they were at the start; nil for one that was not there.
  let inputFolders: [(path: String, identity: FileIdentity?)]
  var observe: (RunEvent) throws(AuricleError) -> Void = { _ throws(AuricleError) in }

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - options: How it is to be done.
  ///   - source: The files.
  ///   - journal: The ledger to account in; nil for none.
  /// - Throws: When the output folder cannot be opened or made.
  public init(
    options: SupervisorOptions, source: any JobSource, journal: RunJournal? = nil
  ) throws(AuricleError) {
    self.options = options
    self.source = source
    places = try OutputPlaces(root: options.outputRoot)
    committer = try Committer(ledger: journal?.writer)
    workers = Array(repeating: nil, count: max(1, options.workerCount))
    breaker = FailureCounter(limit: options.limits.failuresInRow)
    chains.take(options.findings)
    inputFolders = options.inputFolders.map { ($0, FileIdentity.of($0)?.identity) }
  }

  /// Does the work.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked several times a second; true ends the run.
  ///   - observe: Told what happens, on the calling thread; an error it throws stops the run.
  public func run(
    shouldStop: () -> Bool,
    observe: @escaping (RunEvent) throws(AuricleError) -> Void
  ) -> RunSummary {
    self.observe = observe
    let orphans = Orphans()
    for note in options.notes { tell(.note(note)) }
    while end == nil {
      if shouldStop() { end = .interrupted }
      dispatch()
      lookForOutput(isLast: isDone)
      if isDone, end == nil { end = .finished }
      guard end == nil else { break }
      wait()
      watch()
      tidy(orphans)
      lookAtSideFiles()
      tell(.tick)
    }
    for index in workers.indices { workers[index] = nil }
    examination = nil
    orphans.end(sparing: [])
    retries = []
    returned = []
    committer.submit(
      .line(
        nil,
        [
          JSONValue.Member("t", "end"),
          JSONValue.Member("state", .string((end ?? .finished).name)),
          JSONValue.Member("time", .string(UTCTime.text())),
        ] + (end?.reason.map { [JSONValue.Member("error", .string($0))] } ?? [])))
    drain()
    summary.end = end ?? .finished
    return summary
  }

  /// What the workers are at.
  public var activities: [WorkerActivity] {
    workers.compactMap { worker in
      guard let worker, let job = worker.jobs.first else { return nil }
      let reading = worker.reading
      var activity = WorkerActivity(
        index: job.entry.index, byteCount: job.entry.byteCount, input: job.entry.input,
        fraction: nil, seconds: 0)
      guard reading.job == UInt64(job.number), reading.sampleRate > 0 else { return activity }
      let total = Double(reading.totalFrames)
      if total > 0 { activity.fraction = min(Double(reading.frames) / total, 1) }
      activity.seconds = Double(reading.frames) / reading.sampleRate
      return activity
    }
  }

  func tell(_ event: RunEvent) {
    switch event {
    case .note(let text): note("note", text)
    case .sandbox(let text): note("sandbox", text)
    case .chains(let finding):
      submit([("t", "chains")] + finding.members)
    default: break
    }
    do throws(AuricleError) { try observe(event) } catch { stop(error) }
  }

  /// Tells the ledger something that is of no file.
  private func note(_ kind: String, _ text: String) {
    submit([("t", .string(kind)), ("text", .string(text))])
  }

  /// Tells the ledger a line that is of no result.
  func submit(_ members: [(String, JSONValue?)]) {
    committer.submit(.line(nil, JSONValue.members(members).members ?? []))
  }

  /// Ends the run, unless it has ended.
  func stop(_ error: AuricleError) {
    if end == nil { end = .stopped(error) }
  }

  /// Stops when the disk of the results was taken away: what is open can still be written to, but
  /// nobody would find it.
  private func lookForOutput(isLast: Bool) {
    let now = ContinuousClock.now
    guard isLast || now - lastLook > .seconds(1) else { return }
    lastLook = now
    guard !places.isInPlace else { return }
    stop(
      AuricleError(
        .temporary, "the output folder \(options.outputRoot ?? "") is not there any more"))
  }

  private var isDone: Bool {
    isExhausted && retries.isEmpty && returned.isEmpty && uncommitted == 0
      && !workers.contains { $0?.jobs.isEmpty == false }
  }

  /// All processes that work for this one.
  var processes: [WorkerProcess] {
    workers.compactMap(\.self) + (examination.map { [$0.worker] } ?? [])
  }

  /// Replaces a worker by none.
  func remove(_ worker: WorkerProcess) {
    for index in workers.indices where workers[index] === worker { workers[index] = nil }
  }
}
