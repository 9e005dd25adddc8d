// Converts a time constant to the rate of a follower.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// Rates of one-pole followers.
public enum FollowerRate {
  /// Returns the fraction of the distance to its target that a follower covers in a frame.
  ///
  /// - Parameters:
  ///   - seconds: Time in which the distance shrinks to 1/e.
  ///   - sampleRate: Hz.
  ///
  /// Context: any.
  @_noLocks public static func rate(seconds: Double, sampleRate: Double) -> Double {
    1 - RealtimeMath.exp(-1 / max(1e-9, seconds * sampleRate))
  }
}
