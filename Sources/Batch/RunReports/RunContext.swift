// Names and paths of a run for printed output.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import Workers

/// Names and paths of a run.
public struct RunContext: Sendable {
  /// The name of the run; nil for one without a ledger.
  public var run: String?
  /// The preset's name.
  public var presetName: String?
  /// The path of the output folder, relative to the working folder.
  public var output: String?
  /// The run's folder.
  public var ledger: String?
  /// Where the report is written; nil for none.
  public var report: String?
  /// Bytes of all inputs.
  public var byteCount: Int?
  /// The number of workers.
  public var workerCount = 1
  /// The command that resumes the run; nil when it cannot be resumed.
  public var resume: String?

  /// Makes an empty context.
  public init() {}

  /// The command that resumes the run after an end; nil when there is nothing to resume.
  public func resumeCommand(after end: RunEnd) -> String? {
    switch end {
    case .finished, .refused: nil
    // A disagreement with the run would recur.
    case .stopped(let error) where error.category == .badData: nil
    // There is nothing to resume, and the error names the remedy.
    case .stopped(let error) where error.cause == .needsNewRun: nil
    case .interrupted, .breaker, .stopped: resume
    }
  }
}
