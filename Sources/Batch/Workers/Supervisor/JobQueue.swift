// Which file is next: second attempts, what was returned, and what the plan holds.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem
import RunLedgers

/// The files that are to be done yet.
final class JobQueue {
  private var source: any JobSource
  private let store: ResultStore
  private let forms: RecordForms
  private let hasManyWorkers: Bool
  /// Files to be tried again, in fresh workers.
  private var retries: [Job] = []
  /// Files that a worker was given but had not begun when it ended.
  private var returned: [Job] = []
  /// Files of the plan that were read and not begun.
  private var ahead: [PlanEntry] = []
  /// Whether the plan holds no more.
  private var isReadToEnd = false

  /// Files that are read from the plan before they are begun.
  private static let lookAhead = 48

  init(_ source: any JobSource, workerCount: Int, store: ResultStore, forms: RecordForms) {
    self.source = source
    self.store = store
    self.forms = forms
    hasManyWorkers = workerCount > 1
  }

  /// Whether nothing is left.
  var isEmpty: Bool { isReadToEnd && ahead.isEmpty && retries.isEmpty && returned.isEmpty }
  /// Files that no worker has begun; nil while the plan is not read to its end.
  var filesLeft: Int? { isReadToEnd ? ahead.count + returned.count : nil }
  /// Whether a fresh worker is wanted for a second attempt now.
  var hasRetry: Bool { retries.contains { !$0.isDeferred } }
  /// Whether one is wanted when nothing else is left.
  var hasDeferred: Bool { retries.contains(where: \.isDeferred) }

  /// The next file; a second attempt only for a fresh worker. What needs no worker is accounted for on
  /// the way.
  ///
  /// - Throws: When the plan cannot be read.
  func dequeue(fresh: Bool) throws(AuricleError) -> Job? {
    if fresh, let place = retries.firstIndex(where: { !$0.isDeferred }) {
      return retries.remove(at: place)
    }
    if !returned.isEmpty { return returned.removeFirst() }
    while store.hasRoom {
      guard let entry = try nextEntry() else {
        // Others were to be tried before these.
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

  /// The next file of the plan; of the last few the largest first, so that workers end together.
  private func nextEntry() throws(AuricleError) -> PlanEntry? {
    // What may still come is not waited for, and what has come is begun at once.
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

  /// A file that was not begun goes back to where it came from.
  func putBack(_ job: Job) {
    // What a used worker refused is for a fresh one alone.
    if job.attempts > 0 || job.refusingUnit != nil {
      retries.insert(job, at: 0)
    } else {
      returned.insert(job, at: 0)
    }
  }

  /// An attempt that did not take place: its file goes back.
  func takeBack(_ job: Job) {
    job.attempts -= 1
    job.parts = []
    putBack(job)
  }

  /// A file is to be tried again.
  func retry(_ job: Job) { retries.append(job) }

  /// Lets go of all files, so that what is unfinished is removed.
  func removeAll() {
    retries = []
    returned = []
  }

  // MARK: Inputs that change

  /// Whether a file that is not there, or not as it was planned, is left to come again; the ledger is
  /// told.
  func forgets(_ entry: PlanEntry, now: FileStamp?) throws(AuricleError) -> Bool {
    guard try source.forgets(entry, now: now) else { return false }
    store.note([("t", "gone"), ("index", JSONValue(entry.index))])
    return true
  }

  /// A file was changed or taken away while it was read: it fails, or is left to come again, and then
  /// there is something to tell.
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

  /// Notes the state of an input that is about to be read, where it is not the planned one.
  func noteState(of job: Job) {
    guard let planned = job.entry.stamp, let now = job.opened, now != planned else { return }
    store.note([
      ("t", "input"), ("index", JSONValue(job.entry.index)), ("bytes", JSONValue(now.byteCount)),
      ("modified", .integer(now.modified)),
    ])
  }
}
