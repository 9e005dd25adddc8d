// Which file is next: second attempts, what was given back, and what the plan holds.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

extension Supervisor {
  /// The next file; a second attempt only for a fresh worker.
  func takeJob(fresh: Bool) -> Job? {
    if fresh, !retries.isEmpty { return retries.removeFirst() }
    if !returned.isEmpty { return returned.removeFirst() }
    while end == nil, uncommitted < mostUncommitted {
      do throws(AuricleError) {
        guard let entry = try nextEntry() else { return nil }
        if settle(entry) { continue }
        return Job(entry)
      } catch { stop(places.isInPlace ? error : gone(error, "the output folder")) }
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
    guard isReadToEnd, workers.count > 1 else { return ahead.isEmpty ? nil : ahead.removeFirst() }
    guard let largest = ahead.map(\.byteCount).max(),
      let place = ahead.firstIndex(where: { $0.byteCount == largest })
    else { return nil }
    return ahead.remove(at: place)
  }

  /// Files that are looked at before they are begun.
  private static let lookAhead = 48

  func putBack(_ job: Job) {
    if job.attempts > 0 {
      retries.insert(job, at: 0)
    } else {
      returned.insert(job, at: 0)
    }
  }

  /// Accounts for what needs no worker; false when a worker has to do it.
  private func settle(_ entry: PlanEntry) -> Bool {
    if let error = entry.error {
      record(failure(of: entry, error, .input))
      return true
    }
    if entry.isSkipped {
      record(blank(entry, .skipped))
      return true
    }
    return false
  }
}
