// Assigns files to workers, and starts missing workers.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import RunLedgers

extension Supervisor {
  /// Inputs up to this size are assigned ahead, so that a worker need not wait between them.
  private static let smallFile = 1 << 20

  /// Assigns files to all workers.
  func dispatch() {
    for place in pool.places.indices {
      guard end == nil, store.hasRoom else { return }
      if let worker = pool.places[place], worker.state == .ready { feed(worker) }
      guard pool.places[place] == nil else { continue }
      // The first worker scans the installed units, which may be slow, and caches the result for the others.
      guard chain.hasUnits || pool.workers.isEmpty else { break }
      guard let job = dequeue(fresh: true) else { continue }
      // The job is put back until the worker is ready.
      queue.putBack(job)
      var setup = reuse.setup(options.setup)
      setup.wantsSideFiles = !chain.hasUnits
      do throws(AuricleError) { try pool.start(setup, at: place) } catch { stop(.stopped(error)) }
    }
    if end == nil { reuse.advance() }
  }

  /// Whether a worker may do another file: not when earlier files may be audible in it. Nil while a probe is
  /// about to answer that.
  private func mayGoOn(_ worker: Worker) -> Bool? {
    reuse.allowsMore(after: worker.formats, filesLeft: queue.filesLeft)
  }

  private func feed(_ worker: Worker) {
    while end == nil, store.hasRoom {
      if let first = worker.jobs.first {
        let hasServed = reuse.isNeedless ? worker.doneCount > 0 : !worker.formats.isEmpty
        guard reuse.mayStay, hasServed, mayGoOn(worker) == true, worker.jobs.count < 2,
          first.entry.byteCount < Self.smallFile, first.attempts == 1,
          let job = dequeue(fresh: false)
        else { return }
        guard job.entry.byteCount < Self.smallFile else { return queue.putBack(job) }
        assign(job, to: worker)
        continue
      }
      let isFresh = worker.doneCount == 0
      // A second attempt needs a fresh worker.
      if !isFresh, queue.hasRetry { return pool.remove(worker) }
      guard let job = dequeue(fresh: isFresh) else {
        if !isFresh, queue.hasDeferred { pool.remove(worker) }
        return
      }
      let mayGoOn = mayGoOn(worker)
      guard mayGoOn == true else {
        queue.putBack(job)
        if mayGoOn == false { pool.remove(worker) }
        return
      }
      assign(job, to: worker)
    }
  }

  /// The next file; a second attempt only for a fresh worker.
  func dequeue(fresh: Bool) -> Job? {
    guard end == nil else { return nil }
    do throws(AuricleError) { return try queue.dequeue(fresh: fresh) } catch {
      stop(.stopped(store.places.isInPlace ? error : error.gone("the output folder")))
      return nil
    }
  }

  /// Opens input and results of a file and sends them to a worker.
  private func assign(_ job: Job, to worker: Worker) {
    do throws(AuricleError) {
      guard let opened = try opener.open(job) else { return }
      var message = opened.message
      message.reuse = reuse.permission
      worker.jobs.append(job)
      if worker.jobs.count == 1 { begin(worker) }
      worker.handle.send(.job(message), descriptors: opened.descriptors)
    } catch { stop(.stopped(error)) }
  }

  /// Starts the clock of a worker's first job, if it has one.
  func begin(_ worker: Worker) {
    guard let job = worker.jobs.first else { return }
    worker.beginJob(limit: options.timeLimit(of: job.entry), now: pool.clock.now)
    report(.started(index: job.entry.index, input: job.entry.input))
  }
}
