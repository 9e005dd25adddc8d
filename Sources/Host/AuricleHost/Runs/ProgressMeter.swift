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
  private let byteCount: Double
  private let before: RunTally
  private let start = ContinuousClock.now

  /// The state of a run.
  public struct Reading: Sendable {
    /// Recorded files, including earlier sessions.
    public var doneCount: Int
    /// Files among them that failed.
    public var failedCount: Int
    /// The fraction of the run that is done, 0 to 1, by bytes of inputs.
    public var fraction: Double
    /// Seconds of sound rendered in a second; nil while unknown, and while workers wait for files.
    public var speed: Double?
    /// Estimated seconds left; nil while unknown.
    public var secondsLeft: Double?
  }

  /// Makes a meter for a number of files and bytes; `before` is the state after earlier sessions.
  init(fileCount: Int?, byteCount: Int, before: RunTally = RunTally()) {
    self.fileCount = fileCount
    self.byteCount = Double(byteCount)
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
    let underWay = activities.reduce(Double(committing.byteCount)) {
      $0 + ($1.fraction ?? 0) * Double($1.byteCount)
    }
    let doneCount = before.fileCount + tally.fileCount
    var reading = Reading(
      doneCount: doneCount, failedCount: before.failedCount + tally.failedCount, fraction: 0)
    let bytes = Double(before.inputBytes + tally.inputBytes) + underWay
    if byteCount > 0 {
      reading.fraction = min(bytes / byteCount, 1)
    } else if let fileCount, fileCount > 0 {
      reading.fraction = min(Double(doneCount) / Double(fileCount), 1)
    }
    guard elapsed > 0.5, fileCount != nil else { return reading }
    let seconds = activities.reduce(tally.outputSeconds + committing.seconds) { $0 + $1.seconds }
    if seconds > 0 { reading.speed = seconds / elapsed }
    // Files that were skipped or failed at once say nothing about the time of others.
    let worked = Double(tally.doneInputBytes) + underWay
    if worked > 0, elapsed > 1 {
      reading.secondsLeft = max(byteCount - bytes, 0) / worked * elapsed
    }
    return reading
  }
}
