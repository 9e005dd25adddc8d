// Finds out, once per run and format, whether a process may process several files.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PlugInGuard
import ResultSettings
import RunLedgers

/// A probe of a run's chains in separate processes, which decides the permissions of workers.
///
/// A new format is probed while its first file is processed. If new chains sound like the first of a fresh
/// process, a worker makes a new chain for every file; if they differ, another process shows whether the
/// chain is random; if it is not, every file gets a process. Context: control, the thread of the supervisor.
final class ReuseProbe {
  /// A report to the supervisor.
  enum Event {
    /// A verdict on whether a process may process several files.
    case found(ReuseVerdict)
    /// A note for the user.
    case note(String)
    /// No process can be started.
    case failed(AuricleError)
  }

  /// A running comparison of chains of a format.
  private struct Comparison {
    let format: ChainFormat
    let stage: ProbeStage
    let worker: Worker
    /// The checksum of the previous process's first chain; nil in the first stage.
    var expected: UInt64?
    /// The checksums of this process's first chain, of the whole signal and its first part.
    var first: (checksum: UInt64, prefix: UInt64)?
    /// The number of times that another process ended its process.
    var killCount = 0

    init(_ format: ChainFormat, _ stage: ProbeStage, _ worker: Worker) {
      self.format = format
      self.stage = stage
      self.worker = worker
    }
  }

  /// The most formats probed; files of further formats get a process each.
  private static let mostFormats = 32
  private static let longestComparison = Duration.seconds(120)
  /// The longest that workers wait for a verdict.
  private static let longestWait = Duration.seconds(1)
  /// With so few files left, a process for each is cheaper than a probe.
  private static let fewFiles = 2
  /// The greatest number of times that a process which another ended is replaced.
  private static let mostKills = 3

  private let launch: () throws(AuricleError) -> Worker
  private let clock: any SupervisorClock
  /// Receives events.
  var report: (Event) -> Void = { _ in }
  /// The names of the units that may remember earlier files: empty for a chain without units, which needs no probe.
  var suspects: [String]?
  private var table = VerdictTable()
  private var comparison: Comparison?
  private var queue: [ChainFormat] = []
  private var isStopped = false
  private var usualThreads = UsualThreads()

  /// Prepares probes with the setup of workers and verdicts of earlier sessions; `pool` starts processes.
  init(_ base: WorkerSetup, _ verdicts: [ReuseVerdict], _ pool: WorkerPool) {
    clock = pool.clock
    var setup = base
    setup.pictures = nil
    setup.wantsUnits = false
    // Instruments are not probed: each song has a separate process.
    isStopped = base.settings.song != nil
    launch = { [pool, setup] () throws(AuricleError) in try pool.launch(setup) }
    adopt(verdicts)
  }

  // MARK: For the supervisor

  /// The worker that compares chains; nil for none.
  var worker: Worker? { comparison?.worker }

  /// The permission of workers.
  var permission: ReusePermission { table.permission }

  /// Whether a worker may process more than one file.
  var mayStay: Bool { !isStopped }

  /// Whether the chain has no unit, so that nothing of a file is left for the next.
  var isNeedless: Bool { suspects?.isEmpty == true }

  /// The setup of the next worker.
  func setup(_ base: WorkerSetup) -> WorkerSetup {
    var setup = base
    setup.mayStay = mayStay
    setup.usualThreads = usualThreads.count
    return setup
  }

  /// Notes that a worker left its job to another process because of this many threads.
  func noteThreads(_ count: Int, in worker: Worker) {
    usualThreads.note(count, afterFirstFile: worker.doneCount == 1)
  }

  /// Notes that a worker left its job to another process since earlier files may be audible in it.
  func noteUse(of worker: Worker, _ format: ChainFormat?, memoryChanged: Bool, filesLeft: Int?) {
    if memoryChanged { refute() }
    guard let format else { return }
    worker.note(format)
    request(format, filesLeft: filesLeft)
  }

  /// Adopts verdicts of an earlier session.
  func adopt(_ verdicts: [ReuseVerdict]) { for verdict in verdicts { table.insert(verdict) } }

  /// Whether a worker that made chains for these formats may do another file; nil while a probe is about to
  /// answer that.
  ///
  /// - Parameter filesLeft: Files that no worker has begun; nil while their number is unknown.
  func allowsMore(after formats: [ChainFormat], filesLeft: Int?) -> Bool? {
    guard !isNeedless else { return !isStopped }
    guard !isStopped, !table.needsProcesses else { return formats.isEmpty }
    for format in formats where table[format] == nil {
      request(format, filesLeft: filesLeft)
      guard let comparison else { return false }
      return clock.now - comparison.worker.jobStart < Self.longestWait ? nil : false
    }
    return true
  }

