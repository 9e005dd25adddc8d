// The order of files: second attempts, returned files, and the plan.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem
import RunLedgers

/// The files that are still to be done.
final class JobQueue {
  private var source: any JobSource
  private let store: ResultStore
  private let forms: RecordForms
  private let hasManyWorkers: Bool
  /// Files to try again in fresh workers.
  private var retries: [Job] = []
  /// Files assigned to a worker that had not begun them when it ended.
  private var returned: [Job] = []
  /// Files read from the plan but not begun.
  private var ahead: [PlanEntry] = []
  /// Whether the plan was read to its end.
  private var isReadToEnd = false

  /// The number of files that are read from the plan in advance.
  private static let lookAhead = 48

  init(_ source: any JobSource, workerCount: Int, store: ResultStore, forms: RecordForms) {
    self.source = source
    self.store = store
    self.forms = forms
    hasManyWorkers = workerCount > 1
  }

  /// Whether nothing is left.
  var isEmpty: Bool { isReadToEnd && ahead.isEmpty && retries.isEmpty && returned.isEmpty }
  /// The number of files that no worker has begun; nil until the plan is read to its end.
  var filesLeft: Int? { isReadToEnd ? ahead.count + returned.count : nil }
  /// Whether a second attempt waits for a fresh worker.
  var hasRetry: Bool { retries.contains { !$0.isDeferred } }
  /// Whether a deferred attempt waits for when nothing else is left.
  var hasDeferred: Bool { retries.contains(where: \.isDeferred) }

  /// The next file; a second attempt only for a fresh worker. Files that need no worker are recorded on the
  /// way.
  ///
  /// - Throws: When the plan cannot be read.
  func dequeue(fresh: Bool) throws(AuricleError) -> Job? {
    if fresh, let place = retries.firstIndex(where: { !$0.isDeferred }) {
      return retries.remove(at: place)
    }
    if !returned.isEmpty { return returned.removeFirst() }
    while store.hasRoom {
      guard let entry = try nextEntry() else {
        // Deferred files come last.
        return fresh && !retries.isEmpty ? retries.removeFirst() : nil
      }
      if let error = entry.error {
        store.submit(forms.failure(of: entry, error, .input))
      } else if entry.isSkipped {
        store.submit(forms.blank(entry, .skipped))
      } else {
        return Job(entry)
      }
    }
    return nil
  }

  /// The next file of the plan; the last few are sorted by size, largest first, so that workers finish
  /// together.
  private func nextEntry() throws(AuricleError) -> PlanEntry? {
    // A growing plan is not waited for: a file is begun at once.
    let wanted = source.mayGrow ? 1 : Self.lookAhead
    while !isReadToEnd, ahead.count < wanted {
      guard let entry = try source.next() else {
        isReadToEnd = !source.mayGrow
        break
      }
      ahead.append(entry)
    }
    guard isReadToEnd, hasManyWorkers else { return ahead.isEmpty ? nil : ahead.removeFirst() }
    guard let largest = ahead.map(\.byteCount).max(),
      let place = ahead.firstIndex(where: { $0.byteCount == largest })
    else { return nil }
    return ahead.remove(at: place)
  }

  /// Puts back a file that was not begun.
  func putBack(_ job: Job) {
    // A file that a used worker refused needs a fresh one.
    if job.attempts > 0 || job.refusingUnit != nil {
      retries.insert(job, at: 0)
    } else {
      returned.insert(job, at: 0)
    }
  }

  /// Puts a file back whose attempt did not happen, without counting the attempt.
  func undoAttempt(_ job: Job) {
    job.attempts -= 1
    job.parts = []
    putBack(job)
  }

  /// Adds a file to be tried again.
  func retry(_ job: Job) { retries.append(job) }

  /// Releases all files, which removes their part files.
  func removeAll() {
    retries = []
    returned = []
  }

  // MARK: Inputs that change

  /// Whether a file that is missing or changed since it was planned is left to reappear; recorded in the
  /// ledger.
  func forgets(_ entry: PlanEntry, now: FileStamp?) throws(AuricleError) -> Bool {
    guard try source.forgets(entry, now: now) else { return false }
    store.note([("t", "gone"), ("index", JSONValue(entry.index))])
    return true
  }

  /// Whether another process at the same files has settled one meanwhile.
  func isSettledElsewhere(_ entry: PlanEntry) -> Bool { source.isSettledElsewhere(entry) }

  /// Settles a file that was changed or removed while it was read: it fails, or is left to reappear; then a
  /// note is returned.
  func settleChange(of job: Job) throws(AuricleError) -> String? {
    job.parts = []
    let input = job.entry.input
    let now = FileStamp(path: job.entry.opens ?? input)
    guard try forgets(job.entry, now: now) else {
      store.submit(forms.changed(job.entry, attempts: job.attempts))
      return nil
    }
    let what = now == nil ? "taken away" : "changed"
    let next = now == nil ? "it gets no result" : "it is done when it has settled again"
    return "\(input) was \(what) while it was read: \(next)"
  }

  /// Records the stamp of an input that is about to be read, if it is not the planned one.
  func noteState(of job: Job) {
    guard let planned = job.entry.stamp, let now = job.opened, now != planned else { return }
    store.note([
      ("t", "input"), ("index", JSONValue(job.entry.index)), ("bytes", JSONValue(now.byteCount)),
      ("modified", .integer(now.modified)),
    ])
  }
}
