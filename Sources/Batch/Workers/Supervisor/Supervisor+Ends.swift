// Workers that end, by themselves or not: what becomes of their files.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PlugInGuard

extension Supervisor {
  /// A worker has ended, or is to: its files are judged or given to others.
  ///
  /// `reason` is nil when it ended by itself; else it is ended now, for that.
  func handleEnd(of worker: Worker, _ reason: WorkerEnd?) {
    passOnOutput(of: worker)
    reportRefusals(of: worker)
    if worker === reuse.worker { return reuse.workerEnded(reason) }
    var seen = worker.end(reason)
    passOnOutput(of: worker)
    seen.lastLine = worker.handle.lastLine
    let blamed = worker.removeBlamedJob(seen)
    retire(worker)
    if worker.state == .starting {
      if let unit = seen.unitInMaking { return failBeforeFiles(unit, seen) }
      // It was to do the next file: that is the one that meets the unit.
      guard let job = dequeue(fresh: true) else { return }
      job.attempts += 1
      judgeEnd(of: job, seen)
    } else if let blamed {
      judgeEnd(of: blamed, seen)
    } else {
      exitBetweenJobs(worker, seen)
    }
  }

  /// Ends a worker that has become unwell; its jobs go to others.
  func retire(_ worker: Worker) {
    for job in worker.jobs.reversed() { queue.takeBack(job) }
    worker.jobs = []
    pool.remove(worker)
  }

  private func judgeEnd(of job: Job, _ seen: SeenEnd) {
    if seen.isKilled { job.killCount += 1 }
    job.parts = []
    let phase = seen.signs.phase
    if !seen.signs.isDamaged, seen.isBegun, phase == .render || phase == .write {
      job.hasRendered = true
    }
    let (record, suspects) = judge.record(of: job, seen, forms)
    if let unit = seen.unitInMaking,
      let verdict = judge.judgeEarlyEnd(job, record, unit: unit, how: seen.clause)
    {
      apply(verdict, to: job)
    } else {
      apply(judge.judge(job, record, suspects: suspects), to: job)
    }
  }

  /// A unit ended a worker that had no file yet.
  private func failBeforeFiles(_ unit: String, _ seen: SeenEnd) {
    let line = seen.lastLine.map { "; it said: \($0)" } ?? ""
    report(.note("\(unit) \(seen.clause)\(line); no file is to blame"))
    if case .ended(let end) = judge.judgeEarlyEnd(nil, nil, unit: unit, how: seen.clause) {
      stop(end)
    }
  }

  /// A worker ended that had nothing to do: no file is to blame, but it must not go on for ever.
  private func exitBetweenJobs(_ worker: Worker, _ seen: SeenEnd) {
    if mayStay, let why = judge.reasonToRenew(seen, doneCount: worker.doneCount) {
      return renewWorkers(why)
    }
    let who = seen.signs.phase.isOfUnit ? seen.signs.unit ?? "a unit" : "a worker"
    report(.note("\(who) \(seen.clause); no file is lost by it"))
    stop(judge.judgeExitBetweenJobs(seen))
  }
}
