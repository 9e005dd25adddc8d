// The progress of a run in figures: for the display, JSON lines and the end.
// SPDX-License-Identifier: Apache-2.0

public import RunLedgers
public import Workers

/// Measures the progress of a session.
public final class ProgressMeter {
  /// The number of files; nil for a watched folder.
  public let fileCount: Int?
  /// The totals of this session.
  public private(set) var tally = RunTally()
  /// Files that workers have finished and that are not recorded yet.
  public internal(set) var committing = CommittingWork()
  private let plan: InputAmounts
  private let before: RunTally
  private let start = ContinuousClock.now

  /// The state of a run.
  public struct Reading: Sendable {
    /// Recorded files, including earlier sessions.
    public var doneCount: Int
    /// Files among them that failed.
    public var failedCount: Int
    /// The part of the run that is done, 0 to 1, by the length of inputs.
    public var fraction: Double
    /// Seconds of sound rendered in a second; nil while unknown, and while workers wait for files.
    public var speed: Double?
    /// Estimated seconds left; nil while unknown.
    public var secondsLeft: Double?
  }

  /// Prepares for the files of a plan; `before` is the work of earlier sessions.
  init(fileCount: Int?, plan: InputAmounts, before: RunTally = RunTally()) {
    self.fileCount = fileCount
    self.plan = plan
    self.before = before
  }

  /// Counts a file.
  func add(_ record: FileRecord) { tally.add(record) }

  /// Time since the start, in seconds.
  public var elapsed: Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }

  /// The state of the run, including the current work of workers.
  public func reading(_ activities: [WorkerActivity]) -> Reading {
    let elapsed = elapsed
    let work = activities.map {
      RunForecast.Work(
        input: $0.input, byteCount: $0.byteCount, inputSeconds: $0.inputSeconds,
        fraction: $0.fraction ?? 0)
    }
    let forecast = RunForecast(
      plan: plan, settled: [before.inputs, tally.inputs], session: tally,
      work: work + committing.work, elapsed: elapsed)
    let doneCount = before.fileCount + tally.fileCount
    var reading = Reading(
      doneCount: doneCount, failedCount: before.failedCount + tally.failedCount, fraction: 0)
    if plan != InputAmounts() {
      reading.fraction = forecast.fraction
    } else if let fileCount, fileCount > 0 {
      reading.fraction = min(Double(doneCount) / Double(fileCount), 1)
    }
    guard elapsed > 0.5, fileCount != nil else { return reading }
    let seconds = activities.reduce(tally.outputSeconds + committing.seconds) { $0 + $1.seconds }
    if seconds > 0 { reading.speed = seconds / elapsed }
    // Workers start, and the first files are read: the time for that predicts nothing of the rest.
    if reading.fraction >= 0.01 || elapsed > 30 { reading.secondsLeft = forecast.secondsLeft }
    return reading
  }
}
