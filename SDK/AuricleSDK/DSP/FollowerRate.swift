// Converts a time constant to the rate of a follower.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// Rates of one-pole followers, which smooth a level or a control value.
///
/// A follower of the level with separate times for rise and fall:
///
/// ```swift
/// attack = Float(FollowerRate.rate(seconds: 0.005, sampleRate: setup.sampleRate))
/// release = Float(FollowerRate.rate(seconds: 0.2, sampleRate: setup.sampleRate))
///
/// let level = sample.magnitude
/// envelope += (level - envelope) * (level > envelope ? attack : release)
/// ```
public enum FollowerRate {
  /// Returns the fraction of the distance to its target that a follower covers in a frame.
  ///
  /// - Parameters:
  ///   - seconds: Time in which the distance shrinks to 1/e; 0 reaches the target at once.
  ///   - sampleRate: Hz, or the number of updates a second.
  /// - Returns: From 0 to 1.
  ///
  /// Context: any.
  @_noLocks public static func rate(seconds: Double, sampleRate: Double) -> Double {
    1 - RealtimeMath.exp(-1 / max(1e-9, seconds * sampleRate))
  }
}
