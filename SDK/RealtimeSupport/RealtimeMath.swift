// The maths of libm for render code: the only place where the compiler's checks are disabled for it.
// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Mathematical functions of libm that neither allocate nor lock, which the compiler cannot know.
///
/// Context: any.
public enum RealtimeMath {
  /// Square root.
  @inlinable @inline(__always) @_noLocks
  public static func sqrt(_ x: Float) -> Float { unsafe _unsafePerformance { x.squareRoot() } }
  /// Square root.
  @inlinable @inline(__always) @_noLocks
  public static func sqrt(_ x: Double) -> Double { unsafe _unsafePerformance { x.squareRoot() } }

  /// Sine of an angle in radians.
  @inlinable @inline(__always) @_noLocks
  public static func sin(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.sinf(x) } }
  /// Sine of an angle in radians.
  @inlinable @inline(__always) @_noLocks
  public static func sin(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.sin(x) } }
  /// Cosine of an angle in radians.
  @inlinable @inline(__always) @_noLocks
  public static func cos(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.cosf(x) } }
  /// Cosine of an angle in radians.
  @inlinable @inline(__always) @_noLocks
  public static func cos(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.cos(x) } }
  /// Tangent of an angle in radians.
  @inlinable @inline(__always) @_noLocks
  public static func tan(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.tanf(x) } }
  /// Tangent of an angle in radians.
  @inlinable @inline(__always) @_noLocks
  public static func tan(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.tan(x) } }
  /// Arc tangent, in radians.
  @inlinable @inline(__always) @_noLocks
  public static func atan(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.atanf(x) } }
  /// Arc tangent, in radians.
  @inlinable @inline(__always) @_noLocks
  public static func atan(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.atan(x) } }
  /// Hyperbolic tangent.
  @inlinable @inline(__always) @_noLocks
  public static func tanh(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.tanhf(x) } }
  /// Hyperbolic tangent.
  @inlinable @inline(__always) @_noLocks
  public static func tanh(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.tanh(x) } }
  /// Hyperbolic sine.
  @inlinable @inline(__always) @_noLocks
  public static func sinh(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.sinhf(x) } }
  /// Hyperbolic sine.
  @inlinable @inline(__always) @_noLocks
  public static func sinh(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.sinh(x) } }
  /// e to the power of x.
  @inlinable @inline(__always) @_noLocks
  public static func exp(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.expf(x) } }
  /// e to the power of x.
  @inlinable @inline(__always) @_noLocks
  public static func exp(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.exp(x) } }
  /// 2 to the power of x.
  @inlinable @inline(__always) @_noLocks
  public static func exp2(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.exp2f(x) } }
  /// 2 to the power of x.
  @inlinable @inline(__always) @_noLocks
  public static func exp2(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.exp2(x) } }
  /// e to the power of x, less 1.
  @inlinable @inline(__always) @_noLocks
  public static func expm1(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.expm1f(x) } }
  /// e to the power of x, less 1.
  @inlinable @inline(__always) @_noLocks
  public static func expm1(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.expm1(x) } }
  /// Natural logarithm.
  @inlinable @inline(__always) @_noLocks
  public static func log(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.logf(x) } }
  /// Natural logarithm.
  @inlinable @inline(__always) @_noLocks
  public static func log(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.log(x) } }
  /// Logarithm to base 2.
  @inlinable @inline(__always) @_noLocks
  public static func log2(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.log2f(x) } }
  /// Logarithm to base 2.
  @inlinable @inline(__always) @_noLocks
  public static func log2(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.log2(x) } }
  /// Logarithm to base 10.
  @inlinable @inline(__always) @_noLocks
  public static func log10(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.log10f(x) } }
  /// Logarithm to base 10.
  @inlinable @inline(__always) @_noLocks
  public static func log10(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.log10(x) } }
  /// Natural logarithm of 1 + x.
  @inlinable @inline(__always) @_noLocks
  public static func log1p(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.log1pf(x) } }
  /// Natural logarithm of 1 + x.
  @inlinable @inline(__always) @_noLocks
  public static func log1p(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.log1p(x) } }
  /// Returns the next integer not above x.
  @inlinable @inline(__always) @_noLocks
  public static func floor(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.floorf(x) } }
  /// Returns the next integer not above x.
  @inlinable @inline(__always) @_noLocks
  public static func floor(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.floor(x) } }
  /// Returns the next integer not below x.
  @inlinable @inline(__always) @_noLocks
  public static func ceil(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.ceilf(x) } }
  /// Returns the next integer not below x.
  @inlinable @inline(__always) @_noLocks
  public static func ceil(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.ceil(x) } }
  /// Returns the nearest integer, halves away from zero.
  @inlinable @inline(__always) @_noLocks
  public static func round(_ x: Float) -> Float { unsafe _unsafePerformance { Glibc.roundf(x) } }
  /// Returns the nearest integer, halves away from zero.
  @inlinable @inline(__always) @_noLocks
  public static func round(_ x: Double) -> Double { unsafe _unsafePerformance { Glibc.round(x) } }
  /// x to the power of y.
  @inlinable @inline(__always) @_noLocks
  public static func pow(_ x: Float, _ y: Float) -> Float {
    unsafe _unsafePerformance { Glibc.powf(x, y) }
  }
  /// x to the power of y.
  @inlinable @inline(__always) @_noLocks
  public static func pow(_ x: Double, _ y: Double) -> Double {
    unsafe _unsafePerformance { Glibc.pow(x, y) }
  }
  /// Returns the remainder of x after whole multiples of y.
  @inlinable @inline(__always) @_noLocks
  public static func fmod(_ x: Float, _ y: Float) -> Float {
    unsafe _unsafePerformance { Glibc.fmodf(x, y) }
  }
  /// Returns the remainder of x after whole multiples of y.
  @inlinable @inline(__always) @_noLocks
  public static func fmod(_ x: Double, _ y: Double) -> Double {
    unsafe _unsafePerformance { Glibc.fmod(x, y) }
  }
  /// Angle of the point (y, x), in radians.
  @inlinable @inline(__always) @_noLocks
  public static func atan2(_ x: Float, _ y: Float) -> Float {
    unsafe _unsafePerformance { Glibc.atan2f(x, y) }
  }
  /// Angle of the point (y, x), in radians.
  @inlinable @inline(__always) @_noLocks
  public static func atan2(_ x: Double, _ y: Double) -> Double {
    unsafe _unsafePerformance { Glibc.atan2(x, y) }
  }
  /// Length of the vector (x, y).
  @inlinable @inline(__always) @_noLocks
  public static func hypot(_ x: Float, _ y: Float) -> Float {
    unsafe _unsafePerformance { Glibc.hypotf(x, y) }
  }
  /// Length of the vector (x, y).
  @inlinable @inline(__always) @_noLocks
  public static func hypot(_ x: Double, _ y: Double) -> Double {
    unsafe _unsafePerformance { Glibc.hypot(x, y) }
  }

  /// Returns the gain of a level in decibels: 0 dB is 1.
  @inlinable @inline(__always) @_noLocks
  public static func gain(decibels: Float) -> Float { exp(decibels * 0.115_129_254_65) }
  /// Returns the gain of a level in decibels: 0 dB is 1.
  @inlinable @inline(__always) @_noLocks
  public static func gain(decibels: Double) -> Double { exp(decibels * 0.115_129_254_649_702_28) }
  /// Returns the level of a gain, in decibels; -infinity for 0.
  @inlinable @inline(__always) @_noLocks
  public static func decibels(gain: Float) -> Float { 20 * log10(gain) }
  /// Returns the level of a gain, in decibels; -infinity for 0.
  @inlinable @inline(__always) @_noLocks
  public static func decibels(gain: Double) -> Double { 20 * log10(gain) }
}
