// Handles messages of workers, all of which are checked.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import PlugInGuard
import RunLedgers

extension Supervisor {
  /// Handles a message.
  func handle(_ message: WorkerMessage, from worker: Worker) {
    switch message {
    case .units(let found, let files):
      if !chain.hasUnits {
        judge.units = found
        opener.keepsWholeSounds = found.contains(where: \.isOffline)
        reuse.suspects = judge.foreignUnits.isEmpty ? judge.allUnits : judge.foreignUnits
      }
      report(chain.found(found, files))
    case .ready(let sandbox, _):
      worker.state = .ready
      judge.noteTitles(of: worker.handle)
      report(chain.newRefusals(of: worker) + chain.entered(sandbox))
    case .refused(let refusal):
      report(chain.newRefusals(of: worker))
      passOnOutput(of: worker)
      stop(.refused(refusal))
    case .started(let number):
      guard let job = worker.jobs.first, number == job.number else { return }
      worker.begunJob = number
      judge.noteTitles(of: worker.handle)
    case .rendering(let rendering): handleRendering(rendering, of: worker)
    case .finished(let answer):
      // Results that depend on a changed file must not be named.
      report(chain.newRefusals(of: worker) + chain.changedFiles())
      guard end == nil else { return }
      guard let job = worker.jobs.first, answer.job == job.number else {
        return handleEnd(of: worker, .senseless)
      }
      handleAnswer(answer, to: job, of: worker)
    case .setup, .job, .probe, .probed: handleEnd(of: worker, .senseless)
    }
  }

  private func handleRendering(_ rendering: RenderingMessage, of worker: Worker) {
    guard let job = worker.jobs.first, rendering.job == job.number else { return }
    worker.hasRendered = true
    job.hasRendered = true
    judge.noteRendering()
    // The probe runs while the first file is processed.
    if let format = rendering.format { reuse.request(format, filesLeft: queue.filesLeft) }
    guard let seconds = rendering.seconds, seconds >= 0, seconds < 1e9, options.limits.file == nil
    else { return }
    worker.jobLimit = options.longestTime(forSeconds: seconds)
  }

  private func handleAnswer(_ answer: JobAnswer, to job: Job, of worker: Worker) {
    if case .notBegun(let reason) = answer.outcome {
      return handleNotBegun(job, reason, answer.format, of: worker)
    }
    if case .done(let file) = answer.outcome, !check.fits(file, job) {
      return handleEnd(of: worker, .senseless)
    }
    worker.jobs.removeFirst()
    if let format = answer.format { worker.note(format) }
    worker.doneCount += 1
    judge.noteAnswer()
    var isUnwell = answer.retires
    switch answer.outcome {
    case .done(let file): finish(job, file)
    case .failed(let failure): isUnwell = fail(job, failure, of: worker) || isUnwell
    case .tampered(let unit):
      isUnwell = true
      if judge.foreignUnits.isEmpty {
        _ = fail(job, DescriptorTampering.failure(unit), of: worker)
      } else {
        apply(judge.judgeTampering(job, nil, forms), to: job)
      }
    case .notBegun: break
    }
    if isUnwell { retire(worker) }
    begin(worker)
  }

  /// Handles a worker that leaves its job to another, since earlier files may be audible in it. It gets no
  /// more jobs until there is a verdict on its format.
  private func handleNotBegun(
    _ job: Job, _ reason: JobAnswer.Reason, _ format: ChainFormat?, of worker: Worker
  ) {
    switch reason {
    case .threadsLeft(let count):
      reuse.noteThreads(count, in: worker)
      retire(worker)
    case .chainUsed(let memoryChanged):
      worker.jobs.removeFirst()
      queue.undoAttempt(job)
      reuse.noteUse(
        of: worker, format, memoryChanged: memoryChanged, filesLeft: queue.filesLeft)
      begin(worker)
    }
  }

  /// Uses a separate process for every further file.
  func renewWorkers(_ why: String) {
    guard reuse.mayStay else { return }
    reuse.stop()
    report(.note("\(why): every file is processed in a separate process"))
  }

  private func finish(_ job: Job, _ file: FinishedFile) {
    guard !check.wasChanged(job) else { return recordChange(job) }
    let (record, parts) = check.record(of: job, file)
    judge.noteSuccess()
    if let unit = job.refusingUnit {
      renewWorkers("\(unit) refused what it does in a new process")
    }
    store.submit(record, parts)
  }

  /// Handles a failed file; true if its worker must not go on, since a unit may have damaged it.
  private func fail(_ job: Job, _ failure: FailedFile, of worker: Worker) -> Bool {
    let error = failure.error
    if failure.kind == .output, !judge.foreignUnits.isEmpty, store.places.isInPlace,
      tampering.isBehind(error, writing: job.parts)
    {
      apply(judge.judgeTampering(job, error, forms), to: job)
      return true
    }
    job.parts = []
    switch failure.kind {
    // The error may be due to the change alone.
    case .input where check.wasChanged(job): recordChange(job)
    case .input:
      store.submit(forms.failure(of: job.entry, error, .input, attempts: job.attempts))
    case .output: stop(store.outputFailed(job.entry, error).map(RunEnd.stopped))
    case .unit, .interruption:
      var record = forms.failure(of: job.entry, error, .unit, attempts: job.attempts)
      record.blame = failure.unit.flatMap(worker.handle.unitName).map {
        FileRecord.Blame(unit: $0, phase: "\(failure.phase)")
      }
      let isFresh = worker.doneCount == 1 && worker.formats.count <= 1
      let verdict = judge.judgeError(job, record, failure, isFresh: isFresh)
      apply(verdict, to: job)
      if case .elsewhere = verdict { return true }
      return failure.phase == .render
    }
    return false
  }

  /// Carries out a verdict.
  func apply(_ verdict: BlameJudge.Verdict, to job: Job) {
    job.parts = []
    switch verdict {
    case .again(let record):
      queue.retry(job)
      report(.retried(record))
    case .elsewhere:
      job.attempts -= 1
      queue.retry(job)
    case .recorded(let record, let end):
      store.submit(record)
      stop(end)
    case .ended(let end): stop(end)
    }
  }

  private func recordChange(_ job: Job) {
    do throws(AuricleError) {
      if let note = try queue.settleChange(of: job) { report(.note(note)) }
    } catch { stop(.stopped(error)) }
  }
}