  /// Requests a probe of a format, if enough files are left for it to pay.
  func request(_ format: ChainFormat, filesLeft: Int?) {
    if !isNeedless, table[format] == nil, comparison?.format != format, !queue.contains(format),
      table.count + queue.count < Self.mostFormats, filesLeft ?? .max > Self.fewFiles
    {
      queue.append(format)
    }
    advance()
  }

  /// Begins with the next format, when no other is being probed.
  func advance() {
    while comparison == nil, !isStopped, !queue.isEmpty, !table.needsProcesses {
      let format = queue.removeFirst()
      // A verdict found meanwhile may cover it.
      if table[format] == nil { begin(format, .compare) }
    }
  }

  /// Ends probing: every file gets a separate process.
  func stop() { isStopped = true }

  /// Ends the comparing process with the run.
  func cancel() {
    isStopped = true
    endComparison()
  }

  private func endComparison() {
    comparison?.worker.handle.end(afterWaiting: .zero)
    comparison = nil
  }

  /// Withdraws verdicts after a worker saw static memory change against them.
  func refute() {
    let refuted = table.refute()
    for verdict in refuted { report(.found(verdict)) }
    if !refuted.isEmpty { noteProcesses(remembering) }
  }

  // MARK: The comparing process

  /// Receives a message of the process.
  func receive(_ message: WorkerMessage) {
    guard let comparison else { return }
    switch message {
    case .units: break
    case .ready:
      comparison.worker.state = .ready
      let probe = ProbeMessage(
        format: comparison.format, stage: comparison.stage, others: table.otherFormats)
      comparison.worker.handle.send(.probe(probe), descriptors: [])
    case .probed(let answer): receive(answer, comparison)
    default: conclude(.process)
    }
  }

  private func receive(_ answer: ProbeAnswer, _ current: Comparison) {
    switch answer {
    case .first(let checksum, let prefix):
      comparison?.first = (checksum, prefix)
      guard let expected = current.expected else { return }
      // If two fresh processes do not agree, more of them do not help.
      if expected == checksum { conclude(.process) } else { conclude(.reopen, isRandom: true) }
    case .same(let memory): conclude(.reopen, memory: memory)
    case .differs: confirmDifference(current)
    case .failed: conclude(.reopen)
    }
  }

  /// New chains do not sound like the first: another fresh process shows whether that is random.
  private func confirmDifference(_ before: Comparison) {
    guard before.stage == .compare, let first = before.first else { return conclude(.process) }
    begin(before.format, .confirm)
    comparison?.expected = first.checksum
  }

  private func begin(_ format: ChainFormat, _ stage: ProbeStage) {
    endComparison()
    do throws(AuricleError) {
      let worker = try launch()
      worker.jobLimit = Self.longestComparison
      comparison = Comparison(format, stage, worker)
    } catch { report(.failed(error)) }
  }

  /// Handles the worker's end, or ends it for a reason.
  func workerEnded(_ reason: WorkerEnd?) {
    guard let ended = comparison else { return }
    let seen = ended.worker.end(reason)
    if seen.isKilled, ended.killCount < Self.mostKills { return restart(ended) }
    let unit = seen.signs.phase.isOfUnit ? seen.signs.unit ?? "a unit" : "a unit"
    conclude(.process, because: "\(unit) does not withstand being tried (\(seen.end.name))")
  }

  /// Restarts a comparison whose process another one ended, which says nothing about the chain.
  private func restart(_ ended: Comparison) {
    begin(ended.format, ended.stage)
    comparison?.expected = ended.expected
    comparison?.killCount = ended.killCount + 1
  }

  private func conclude(
    _ policy: ReusePolicy, memory: StaticMemory = .changing, isRandom: Bool = false,
    because reason: String? = nil
  ) {
    guard let concluded = comparison else { return }
    endComparison()
    let (wasRandom, neededProcesses) = (table.isRandom, table.needsProcesses)
    var verdict = ReuseVerdict(concluded.format, policy)
    verdict.memory = memory
    verdict.isRandom = isRandom
    verdict.prefix = concluded.first?.prefix
    table.insert(verdict)
    report(.found(verdict))
    if isRandom, !wasRandom {
      report(
        .note(
          "the chain sounds different in every process, as units with chance in them do: a file "
            + "done again is not the same"))
    }
    if policy == .process, !neededProcesses { noteProcesses(reason ?? remembering) }
  }

  /// The reason for which files cannot share a process, with the units that it may be.
  private var remembering: String {
    let names = suspects ?? []
    let who = names.count > 1 ? "one of \(names.joined(separator: ", "))" : names.first ?? "a unit"
    return "\(who) remembers what was done before it was opened"
  }

  private func noteProcesses(_ reason: String) {
    report(.note("\(reason): every file is processed in a separate process"))
  }
}
