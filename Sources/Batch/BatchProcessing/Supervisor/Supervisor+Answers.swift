// What workers answer.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc

extension Supervisor {
  /// Takes a message; what a worker says is checked, never believed.
  func handle(_ message: WorkerMessage, of worker: WorkerProcess) {
    switch message.kind {
    case .units:
      let found = (message.body["units"]?.elements ?? []).compactMap(UnitIdentity.init)
      if knowsUnits {
        // One was installed anew since the first worker looked.
        if found != units { tell(.units(found)) }
        return
      }
      knowsUnits = true
      units = found
      sideFiles = (message.body["files"]?.elements ?? []).compactMap(PresetFile.init)
      tell(.sideFiles(sideFiles))
      tell(.units(units))
      if end == nil, chains.findings.isEmpty, let known = options.recall?(units, sideFiles) {
        chains.take(known)
        for finding in known { tell(.chains(finding)) }
      }
    case .ready:
      worker.state = .ready
      noteTitles(worker)
      if !sandboxIsTold, let text = message.body["sandbox"]?.text {
        sandboxIsTold = true
        tell(.sandbox(text))
      }
    case .refused:
      hear(worker)
      let code = message.body["code"]?.integer.flatMap { Int32(exactly: $0) }
      end =
        end
        ?? .refused(
          WorkerRefusal(
            text: message.body["text"]?.text ?? "the chain cannot be made",
            category: code.flatMap(AuricleError.Category.init) ?? .software))
    case .started:
      guard let job = worker.jobs.first, message.body["job"]?.integer == job.number else { return }
      worker.begunJob = job.number
      noteTitles(worker)
      guard message.body["rendered"]?.boolean == true else { return }
      worker.hasRendered = true
      job.hasRendered = true
      // While the first file is done there is time to look.
      if let format = message.body["chain"].flatMap(ChainFormat.init(json:)) { want(format) }
      guard let seconds = message.body["seconds"]?.number, seconds >= 0, seconds < 1e9,
        options.limits.file == nil
      else { return }
      worker.jobLimit = .seconds(60 + 50 * (seconds + options.setup.settings.longestTail))
    case .finished:
      guard let job = worker.jobs.first, message.body["job"]?.integer == job.number else {
        handleEnd(of: worker, cause: Self.senseless)
        return
      }
      worker.jobs.removeFirst()
      let format = message.body["chain"].flatMap(ChainFormat.init(json:))
      if message.body["again"]?.boolean == true {
        // It has not begun: what its worker did before could be heard in it. Until that is known of
        // its format the worker gets no more.
        if let count = message.body["threads"]?.integer {
          threadHabit.note(count, afterFirstFile: worker.doneCount == 1)
          worker.jobs.insert(job, at: 0)
          return retire(worker)
        }
        takeBack(job)
        if message.body["touched"]?.boolean == true { doubtChains() }
        if let format {
          worker.formats.insert(format)
          want(format)
        }
        if !worker.jobs.isEmpty { begin(worker) }
        return
      }
      if let format {
        worker.formats.insert(format)
        noteFile(format)
      }
      worker.doneCount += 1
      idleDeaths = 0
      finish(job, message.body, of: worker)
      guard workers.contains(where: { $0 === worker }) else { return }
      if message.body["retires"]?.boolean == true { retire(worker) }
      if !worker.jobs.isEmpty { begin(worker) }
    case .setup, .job, .examine, .examined:
      handleEnd(of: worker, cause: Self.senseless)
    }
  }

  /// From here on every file has a process of its own.
  func renewWorkers(_ why: String) {
    guard mayStay else { return }
    mayStay = false
    tell(.note("\(why): every file is done by a process of its own"))
  }

  /// Ends a worker that has become unwell, and gives its next files to another.
  func retire(_ worker: WorkerProcess) {
    for job in worker.jobs.reversed() { takeBack(job) }
    worker.jobs = []
    remove(worker)
  }

  /// A job that was not begun goes back to where it came from.
  func takeBack(_ job: Job) {
    job.attempts -= 1
    job.parts = []
    putBack(job)
  }

