// Files to workers: opening both ends, and starting workers where they are missing.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CHostSystem
import Glibc

extension Supervisor {
  /// Files that may wait for the committer; their results are open files, 256 at most and a quarter
  /// of what this process may have.
  var mostUncommitted: Int {
    max(2, Self.mostOpenResults / max(1, options.setup.settings.deliverables.count))
  }
  private static let mostOpenResults: Int = {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    return limit > 0 ? min(256, limit / 4) : 256
  }()
  /// Inputs up to this size are given ahead, so that a worker need not wait between them.
  private static let smallFile = 1 << 20

  /// Gives every worker something to do.
  func dispatch() {
    for index in workers.indices {
      guard end == nil, uncommitted < mostUncommitted else { return }
      if let worker = workers[index], worker.state == .ready { feed(worker) }
      if workers[index] == nil {
        // The first looks for what is installed, which may take long, and remembers it for the others.
        guard knowsUnits || !workers.contains(where: { $0 != nil }) else { break }
        guard let job = takeJob(fresh: true) else { continue }
        // It goes back to its place until the worker is ready.
        putBack(job)
        start(index)
      }
    }
    examine()
  }

  private func feed(_ worker: WorkerProcess) {
    while end == nil, uncommitted < mostUncommitted {
      guard let first = worker.jobs.first else {
        let isFresh = worker.doneCount == 0
        if !isFresh, !retries.isEmpty {
          // A second attempt is made by a worker without a past.
          remove(worker)
          return
        }
        guard let job = takeJob(fresh: isFresh) else { return }
        switch mayGoOn(worker) {
        case true?: give(job, to: worker)
        case false?:
          putBack(job)
          remove(worker)
          return
        case nil:
          putBack(job)
          return
        }
        continue
      }
      guard mayStay, !worker.formats.isEmpty, mayGoOn(worker) == true, worker.jobs.count < 2,
        first.entry.byteCount < Self.smallFile,
        first.attempts == 1
      else { return }
      guard let job = takeJob(fresh: false) else { return }
      guard job.entry.byteCount < Self.smallFile else {
        putBack(job)
        return
      }
      give(job, to: worker)
    }
  }

  private func start(_ index: Int) {
    do throws(AuricleError) {
      let worker = try WorkerProcess(
        program: options.program, arguments: options.arguments + ["\(getpid())"])
      workers[index] = worker
      var setup = options.setup
      setup.mayStay = mayStay
      setup.tellsSideFiles = !knowsUnits
      setup.usualThreads = threadHabit.count
      // When it is gone already, its end tells.
      _ = worker.channel.send(WorkerMessage(kind: .setup, body: setup.json))
    } catch { stop(error) }
  }

  /// Opens both ends of a file and passes them on.
  private func give(_ job: Job, to worker: WorkerProcess) {
    let entry = job.entry
    job.attempts += 1
    job.number = nextNumber
    nextNumber += 1
    let input: Int32
    do throws(AuricleError) {
      input = try InputFile.open(entry.opens ?? entry.input)
    } catch {
      if error.category == .temporary || isGone(entry.input) {
        stop(gone(error, "what \(entry.input) lies on"))
      } else if error.category != .noInput || !forgets(entry, now: nil) {
        record(failure(of: entry, error, .input))
      }
      return
    }
    defer { close(input) }
    job.opened = FileStamp(descriptor: input)
    if forgets(entry, now: job.opened) { return }
    noteState(of: job)
    do throws(AuricleError) {
      job.parts = []
      for (index, output) in entry.outputs.enumerated() {
        let (folder, name) = try places.place(of: output)
        if !entry.kept.contains(index), existsUnwanted(entry, output, folder, name) {
          job.parts = []
          return
        }
        job.parts.append(
          try PartFile(
            folder: folder, name: name, run: options.run, shownPath: shown(entry, output)))
      }
      var descriptors = [input] + job.parts.map(\.descriptor)
      var spool: Int32 = -1
      if options.setup.settings.needsSpool, let folder = job.parts.first?.folder {
        spool = try folder.makeNamelessFile(run: options.run)
        descriptors.append(spool)
      }
      defer { if spool >= 0 { close(spool) } }
      worker.jobs.append(job)
      if worker.jobs.count == 1 { begin(worker) }
      _ = worker.channel.send(
        WorkerMessage(
          kind: .job, body: message(job, hasSpool: spool >= 0, fileCount: descriptors.count),
          descriptors: descriptors))
    } catch {
      outputFails(entry, error)
    }
  }

