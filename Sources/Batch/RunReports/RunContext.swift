// What a run is called and where its things lie: for what is printed of it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import Workers

/// Names and places of a run.
public struct RunContext: Sendable {
  /// The name of the run; nil for one without a ledger.
  public var run: String?
  /// The preset's name.
  public var presetName: String?
  /// The folder of results as it is named from here.
  public var output: String?
  /// The run's folder.
  public var ledger: String?
  /// Where the report is written; nil for none.
  public var report: String?
  /// Bytes of all inputs.
  public var byteCount: Int?
  /// How many files are done at once.
  public var workerCount = 1
  /// The command that goes on with the run; nil when it cannot go on.
  public var resume: String?

  /// Nothing is known yet.
  public init() {}

  /// The command that goes on after an end; nil when there is nothing to go on with.
  public func resumeCommand(after end: RunEnd) -> String? {
    switch end {
    case .finished, .refused: nil
    // What disagrees with the run does so the next time as well.
    case .stopped(let error) where error.category == .badData: nil
    // There is nothing to go on with, and the error says what to do.
    case .stopped(let error) where error.cause == .needsNewRun: nil
    case .interrupted, .breaker, .stopped: resume
    }
  }
}
