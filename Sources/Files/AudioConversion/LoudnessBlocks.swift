// The base of the figures of EBU R 128: the power of every tenth of a second.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The weighted power of sound in steps of 0.1 s, from which all figures of EBU R 128 follow, for any gain.
package struct LoudnessBlocks: Sendable {
  /// The sum over the channels of the mean squares of each step.
  private var steps: [Double] = []
  /// The power of the loudest 0.4 s that begin between steps.
  private var mostBetween = 0.0

  /// No steps.
  package init() {}

  /// Adds a step.
  package mutating func add(_ power: Double) { steps.append(power) }

  /// Adds the power of 0.4 s that begin anywhere.
  package mutating func add(momentary power: Double) { mostBetween = max(mostBetween, power) }

  /// The integrated loudness of several pieces of sound as if they were one, in LUFS; nil where all is below the gate.
  package static func integratedLoudness(of all: [LoudnessBlocks]) -> Double? {
    integratedLoudness(of: all.flatMap { $0.means(of: 4) }, gain: 0)
  }

  /// The integrated loudness in LUFS with so many dB of gain; nil where all is below the gate at -70 LUFS, and for
  /// less than 0.4 s.
  package func integratedLoudness(gain: Double = 0) -> Double? {
    Self.integratedLoudness(of: means(of: 4), gain: gain)
  }

  private static func integratedLoudness(of blocks: [Double], gain: Double) -> Double? {
    let absoluteGate = KWeighting.power(-70 - gain)
    guard let all = mean(blocks, from: absoluteGate),
      let mean = mean(blocks, from: max(absoluteGate, all * 0.1))
    else { return nil }
    return KWeighting.loudness(mean) + gain
  }

  /// The loudest 0.4 s, in LUFS; nil for silence and for less than that.
  package var maximumMomentary: Double? {
    guard let found = loudest(of: 4) else { return nil }
    guard mostBetween > 0, mostBetween.isFinite else { return found }
    return max(found, KWeighting.loudness(mostBetween))
  }

  /// The loudest 3 s, in LUFS; nil for silence and for less than that.
  package var maximumShortTerm: Double? { loudest(of: 30) }

  /// The loudness range by EBU Tech 3342, in LU; nil where there is none.
  package var range: Double? {
    let windows = means(of: 30)
    // One every second.
    let all = stride(from: 0, to: windows.count, by: 10).map { windows[$0] }
      .filter { $0 >= KWeighting.power(-70) }
    guard !all.isEmpty else { return nil }
    let gate = all.reduce(0, +) / Double(all.count) * 0.01
    let loud = all.filter { $0 >= gate }.sorted()
    func percentile(_ share: Double) -> Double {
      loud[Int((Double(loud.count - 1) * share).rounded(.toNearestOrAwayFromZero))]
    }
    let found = 10 * log10(percentile(0.95) / percentile(0.1))
    return found > 0 ? found : nil
  }

  private func loudest(of length: Int) -> Double? {
    guard let most = means(of: length).max(), most > 0, most.isFinite else { return nil }
    return KWeighting.loudness(most)
  }

  /// The mean of every so many steps in a row.
  private func means(of length: Int) -> [Double] {
    guard steps.count >= length else { return [] }
    return (0...(steps.count - length)).map { start in
      var sum = 0.0
      for step in start..<(start + length) { sum += steps[step] }
      return sum / Double(length)
    }
  }

  /// The mean of the blocks that are loud enough.
  private static func mean(_ blocks: [Double], from gate: Double) -> Double? {
    var sum = 0.0
    var count = 0
    for power in blocks where power >= gate && power.isFinite {
      sum += power
      count += 1
    }
    return count > 0 && sum > 0 ? sum / Double(count) : nil
  }
}
