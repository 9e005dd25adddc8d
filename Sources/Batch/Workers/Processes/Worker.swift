// A supervisor's knowledge of one of its workers.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import HostSystem
import PlugInGuard
import RunLedgers

/// A worker with the jobs it has.
final class Worker {
  /// Its state.
  enum State {
    /// It has received its setup and makes its first chain.
    case starting
    /// It accepts jobs.
    case ready
  }

  let handle: any WorkerHandle
  var state = State.starting
  /// Its jobs; the first is the one it works on.
  var jobs: [Job] = []
  var doneCount = 0
  /// The number of the job that it reported as begun; nil for none.
  var begunJob: Int?
  /// Whether it has sent any message.
  var hasSpoken = false
  /// Whether units have rendered in it.
  var hasRendered = false
  /// The formats it has made chains for.
  private(set) var formats: [ChainFormat] = []
  /// The last progress count, and since when it has not changed.
  var lastProgress: (value: UInt64, since: ContinuousClock.Instant)
  /// When the current job began, and its time limit.
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

  /// Its heartbeat, checked.
  var signs: WorkerSigns { WorkerSigns(of: self) }

  /// Whether it has reported its first job as begun.
  var isAtWork: Bool { jobs.first.map { $0.number == begunJob } ?? false }

  /// Notes a format that it has made chains for.
  func note(_ format: ChainFormat) {
    if !formats.contains(format) { formats.append(format) }
  }

  /// Starts the clock of its first job.
  func beginJob(limit: Duration?, now: ContinuousClock.Instant) {
    jobStart = now
    jobLimit = limit
    lastProgress = (handle.reading.progress, now)
    handle.forgetOutput()
  }

  /// Ends it, or notes how it ended; its process no longer exists afterwards.
  ///
  /// - Parameter reason: Why it is ended now; nil when it ended by itself.
  func end(_ reason: WorkerEnd?) -> SeenEnd {
    // The heartbeat is read first: it shows the unit and phase.
    let (signs, isBegun) = (signs, isAtWork)
    let ended = handle.end(afterWaiting: reason == nil ? .milliseconds(500) : .zero)
    let end = reason ?? ended ?? .unknown
    return SeenEnd(
      end: end, isByItself: reason == nil, signs: signs, isBegun: isBegun, hasRendered: hasRendered,
      place: end.signal.flatMap { handle.crashPlace(signal: $0) }?.text)
  }

  /// Removes and returns the job it was working on when it ended; nil when there was none.
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
