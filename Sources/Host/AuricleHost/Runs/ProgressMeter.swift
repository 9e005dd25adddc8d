// How far a run is, in figures: for the display, for lines of JSON, for the end.
// SPDX-License-Identifier: Apache-2.0

public import RunLedgers
public import Workers

/// Counts what a session of a run has done.
public final class ProgressMeter {
  /// Files of the run; nil when nobody knows, in a folder that is watched.
  public let fileCount: Int?
  /// What is done in this session.
  public private(set) var tally = RunTally()
  /// What workers are done with and is not accounted for yet.
  public internal(set) var committing = CommittingWork()
  private let byteCount: Double
  private let before: RunTally
  private let start = ContinuousClock.now

  /// Where a run stands.
  public struct Reading: Sendable {
    /// Files accounted for, in earlier sessions too.
    public var doneCount: Int
    /// Files among them that failed.
    public var failedCount: Int
    /// How much of the run is done, 0 to 1, by bytes of inputs.
    public var fraction: Double
    /// Seconds of sound made in a second; nil while that cannot be told, and where workers wait for
    /// files.
    public var speed: Double?
    /// Nil while that cannot be told.
    public var secondsLeft: Double?
  }

  /// Prepares for so many files and bytes; `before` is what earlier sessions did.
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

  /// Where the run stands, with what workers are at counted in.
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
    // Files that were skipped or failed at once tell nothing of the time that others take.
    let worked = Double(tally.doneInputBytes) + underWay
    if worked > 0, elapsed > 1 {
      reading.secondsLeft = max(byteCount - bytes, 0) / worked * elapsed
    }
    return reading
  }
}
