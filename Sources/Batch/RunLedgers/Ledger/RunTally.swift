// The totals of a run: files, failures by reason, levels, in memory that does not grow with the files.
// SPDX-License-Identifier: Apache-2.0

package import FileRendering
import HostSystem

/// The totals of the files of a run.
public struct RunTally: Sendable {
  /// The least, the greatest and the mean of a level in dB.
  public struct Range: Sendable, Equatable {
    /// The least.
    public private(set) var least = Double.infinity
    /// The greatest.
    public private(set) var greatest = -Double.infinity
    /// The number of values.
    public private(set) var count = 0
    private var sum = 0.0

    /// The mean of the values; nil without any.
    public var mean: Double? { count > 0 ? sum / Double(count) : nil }

    package mutating func add(_ value: Double?) {
      guard let value, value.isFinite else { return }
      least = min(least, value)
      greatest = max(greatest, value)
      sum += value
      count += 1
    }
  }

  /// Levels on one side of the chain.
  public struct LevelRanges: Sendable {
    /// Peaks in dB of full scale.
    public var peak = Range()
    /// RMS levels in dB of full scale.
    public var rms = Range()
    /// Integrated loudness in LUFS.
    public var loudness = Range()
    /// True peaks in dB.
    public var truePeak = Range()
    /// The distribution of the integrated loudness.
    public var loudnessHistogram = LevelHistogram()
    /// Files without any sound.
    public var silentCount = 0

    package mutating func add(_ levels: Levels, _ figures: LoudnessFigures?) {
      loudness.add(figures?.integrated)
      loudnessHistogram.add(figures?.integrated)
      truePeak.add(figures?.truePeak)
      peak.add(levels.peakDecibels)
      rms.add(levels.rmsDecibels)
      if levels.peak == 0 { silentCount += 1 }
    }
  }

  /// Files by status.
  public private(set) var counts: [FileRecord.Status: Int] = [:]
  /// Seconds of sound read, of files that are done.
  public private(set) var inputSeconds = 0.0
  /// Seconds of sound written.
  public private(set) var outputSeconds = 0.0
  /// Bytes of the inputs of all recorded files.
  public private(set) var inputBytes = 0
  /// The inputs of all files accounted for.
  public private(set) var inputs = InputAmounts()
  /// Those of files that are done.
  public private(set) var doneInputs = InputAmounts()
  /// Seconds that workers were busy with files that are done, by kind.
  public private(set) var workByKind: [String: Double] = [:]
  /// Bytes written.
  public private(set) var outputBytes = 0
  /// Seconds that workers were busy with files that are done.
  public private(set) var workSeconds = 0.0
  /// Levels of inputs.
  public private(set) var before = LevelRanges()
  /// Levels of results.
  public private(set) var after = LevelRanges()
  /// Results whose peak is full scale or above.
  public private(set) var fullScaleCount = 0
  /// Files that needed a second attempt and are done.
  public private(set) var secondAttemptCount = 0
  private var reasons: [String: Int] = [:]
  private var otherReasons = 0

  /// The most reasons that are counted separately.
  private static let mostReasons = 200

  /// Nothing yet.
  public init() {}

  /// The number of failed and quarantined files.
  public var failedCount: Int {
    counts[.failed, default: 0] + counts[.quarantined, default: 0]
  }

  /// All files that were counted.
  public var fileCount: Int { counts.values.reduce(0, +) }

  /// Why files failed and how many did so, the most frequent first.
  public var failures: [(reason: String, count: Int)] { failures(with: RunTally()) }

  /// The same, with those of other files.
  public func failures(with other: RunTally) -> [(reason: String, count: Int)] {
    let otherReasons = otherReasons + other.otherReasons
    var list = reasons.merging(other.reasons, uniquingKeysWith: +)
      .map { (reason: $0.key, count: $0.value) }
      .sorted { $0.count == $1.count ? $0.reason < $1.reason : $0.count > $1.count }
    if otherReasons > 0 { list.append((reason: "other reasons", count: otherReasons)) }
    return list
  }

  /// Removes a file that has no result.
  mutating func remove(_ record: FileRecord) {
    guard counts[record.status, default: 0] > 0 else { return }
    counts[record.status, default: 0] -= 1
    inputBytes -= record.inputByteCount
    if let reason = record.failureReason, let count = reasons[reason] {
      reasons[reason] = count > 1 ? count - 1 : nil
    }
  }

  /// Counts a file.
  ///
  /// Context: any.
  public mutating func add(_ record: FileRecord) {
    counts[record.status, default: 0] += 1
    inputBytes += record.inputByteCount
    inputs.add(record.input, byteCount: record.inputByteCount, seconds: record.inputSeconds)
    if let reason = record.failureReason {
      if reasons[reason] != nil || reasons.count < Self.mostReasons {
        reasons[reason, default: 0] += 1
      } else {
        otherReasons += 1
      }
    }
    guard record.status == .done, let result = record.result else { return }
    doneInputs.add(record.input, byteCount: record.inputByteCount, seconds: record.inputSeconds)
    workByKind[InputAmounts.kind(of: record.input), default: 0] += result.elapsedSeconds
    inputSeconds += result.inputDuration
    outputSeconds += result.outputDuration
    outputBytes += record.stored?.byteCount ?? 0
    workSeconds += result.elapsedSeconds
    before.add(result.before, result.loudnessBefore)
    after.add(result.after, result.loudnessAfter)
    if result.after.peak >= 1 { fullScaleCount += 1 }
    if record.attempts > 1 { secondAttemptCount += 1 }
  }
}