  /// Whether a file that is not there, or not as it was planned, is left to come again; the ledger is
  /// told.
  private func forgets(_ entry: PlanEntry, now: FileStamp?) -> Bool {
    do throws(AuricleError) {
      guard try source.forgets(entry, now: now) else { return false }
      submit([("t", "gone"), ("index", JSONValue(entry.index))])
    } catch { stop(error) }
    return true
  }

  /// Whether a file that was changed or taken away while it was read is left to come again.
  func leavesChanged(_ job: Job) -> Bool {
    let input = job.entry.input
    let now = FileStamp(path: job.entry.opens ?? input)
    guard forgets(job.entry, now: now) else { return false }
    let what = now == nil ? "taken away" : "changed"
    let next = now == nil ? "it gets no result" : "it is done when it has settled again"
    tell(.note("\(input) was \(what) while it was read: \(next)"))
    return true
  }

  /// Notes the state of an input that is about to be read, where it is not the planned one.
  private func noteState(of job: Job) {
    guard let planned = job.entry.stamp, let now = job.opened, now != planned else { return }
    submit([
      ("t", "input"), ("index", JSONValue(job.entry.index)), ("bytes", JSONValue(now.byteCount)),
      ("modified", .integer(now.modified)),
    ])
  }

  /// What a worker is told of a file.
  private func message(_ job: Job, hasSpool: Bool, fileCount: Int) -> JSONValue {
    let entry = job.entry
    return .members([
      ("job", JSONValue(job.number)), ("input", .string(entry.input)),
      ("outputs", .array(entry.outputs.map { .string(shown(entry, $0)) })),
      ("spool", .boolean(hasSpool)), ("files", JSONValue(fileCount)),
      ("habits", chains.habits), ("memory", .string(chains.memory.rawValue)),
      ("variant", entry.variant.map(JSONValue.init)),
      ("key", entry.variant == nil ? nil : .string(entry.key)),
    ])
  }

  /// The clock of a worker's first job starts.
  func begin(_ worker: WorkerProcess) {
    worker.jobStart = .now
    worker.jobLimit = options.limits.file.map { .seconds($0) } ?? longestOfSize(worker)
    worker.lastProgress = (worker.reading.progress, .now)
    worker.forgetWords()
    if let job = worker.jobs.first {
      tell(.started(index: job.entry.index, input: job.entry.input))
    }
  }

  /// How long a file may take as long as nothing but its size is known: that of the longest sound
  /// that fits, at 1000 bytes a second.
  private func longestOfSize(_ worker: WorkerProcess) -> Duration? {
    guard let job = worker.jobs.first else { return nil }
    let seconds = Double(job.entry.byteCount) / 1000 + options.setup.settings.longestTail
    return .seconds(60 + 50 * seconds)
  }

  /// A result that came into being since the plan was made is not touched. An earlier session may
  /// have written it: then it is made again, and counts where the bytes are the same.
  private func existsUnwanted(
    _ entry: PlanEntry, _ output: String, _ folder: OpenFolder, _ name: String
  ) -> Bool {
    guard options.existing != .overwrite, options.backupSuffix == nil,
      !options.mayHaveLeftovers || options.existing == .skip
    else { return false }
    var status = stat()
    guard unsafe fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return false
    }
    record(alreadyThere(entry, output))
    return true
  }

  /// The record of a file whose result is there and is not to be replaced.
  func alreadyThere(_ entry: PlanEntry, _ output: String) -> FileRecord {
    if options.existing == .skip {
      return blank(entry, .skipped)
    }
    return failure(
      of: entry,
      AuricleError(
        .inputOutput,
        "\(shown(entry, output)) is there already and is not overwritten"
          // What a plan says of it stays; a watch may be given again otherwise.
          + (source.mayGrow
            ? ": move it away, or give the same watch again with --on-exists overwrite"
            : " (it was not when the run was planned): move it away and resume the run")),
      .output)
  }
}
