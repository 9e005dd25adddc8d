// The loop of a run: sends files to workers and their checked results to the committer.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import RunLedgers

/// Runs files through workers.
///
/// It passes inputs and part files as open descriptors; it reads neither sound nor plug-ins. Its parts:
/// `JobQueue` orders the files, `WorkerPool` holds the processes, `BlameJudge` decides the blame,
/// `ResultStore` commits. Context: control; the thread that makes it must run it to the end, because workers
/// end with that thread.
public final class Supervisor {
  let options: SupervisorOptions
  let forms: RecordForms
  let store: ResultStore
  let opener: JobOpener
  let check: ResultCheck
  let queue: JobQueue
  let pool: WorkerPool
  let tampering: DescriptorTampering
  var judge: BlameJudge
  var chain = ChainReports()
  var end: RunEnd?
  /// Decides whether workers may process several files.
  let reuse: ReuseProbe
  private var liveness: LivenessWatch
  private var summary = RunSummary()
  private var observe: (RunEvent) throws(AuricleError) -> Void = { _ throws(AuricleError) in }

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - options: The options of the run.
  ///   - source: The files.
  ///   - journal: The ledger to record in; nil for none.
  /// - Throws: When the output folder cannot be opened or created.
  public convenience init(
    options: SupervisorOptions, source: any JobSource, journal: RunJournal? = nil
  ) throws(AuricleError) {
    try self.init(
      options: options, source: source, journal: journal,
      launcher: ProcessLauncher(
        program: options.program, arguments: options.arguments,
        scratchFolder: options.setup.sandbox.scratchFolder),
      clock: SystemClock())
  }

  /// Prepares a run with workers and a clock of the caller's.
  package init(
    options: SupervisorOptions, source: any JobSource, journal: RunJournal? = nil,
    launcher: any WorkerLauncher, clock: any SupervisorClock
  ) throws(AuricleError) {
    let isWatch = source.mayGrow
    self.options = options
    forms = RecordForms(options, isWatch: isWatch)
    store = try ResultStore(options, forms: forms, journal: journal)
    check = ResultCheck(options, forms: forms)
    queue = JobQueue(source, workerCount: options.workerCount, store: store, forms: forms)
    opener = JobOpener(options, store: store, forms: forms, queue: queue, isWatch: isWatch)
    pool = WorkerPool(count: options.workerCount, launcher: launcher, clock: clock)
    tampering = DescriptorTampering(options)
    judge = BlameJudge(failureLimit: options.limits.failuresInRow)
    liveness = LivenessWatch(options, clock: clock)
    reuse = ReuseProbe(options.setup, options.verdicts, pool)
    reuse.report = { [unowned self] in handle($0) }
  }

  /// Adopts verdicts of earlier runs of this chain. Context: the thread that runs the supervisor.
  public func adopt(_ verdicts: [ReuseVerdict]) {
    reuse.adopt(verdicts)
    for verdict in verdicts { handle(.found(verdict)) }
  }

  /// Runs until all files are done or the run ends.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked several times a second; true ends the run.
  ///   - observe: Receives events, on the calling thread; an error it throws stops the run.
  public func run(
    shouldStop: () -> Bool,
    observe: @escaping (RunEvent) throws(AuricleError) -> Void
  ) -> RunSummary {
    self.observe = observe
    // An observer that knows this supervisor must not keep it, and with it the lock of the run.
    defer { self.observe = { _ throws(AuricleError) in } }
    for note in options.notes { report(.note(note)) }
    while end == nil {
      if shouldStop() { end = .interrupted }
      dispatch()
      let isDone = queue.isEmpty && store.pendingCount == 0 && pool.isIdle
      if let error = store.lossOfOutput(pool.clock.now, isLast: isDone) { stop(.stopped(error)) }
      if isDone { stop(.finished) }
      guard end == nil else { break }
      wait()
      for (worker, reason) in liveness.overdue(pool.workers, probing: reuse.worker)
      where end == nil && isAlive(worker) { handleEnd(of: worker, reason) }
      pool.cleanUp(sparing: probingWorkers)
      report(chain.changedFiles() + [.tick])
    }
    reuse.cancel()
    pool.removeAll()
    queue.removeAll()
    store.note(end ?? .finished)
    store.finish(handle)
    summary.end = end ?? .finished
    return summary
  }

  /// The current work of the workers.
  public var activities: [WorkerActivity] { pool.workers.compactMap(\.activity) }

  /// Files that workers have finished and that are not recorded yet.
  public var committing: CommittingWork { store.committing }

  /// Reports an event to the observer and, where it is kept, to the ledger.
  func report(_ event: RunEvent) {
    store.note(event)
    do throws(AuricleError) { try observe(event) } catch { stop(.stopped(error)) }
  }

  /// Reports events.
  func report(_ events: [RunEvent]) { events.forEach(report) }

  /// Ends the run, unless it has ended.
  func stop(_ end: RunEnd?) {
    if self.end == nil { self.end = end }
  }

  private func handle(_ event: ResultStore.Event) {
    switch event {
    case .recorded(let record):
      summary.add(record)
      report(.recorded(record))
    case .stopped(let error): stop(.stopped(error))
    }
  }

  private func handle(_ event: ReuseProbe.Event) {
    switch event {
    case .found(let verdict): report(.reuse(verdict))
    case .note(let text): report(.note(text))
    case .failed(let error): stop(.stopped(error))
    }
  }

  /// Waits for workers and the committer, at most a tenth of a second, and handles their messages.
  private func wait() {
    let activity = pool.wait(besides: probingWorkers, or: store.committer.wake)
    if activity.isWokenUp { store.collect().forEach(handle) }
    for worker in activity.printing { passOnOutput(of: worker) }
    for worker in activity.speaking { receive(from: worker) }
  }

  private func receive(from worker: Worker) {
    while end == nil, isAlive(worker) {
      switch worker.handle.receive() {
      case .message(let message):
        worker.hasSpoken = true
        if worker === reuse.worker {
          reuse.receive(message)
        } else {
          handle(message, from: worker)
        }
      case .nothing: return
      case .closed: handleEnd(of: worker, nil)
      // A unit in it writes to the worker's socket.
      case .senseless: handleEnd(of: worker, .senseless)
      }
    }
  }

  /// Reports the output of a worker.
  func passOnOutput(of worker: Worker) {
    for line in pool.newLines(of: worker) { report(.said(line)) }
  }

  private func isAlive(_ worker: Worker) -> Bool {
    worker === reuse.worker || pool.contains(worker)
  }

  private var probingWorkers: [Worker] { reuse.worker.map { [$0] } ?? [] }
}
