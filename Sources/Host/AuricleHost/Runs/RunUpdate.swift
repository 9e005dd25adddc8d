// What a run reports while it goes on, and how it ended.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import RunLedgers
public import RunReports
public import Workers

/// The start of a run, or of a further session of it.
public struct RunStart {
  /// Its name and places.
  public var context: RunContext
  /// The number of its files; nil for a folder that is watched.
  public var fileCount: Int?
  /// What earlier sessions did; nil for a run without a ledger.
  public var before: RunState?
  /// How far it is, whenever it is asked.
  public var meter: ProgressMeter
}

/// The end of a run, or of a session of it.
public struct RunOutcome {
  /// Its name and places.
  public var context: RunContext
  /// What this session did, and why it ended.
  public var summary: RunSummary
  /// What all sessions did; nil without a ledger, or when that cannot be read any more.
  public var state: RunState?
  /// Files of a watched folder that were seen and not brought to an end.
  public var waitingCount = 0
  /// Files of a watched folder that failed and are tried again by the next watch.
  public var againCount = 0
  /// The exit code of a program that has done nothing else: 0 when all is done.
  public var exitCode: Int32

  init(_ context: RunContext, _ summary: RunSummary, _ state: RunState? = nil) {
    self.context = context
    self.summary = summary
    self.state = state
    exitCode = summary.exitCode
  }
}

/// Something that a run reports.
public enum RunUpdate {
  /// Before anything is begun: something worth knowing, a sentence.
  case message(String)
  /// A run begins.
  case began(RunStart)
  /// It goes on.
  case event(RunEvent)
  /// Some time has passed: what workers are at.
  case progress([WorkerActivity])
  /// It has ended; its report is about to be written.
  case ended(RunOutcome)
  /// Something went wrong that does not change how the run ended.
  case warning(AuricleError)
  /// Nothing was begun, because of the error that is about to be thrown.
  case refused(AuricleError)
}

/// How a caller follows a run and ends it.
public struct RunControl {
  /// Asked several times a second, from any thread; true ends the run when what is at work is done.
  public var shouldStop: @Sendable () -> Bool
  /// Receives what the run reports, in the thread that runs it.
  public var onUpdate: (RunUpdate) -> Void

  /// A run that is followed by `onUpdate`, to its end unless `shouldStop` says otherwise.
  public init(
    shouldStop: @escaping @Sendable () -> Bool = { false },
    onUpdate: @escaping (RunUpdate) -> Void = { _ in }
  ) {
    self.shouldStop = shouldStop
    self.onUpdate = onUpdate
  }

  /// Does something before which nothing is begun; its failure is reported as a refusal.
  func refusing<Value>(_ body: () throws(AuricleError) -> Value) throws(AuricleError) -> Value {
    do throws(AuricleError) { return try body() } catch {
      onUpdate(.refused(error))
      throw error
    }
  }
}
