// The blocks of a loudness measurement, kept so that the integrated loudness is known for any gain.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The blocks of a measurement by EBU R 128: 0.4 s each, every 0.1 s.
public struct LoudnessBlocks: Sendable {
  /// The power of each that is no silence. Numbers of 32 bits hold no more than 385 LUFS, half of what
  /// samples of 32 bits can reach.
  private var powers: [Double] = []

  /// No blocks.
  ///
  /// Context: any.
  public init() {}

  /// Takes the next block, in LUFS.
  mutating func add(_ loudness: Double) {
    if loudness.isFinite { powers.append(Self.power(loudness)) }
  }

  /// The integrated loudness in LUFS with so many dB of gain; nil where all is below the gate.
  ///
  /// Context: any.
  public func integratedLoudness(gain: Double) -> Double? {
    let absoluteGate = Self.power(-70 - gain)
    guard let all = mean(from: absoluteGate),
      let mean = mean(from: max(absoluteGate, all * Self.power(-10)))
    else { return nil }
    return 10 * log10(mean) + gain
  }

  /// The mean of the blocks that are loud enough.
  private func mean(from gate: Double) -> Double? {
    var sum = 0.0
    var count = 0
    for power in powers where power >= gate {
      sum += power
      count += 1
    }
    return count > 0 ? sum / Double(count) : nil
  }

  private static func power(_ loudness: Double) -> Double { pow(10, loudness / 10) }
}
