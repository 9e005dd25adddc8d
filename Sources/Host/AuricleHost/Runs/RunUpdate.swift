// The reports of a run, and its outcome.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import RunLedgers
public import RunReports
public import Workers

/// The start of a run, or of a further session of it.
public struct RunStart {
  /// Its name and paths.
  public var context: RunContext
  /// The number of its files; nil for a watched folder.
  public var fileCount: Int?
  /// The state after earlier sessions; nil for a run without a ledger.
  public var before: RunState?
  /// Its progress.
  public var meter: ProgressMeter
}

/// The end of a run, or of a session of it.
public struct RunOutcome {
  /// Its name and paths.
  public var context: RunContext
  /// The counts of this session, and why it ended.
  public var summary: RunSummary
  /// The state after all sessions; nil without a ledger, or when it cannot be read any more.
  public var state: RunState?
  /// Files of a watched folder that were found but not settled.
  public var waitingCount = 0
  /// Files of a watched folder that failed and are tried again by the next watch.
  public var againCount = 0
  /// The exit code for a program that does nothing else: 0 when all is done.
  public var exitCode: Int32

  init(_ context: RunContext, _ summary: RunSummary, _ state: RunState? = nil) {
    self.context = context
    self.summary = summary
    self.state = state
    exitCode = summary.exitCode
  }
}

/// An update that a run reports.
public enum RunUpdate {
  /// A note before anything is begun, as a sentence.
  case message(String)
  /// The run begins.
  case began(RunStart)
  /// An event of the run.
  case event(RunEvent)
  /// Some time has passed; the current work of workers.
  case progress([WorkerActivity])
  /// The run has ended; its report is about to be written.
  case ended(RunOutcome)
  /// Something went wrong that does not change how the run ended.
  case warning(AuricleError)
  /// Nothing was begun, because of the error that is about to be thrown.
  case refused(AuricleError)
}

/// Follows a run and ends it.
public struct RunControl {
  /// Called several times a second, from any thread; true ends the run once current files are done.
  public var shouldStop: @Sendable () -> Bool
  /// Receives updates, in the thread that runs it.
  public var onUpdate: (RunUpdate) -> Void

  /// Makes a control; without arguments a run continues to its end, unobserved.
  public init(
    shouldStop: @escaping @Sendable () -> Bool = { false },
    onUpdate: @escaping (RunUpdate) -> Void = { _ in }
  ) {
    self.shouldStop = shouldStop
    self.onUpdate = onUpdate
  }

  /// Runs a preparation whose failure is reported as a refusal.
  func refusing<Value>(_ body: () throws(AuricleError) -> Value) throws(AuricleError) -> Value {
    do throws(AuricleError) { return try body() } catch {
      onUpdate(.refused(error))
      throw error
    }
  }
}
