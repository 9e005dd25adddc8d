// The current work of workers, for a display.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import RunLedgers

/// The current work of a worker, for a display.
public struct WorkerActivity: Sendable {
  /// Its place in the plan, from 0.
  public var index: Int
  /// Bytes of the file when the plan was made.
  public var byteCount: Int
  /// The file.
  public var input: String
  /// Its seconds of sound, by its header when the plan was made; nil where it had none.
  public var inputSeconds: Double?
  /// The part of it that is done, 0 to 1; nil when that is not known.
  public var fraction: Double?
  /// Seconds of sound done.
  public var seconds: Double
}

extension Worker {
  /// Its current work, for a display; nil without a job.
  var activity: WorkerActivity? {
    guard let job = jobs.first else { return nil }
    let reading = handle.reading
    var activity = WorkerActivity(
      index: job.entry.index, byteCount: job.entry.byteCount, input: job.entry.input,
      inputSeconds: job.entry.seconds, fraction: nil, seconds: 0)
    guard reading.job == UInt64(job.number), reading.sampleRate > 0 else { return activity }
    let total = Double(reading.totalFrames)
    if total > 0 { activity.fraction = min(Double(reading.frames) / total, 1) }
    activity.seconds = Double(reading.frames) / reading.sampleRate
    return activity
  }
}
