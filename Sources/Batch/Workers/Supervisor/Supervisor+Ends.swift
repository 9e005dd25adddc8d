// Handles the ends of workers and the files they had.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PlugInGuard

extension Supervisor {
  /// Handles a worker that ended or is to end: its files are judged or reassigned.
  ///
  /// `reason` is nil when it ended by itself; otherwise it is ended now.
  func handleEnd(of worker: Worker, _ reason: WorkerEnd?) {
    passOnOutput(of: worker)
    report(chain.newRefusals(of: worker))
    if worker === reuse.worker { return reuse.workerEnded(reason) }
    var seen = worker.end(reason)
    passOnOutput(of: worker)
    seen.lastLine = worker.handle.lastLine
    let blamed = worker.removeBlamedJob(seen)
    retire(worker)
    if worker.state == .starting {
      if let unit = seen.unitInMaking { return failBeforeFiles(unit, seen) }
      // The next file counts as the one that met the unit.
      guard let job = dequeue(fresh: true) else { return }
      job.attempts += 1
      apply(judge.judgeEnd(of: job, seen, forms), to: job)
    } else if let blamed {
      apply(judge.judgeEnd(of: blamed, seen, forms), to: blamed)
    } else {
      exitBetweenJobs(worker, seen)
    }
  }

  /// Ends a worker that is not healthy any more; its jobs are reassigned.
  func retire(_ worker: Worker) {
    for job in worker.jobs.reversed() { queue.undoAttempt(job) }
    worker.jobs = []
    pool.remove(worker)
  }

  /// Handles a unit that ended a worker without a file.
  private func failBeforeFiles(_ unit: String, _ seen: SeenEnd) {
    let line = seen.lastLine.map { "; it said: \($0)" } ?? ""
    report(.note("\(unit) \(seen.clause)\(line); no file is to blame"))
    if case .ended(let end) = judge.judgeEarlyEnd(nil, nil, unit: unit, how: seen.clause) {
      stop(end)
    }
  }

  /// Handles an idle worker that ended: no file is to blame, but it must not happen for ever.
  private func exitBetweenJobs(_ worker: Worker, _ seen: SeenEnd) {
    if reuse.mayStay, let why = judge.reasonToRenew(seen, doneCount: worker.doneCount) {
      return renewWorkers(why)
    }
    let who = seen.signs.phase.isOfUnit ? seen.signs.unit ?? "a unit" : "a worker"
    report(.note("\(who) \(seen.clause); no file is lost by it"))
    stop(judge.judgeExitBetweenJobs(seen))
  }
}