  private func finish(_ job: Job, _ body: JSONValue, of worker: WorkerProcess) {
    let entry = job.entry
    if body["error"] == nil {
      guard let result = FileResult(json: body), job.parts.count == entry.outputs.count,
        result.others.count == entry.others.count, let bytes = body["bytes"]?.integer, bytes >= 0,
        let sum = body["xxh64"]?.text.flatMap(Hexadecimal.number),
        job.parts.map(\.byteCount) == [bytes] + result.others.map({ $0.stored?.byteCount ?? -2 })
      else {
        worker.jobs.insert(job, at: 0)
        handleEnd(of: worker, cause: Self.senseless)
        return
      }
      let lengths = [bytes] + result.others.map { $0.stored?.byteCount ?? -2 }
      for (part, length) in zip(job.parts, lengths) { part.completeByteCount = length }
      guard !wasChanged(job) else { return recordChange(job) }
      var record = blank(entry, .done)
      record.result = result
      record.result?.input = entry.input
      record.result?.output = record.output
      for (index, path) in entry.others.enumerated() {
        record.result?.others[index].path = shown(entry, path)
      }
      record.attempts = job.attempts
      record.stored = StoredFile(byteCount: bytes, checksum: sum)
      if let planned = entry.stamp, let now = job.opened, now != planned {
        record.result?.notes.append(
          "\(entry.input) was changed after the run had been planned: it was done as it is now")
      }
      if let book = options.pictureBook, let pictures = FilePictures(json: body["pictures"]) {
        record.pictures = book.add(pictures, index: entry.index)
      }
      let parts = missing(of: job, &record)
      job.parts = []
      breaker.succeeds()
      if let unit = job.refusingUnit {
        renewWorkers("\(unit) refused what it does in a new process")
      }
      uncommitted += 1
      committing.add(record)
      let backup = options.backupSuffix.flatMap { suffix in parts.first.map { $0.name + suffix } }
      committer.submit(
        .result(
          record, parts, replaces: options.existing == .overwrite || backup != nil, backup: backup))
      return
    }
    let code = body["code"]?.integer.flatMap { Int32(exactly: $0) } ?? 70
    let error = AuricleError(
      AuricleError.Category(rawValue: code) ?? .software,
      status: body["status"]?.integer.flatMap { Int32(exactly: $0) } ?? 0,
      body["error"]?.text ?? "failed")
    let isMeddling = isMeddling(job, error, body)
    job.parts = []
    if isMeddling { return meddles(job, error, of: worker) }
    switch body["kind"]?.text {
    case "input":
      // What is wrong may be of neither sound, the one that was there nor the one that is.
      guard !wasChanged(job) else { return recordChange(job) }
      var record = failure(of: entry, error, .input)
      record.attempts = job.attempts
      self.record(record)
    case "output":
      outputFails(entry, error)
    default:
      unitFails(job, error, body, of: worker)
    }
  }

  /// Whether a job's input is another file by now, or has grown, than when it was opened.
  private func wasChanged(_ job: Job) -> Bool {
    guard let opened = job.opened else { return false }
    return FileStamp(path: job.entry.opens ?? job.entry.input) != opened
  }

  private func recordChange(_ job: Job) {
    job.parts = []
    guard !leavesChanged(job) else { return }
    var record = failure(
      of: job.entry,
      AuricleError(
        .temporary,
        "\(job.entry.input) was changed while it was read: do it again when it is complete"),
      .output)
    record.attempts = job.attempts
    self.record(record)
  }

  /// The results that are to get their names; others, which were there before, are accounted for as
  /// they are.
  private func missing(of job: Job, _ record: inout FileRecord) -> [PartFile] {
    guard !job.entry.kept.isEmpty else { return job.parts }
    var wanted: [PartFile] = []
    for (index, part) in job.parts.enumerated() {
      guard job.entry.kept.contains(index) else {
        wanted.append(part)
        continue
      }
      let path = shown(job.entry, job.entry.outputs[index])
      let stored = StoredFile.of(folder: part.folder.descriptor, name: part.name)
      record.kept.append(path)
      if index == 0 {
        record.stored = stored
      } else {
        record.result?.others[index - 1].stored = stored
      }
    }
    return wanted
  }
}
