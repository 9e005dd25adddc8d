// Decibels, gains and the few functions of libm that render code may call.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Mathematics for coefficients: one call at a control point, never one per sample.
///
/// Context: any. The functions of libm neither lock nor allocate.
public enum ControlMath {
  /// Gain of a level in decibels: 10 to the power of `decibels` / 20.
  @_noLocks public static func gain(decibels: Double) -> Double {
    unsafe _unsafePerformance { Glibc.exp(decibels * 0.11512925464970229) }
  }

  /// Level in decibels of a gain above zero.
  @_noLocks public static func decibels(gain: Double) -> Double {
    unsafe _unsafePerformance { Glibc.log(gain) * 8.685889638065037 }
  }

  /// Natural exponential.
  @_noLocks public static func exponential(_ x: Double) -> Double {
    unsafe _unsafePerformance { Glibc.exp(x) }
  }

  /// Natural logarithm.
  @_noLocks public static func logarithm(_ x: Double) -> Double {
    unsafe _unsafePerformance { Glibc.log(x) }
  }

  /// Sine of an angle in radians.
  @_noLocks public static func sine(_ x: Double) -> Double {
    unsafe _unsafePerformance { Glibc.sin(x) }
  }

  /// Cosine of an angle in radians.
  @_noLocks public static func cosine(_ x: Double) -> Double {
    unsafe _unsafePerformance { Glibc.cos(x) }
  }

  /// Tangent of an angle in radians.
  @_noLocks public static func tangent(_ x: Double) -> Double {
    unsafe _unsafePerformance { Glibc.tan(x) }
  }

  /// Square root of a number that is not negative.
  @_noLocks public static func squareRoot(_ x: Double) -> Double {
    unsafe _unsafePerformance { x.squareRoot() }
  }

  /// Factor by which a one-pole follower moves toward its target at each frame.
  ///
  /// - Parameter seconds: Time in which the distance shrinks to 1/e.
  @_noLocks public static func followerRate(seconds: Double, sampleRate: Double) -> Double {
    1 - exponential(-1 / max(1e-9, seconds * sampleRate))
  }
}
