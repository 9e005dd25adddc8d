// The gain of a limiter for true peaks.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import Glibc

/// The gain of a limiter, from the true peaks to come.
///
/// It falls over 5 ms so that it is low enough when a peak comes, and rises again with another time
/// constant.
@safe package final class LimiterGain {
  /// The frames before its peak at which the gain begins to fall.
  package let ahead: Int
  private let state: UnsafeMutablePointer<AuricleLimiter>

  /// A gain of 1.
  ///
  /// - Parameters:
  ///   - rate: How many peaks come each second.
  ///   - ceiling: The ceiling, linear.
  ///   - release: The time constant of the rising, in seconds.
  ///   - least: The fewest peaks over which it falls.
  package init(rate: Double, ceiling: Float, release: Double, least: Int = 16) {
    // Two averages of half of it.
    let half = max(least / 2, Int((0.0025 * rate).rounded()))
    ahead = 2 * half
    unsafe state = .allocate(capacity: 1)
    var limiter = unsafe AuricleLimiter()
    unsafe limiter.ceiling = ceiling
    unsafe limiter.release = 1 - exp(-1 / (release * rate))
    unsafe limiter.window = ahead + 1
    unsafe limiter.half = half + 1
    unsafe limiter.minima = .allocate(capacity: ahead + 1)
    unsafe limiter.averages = (
      .allocate(capacity: half + 1), .allocate(capacity: half + 1)
    )
    unsafe state.initialize(to: limiter)
    unsafe AuricleLimiterBegin(state)
  }

  deinit {
    unsafe state.pointee.minima.deallocate()
    unsafe state.pointee.averages.0?.deallocate()
    unsafe state.pointee.averages.1?.deallocate()
    unsafe state.deallocate()
  }

  /// The lowest gain so far.
  package var lowest: Double { unsafe state.pointee.lowest }

  /// Puts the gain that each peak leaves in its place.
  ///
  /// - Returns: Whether one of them is not 1.
  package func replace(_ peaks: UnsafeMutablePointer<Float>, _ count: Int) -> Bool {
    unsafe AuricleLimiterGains(state, peaks, count) != 0
  }

  /// Delays a row by the length of a ring, and scales the delayed frames by gains, if there are
  /// any.
  package static func delay(
    _ source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>,
    gains: UnsafePointer<Float>?, _ count: Int, ring: UnsafeMutablePointer<Float>, of length: Int,
    at place: Int
  ) {
    unsafe AuricleDelayAndScale(source, target, gains, count, ring, length, place)
  }
}
