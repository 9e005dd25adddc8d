// Finds workers that hang, exceed the time limit, or use too much memory.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import PlugInGuard
import RunLedgers

/// Decides from heartbeats which workers to end.
struct LivenessWatch {
  private let limits: WorkLimits
  private let memoryLimit: Int
  private let clock: any SupervisorClock
  private var lastRound: ContinuousClock.Instant

  /// The interval at which the memory of a worker is measured.
  private static let memoryInterval = Duration.milliseconds(100)
  /// The longest round of the supervisor unless its process was stopped.
  private static let longestRound = Duration.seconds(2)

  init(_ options: SupervisorOptions, clock: any SupervisorClock) {
    limits = options.limits
    memoryLimit = options.setup.sandbox.memoryLimit
    self.clock = clock
    lastRound = clock.now
  }

  /// The workers to end now, and why; idle workers are left alone.
  mutating func overdue(_ workers: [Worker], probing: Worker?) -> [(Worker, WorkerEnd)] {
    let now = clock.now
    let all = workers + (probing.map { [$0] } ?? [])
    forgive(now - lastRound, all)
    lastRound = now
    return all.compactMap { worker in
      let isProbing = worker === probing
      guard worker.state == .starting || !worker.jobs.isEmpty || isProbing else { return nil }
      return end(worker, now, isBusy: isProbing || !worker.jobs.isEmpty).map { (worker, $0) }
    }
  }

  private func end(_ worker: Worker, _ now: ContinuousClock.Instant, isBusy: Bool) -> WorkerEnd? {
    // The kernel limits private memory; shared memory and files in memory it does not count.
    if memoryLimit > 0, now - worker.lastMemoryCheck > Self.memoryInterval {
      worker.lastMemoryCheck = now
      if worker.handle.usesMemory(above: memoryLimit) { return .memoryLimit }
    }
    let signs = worker.signs
    // A heartbeat that no worker writes is no progress.
    if signs.isSensible, signs.reading.progress != worker.lastProgress.value {
      worker.lastProgress = (signs.reading.progress, now)
    } else {
      let isWritten = worker.isAtWork && !signs.isSensible
      let limit = isWritten ? limits.stall : stallLimit(signs.phase)
      if now - worker.lastProgress.since > .seconds(limit) { return .hang }
    }
    if let limit = worker.jobLimit, isBusy, now - worker.jobStart > limit { return .timeLimit }
    return nil
  }

  /// Adds the time in which this process was stopped or the machine slept to all deadlines.
  private func forgive(_ pause: Duration, _ workers: [Worker]) {
    guard pause > Self.longestRound else { return }
    for worker in workers {
      worker.lastProgress.since += pause
      worker.jobStart += pause
    }
  }

  private func stallLimit(_ phase: WorkPhase) -> Double {
    switch phase {
    case .render: limits.stall
    case .load, .instantiate, .initialize, .reset, .close: limits.open
    // No unit is running: a short limit for units must not fail on a busy machine.
    case .idle, .prepare: max(limits.open, WorkLimits().open)
    case .read, .write, .verify: limits.transfer
    }
  }
}
