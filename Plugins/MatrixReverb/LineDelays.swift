// The lengths of a network's lines: spread over a range by ratio, all prime.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Delays of the lines of a network.
enum LineDelays {
  /// Places of the lines on a logarithmic scale from −1 to 1, uneven so that sums do not coincide;
  /// each half of the lines covers the whole scale.
  @_noLocks private static func place(_ line: Int, of count: Int, seed: Int) -> Double {
    let half = count / 2
    let order = line < half ? 2 * line : 2 * (line - half) + 1
    // The golden ratio moves each place by less than half a step.
    let turn = Double(order) * 0.618_033_988_749_895 + Double(seed) * 0.754_877_666_246_692
    let jitter = turn - RealtimeMath.floor(turn) - 0.5
    return (Double(order) + 0.5 + 0.7 * jitter) / Double(half) - 1
  }

  /// Delay of a line in frames.
  ///
  /// - Parameters:
  ///   - mean: Geometric mean of all lines, in seconds.
  ///   - range: 0 for a spread of a quarter octave to both sides, 1 for a whole octave.
  ///   - seed: Where each line is in its part of the spread.
  @_noLocks static func frames(
    line: Int, of count: Int, mean: Double, range: Double, seed: Int, sampleRate: Double
  ) -> Int {
    let octaves = (0.25 + 0.75 * range) * place(line, of: count, seed: seed)
    let frames = Int(mean * RealtimeMath.exp2(octaves) * sampleRate)
    // The lower bound is the interval in which lines are worked on; every line has its own.
    return prime(from: max(frames, ControlClock.interval + 5 + 4 * line))
  }

  /// The least prime not below a number.
  @_noLocks static func prime(from number: Int) -> Int {
    var candidate = number | 1
    while !isPrime(candidate) { candidate += 2 }
    return candidate
  }

  @_noLocks private static func isPrime(_ odd: Int) -> Bool {
    var divisor = 3
    while divisor * divisor <= odd {
      if odd % divisor == 0 { return false }
      divisor += 2
    }
    return true
  }
}
