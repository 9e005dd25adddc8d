// The distribution of the levels of many files, in memory that does not grow with the files.
// SPDX-License-Identifier: Apache-2.0

/// Levels counted by tenths of a dB.
public struct LevelHistogram: Sendable, Equatable {
  private var counts: [Int: Int] = [:]
  /// The number of levels.
  public private(set) var count = 0

  /// Nothing yet.
  public init() {}

  /// Counts a level in dB; one that is not known, or not finite, is left out.
  package mutating func add(_ level: Double?) {
    guard let level, level.isFinite, abs(level) < 1000 else { return }
    counts[Int((level * 10).rounded()), default: 0] += 1
    count += 1
  }

  /// The least and the greatest level, to a tenth of a dB; nil without any.
  public var range: ClosedRange<Double>? {
    guard let least = counts.keys.min(), let greatest = counts.keys.max() else { return nil }
    return Double(least) / 10...Double(greatest) / 10
  }

  /// The level that as many files lie below as above, to a tenth of a dB; nil without any.
  public var median: Double? {
    var rest = (count - 1) / 2
    for (level, number) in counts.sorted(by: { $0.key < $1.key }) {
      if number > rest { return Double(level) / 10 }
      rest -= number
    }
    return nil
  }

  /// The number of levels in each step from a level upwards, both in tenths of a dB.
  ///
  /// Levels outside of them are left out.
  package func bins(from start: Int, step: Int, count binCount: Int) -> [Int] {
    var bins = [Int](repeating: 0, count: binCount)
    for (level, number) in counts where level >= start {
      let bin = (level - start) / step
      if bin < binCount { bins[bin] += number }
    }
    return bins
  }
}
