// Workers that die, hang or take too long: who is to blame, and what becomes of the file.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import PlugInGuard
import RealtimeSupport

extension Supervisor {
  /// Signals that come from other processes: plug-ins can send none.
  static let outsideSignals: Set<String> = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]

  /// A worker says what no worker does.
  static let senseless = "an answer that makes no sense"

  /// What only a unit does that takes its process from those it works for.
  static let closedFiles = "closed files"

  /// How often workers may die in a row without a file to blame before the run is given up.
  private static let mostIdleDeaths = 20

  /// Looks for workers without signs of life, and for files that take too long.
  func watch() {
    let now = ContinuousClock.now
    forgive(now - lastWatch)
    lastWatch = now
    for worker in processes where end == nil {
      let isExaminer = worker === examination?.worker
      guard worker.state == .starting || !worker.jobs.isEmpty || isExaminer else { continue }
      if takesTooMuch(worker, now) {
        handleEnd(of: worker, cause: "memory limit")
        continue
      }
      let signs = worker.signs
      // What no worker tells is no sign of life of one.
      if signs.isSensible, signs.reading.progress != worker.lastProgress.value {
        worker.lastProgress = (signs.reading.progress, now)
      } else {
        let isWritten = worker.isAtWork && !signs.isSensible
        let limit = isWritten ? options.limits.stall : stallLimit(signs.phase)
        if now - worker.lastProgress.since > .seconds(limit) {
          handleEnd(of: worker, cause: "hang")
          continue
        }
      }
      if let limit = worker.jobLimit, !worker.jobs.isEmpty || isExaminer,
        now - worker.jobStart > limit
      {
        handleEnd(of: worker, cause: "time limit")
      }
    }
  }

  /// Time in which this process itself was stopped, or the machine slept, is held against nobody.
  private func forgive(_ pause: Duration) {
    guard pause > Self.longestRound else { return }
    for worker in processes {
      worker.lastProgress.since += pause
      worker.jobStart += pause
    }
  }

  /// How long a round of the loop takes at most, as long as this process is not stopped.
  private static let longestRound = Duration.seconds(2)

  private func stallLimit(_ phase: WorkPhase) -> Double {
    switch phase {
    case .render: options.limits.stall
    case .load, .instantiate, .initialize, .reset, .close: options.limits.open
    // No unit is at work: who is impatient with units has nothing against a busy machine.
    case .idle, .prepare: max(options.limits.open, WorkLimits().open)
    case .read, .write, .verify: options.limits.transfer
    }
  }

  /// A worker has ended, or is to: its files are judged or given to others.
  ///
  /// `cause` is nil when it ended by itself; else it is ended now, for that reason.
  func handleEnd(of worker: WorkerProcess, cause: String?) {
    hear(worker)
    if worker === examination?.worker {
      examinerEnds(cause: cause)
      return
    }
    // The reading first: it says what was going on.
    let signs = worker.signs
    let isBegun = worker.isAtWork
    let ended = worker.end(afterWaiting: cause == nil ? .milliseconds(500) : .zero)
    hear(worker)
    remove(worker)
    let signal = cause ?? ended?.name ?? "unknown"
    let wasStarting = worker.state == .starting
    var jobs = worker.jobs
    worker.jobs = []
    var victim: Job?
    let phase = signs.phase
    let job = signs.reading.job
    let isBetween =
      job == 0 && phase == .close || signs.isDamaged && worker.doneCount > 0
    if let first = jobs.first,
      isBegun || job == UInt64(first.number) || cause != nil && !isBetween
    {
      victim = first
      jobs.removeFirst()
    }
    for job in jobs.reversed() { takeBack(job) }
    let isKilled = cause == nil && Self.outsideSignals.contains(signal)
    if wasStarting {
      // It was to do the next file: that is the one that meets the unit.
      guard let job = takeJob(fresh: true) else { return }
      job.attempts += 1
      victim = job
    }
    if isKilled { victim?.killCount += 1 }
    guard let victim else {
      idleDeath(worker, signs, signal)
      return
    }
    victim.parts = []
    if phase == .reset { giveUpResetting() }
    if !signs.isDamaged, isBegun, phase == .render || phase == .write {
      victim.hasRendered = true
    }
    let suspects = suspects(worker, signs, signal, victim)
    let record = recordOfEnd(victim, worker, signs, isBegun: isBegun, signal, suspects)
    let (joined, others) = joining(victim, record, signal, suspects)
    judge(victim, joined, suspects: others)
  }

  private func recordOfEnd(
    _ job: Job, _ worker: WorkerProcess, _ signs: WorkSigns, isBegun: Bool, _ signal: String,
    _ suspects: [String]
  ) -> FileRecord {
    let reached = signs.phase
    let reading = signs.reading
    var phase = reached
    var unit = signs.isDamaged || !phase.isOfUnit ? nil : signs.unit
    let isSuspicion =
      unit == nil
      && (Self.crashes.contains(signal) || signs.isDamaged && !Self.isOfUnits(signal))
    if unit == nil, !suspects.isEmpty {
      unit = suspects.joined(separator: " or ")
      let isOfJob = reading.job != 0 && reading.job == UInt64(job.number)
      if !phase.isOfUnit || isBegun && !isOfJob {
        phase = isBegun || isOfJob ? .render : .load
      }
    }
    var text = "\(unit ?? "the worker") \(Self.sentence(signal)) \(Self.clause(phase))"
    if isSuspicion {
      text = "the worker \(Self.sentence(signal))"
      if !signs.isDamaged { text += " \(Self.clause(reached))" }
      if let unit { text += ", as when a unit has damaged its memory, which is \(unit)" }
    }
    if reading.frames > 0, phase == .render, !signs.isDamaged, reading.job == UInt64(job.number) {
      text += " (after frame \(reading.frames) of the input)"
    }
    if let words = worker.lastWords { text += "; it said: \(words)" }
    let origin: FileRecord.Origin =
      unit != nil ? .unit : phase == .read ? .input : phase.isOfUnit ? .unit : .output
    let category: AuricleError.Category = origin == .input ? .badData : .software
    var record = failure(of: job.entry, AuricleError(category, text), origin)
    record.attempts = job.attempts
    // A worker that dies again and again while it does nothing for a unit is no fault of the disk.
    if origin == .output { record.origin = .unit }
    if let unit { record.blame = FileRecord.Blame(unit: unit, phase: "\(phase)", signal: signal) }
    return record
  }

  static func sentence(_ signal: String) -> String {
    switch signal {
    case "hang": "gave no sign of life for too long (--stall-limit)"
    case "time limit": "took longer than the time limit (--time-limit)"
    case closedFiles: "closed the files of its process"
    case "memory limit": "took more memory than it may (--memory-limit)"
    case _ where signal.hasPrefix("exit "): "ended its process (\(signal))"
    case _ where signal.hasPrefix("SIG") || signal.hasPrefix("signal "):
      "crashed with \(signal)"
    default: "gave \(signal)"
    }
  }

  static func clause(_ phase: WorkPhase) -> String {
    switch phase {
    case .idle: "between two files"
    case .prepare: "while it was being set up"
    case .load: "while its binary was loaded"
    case .instantiate: "while it was instantiated"
    case .initialize: "while it was initialised"
    case .render: "while it rendered"
    case .reset: "while it was reset"
    case .close: "while it was closed"
    case .read: "while the input was decoded"
    case .write: "while the result was encoded"
    case .verify: "while the result was read back"
    }
  }

  /// A worker ended that had nothing to do: no file is to blame, but it must not go on for ever.
  private func idleDeath(_ worker: WorkerProcess, _ signs: WorkSigns, _ signal: String) {
    let phase = signs.phase
    if mayStay, phase == .close || phase == .reset {
      renewWorkers("\(signs.unit ?? "a unit") \(Self.sentence(signal)) \(Self.clause(phase))")
      return
    }
    if mayStay, signs.isDamaged, worker.doneCount > 0 {
      renewWorkers("a worker \(Self.sentence(signal)) after a unit had damaged its memory")
      return
    }
    idleDeaths += 1
    let who = phase.isOfUnit ? signs.unit ?? "a unit" : "a worker"
    tell(.note("\(who) \(Self.sentence(signal)) \(Self.clause(phase)); no file is lost by it"))
    if idleDeaths >= Self.mostIdleDeaths {
      stop(
        AuricleError(.software, "workers keep ending without a file to blame: the last \(signal)"))
    }
  }
}
