// What a supervisor knows of one of its workers.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import PlugInGuard
import RunLedgers

/// A worker with the jobs it has.
final class Worker {
  /// What it is at.
  enum State {
    /// It has been told its work and makes its first chain.
    case starting
    /// It takes jobs.
    case ready
  }

  let handle: any WorkerHandle
  var state = State.starting
  /// Jobs it has, the one it works on first.
  var jobs: [Job] = []
  var doneCount = 0
  /// The number of the job that it has said to be at; nil for none.
  var begunJob: Int?
  /// Whether it has said anything.
  var hasSpoken = false
  /// Whether units have rendered in it.
  var hasRendered = false
  /// What it has made chains for.
  var formats: Set<ChainFormat> = []
  /// The last sign of life, and since when.
  var lastProgress: (value: UInt64, since: ContinuousClock.Instant)
  /// When the present job began, and how long it may take.
  var jobStart: ContinuousClock.Instant
  var jobLimit: Duration?
  /// When its memory was measured last.
  var lastMemoryCheck: ContinuousClock.Instant

  init(_ handle: any WorkerHandle, now: ContinuousClock.Instant) {
    self.handle = handle
    lastProgress = (0, now)
    jobStart = now
    lastMemoryCheck = now
  }

  /// What it does now, as far as that can be true.
  var signs: WorkSigns { WorkSigns(of: self) }

  /// Whether it has said that it is at its first job.
  var isAtWork: Bool { jobs.first.map { $0.number == begunJob } ?? false }

  /// The clock of its first job starts.
  func beginJob(limit: Duration?, now: ContinuousClock.Instant) {
    jobStart = now
    jobLimit = limit
    lastProgress = (handle.reading.progress, now)
    handle.forgetOutput()
  }

  /// Ends it, or notes how it ended; its process is gone then.
  ///
  /// - Parameter reason: Why it is ended now; nil when it ended by itself.
  func end(_ reason: WorkerEnd?) -> SeenEnd {
    // The signs first: they say what was going on.
    let (signs, isBegun) = (signs, isAtWork)
    let ended = handle.end(afterWaiting: reason == nil ? .milliseconds(500) : .zero)
    return SeenEnd(
      end: reason ?? ended ?? .unknown, isByItself: reason == nil, signs: signs, isBegun: isBegun,
      hasRendered: hasRendered)
  }

  /// Takes the job out that it was at when it ended; nil when it was at none.
  func removeBlamedJob(_ seen: SeenEnd) -> Job? {
    let number = seen.signs.reading.job
    let isBetween =
      number == 0 && seen.signs.phase == .close || seen.signs.isDamaged && doneCount > 0
    guard let first = jobs.first,
      seen.isBegun || number == UInt64(first.number) || !seen.isByItself && !isBetween
    else { return nil }
    return jobs.removeFirst()
  }
}
