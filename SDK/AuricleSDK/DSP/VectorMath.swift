// Arithmetic of four floats at once: the binary logarithm to within 1e-6, and the lesser things around it.
// SPDX-License-Identifier: Apache-2.0

/// Functions of four lanes, for signal paths that need a logarithm per sample, here a polynomial.
///
/// The result for a lane does not depend on the other lanes. Levels of four samples in decibels:
///
/// ```swift
/// let four = unsafe VectorMath.magnitude(SampleRun.four(audio + index))
/// let floor = VectorMath.Lanes(repeating: 1e-6)
/// let octave = VectorMath.Lanes(repeating: 6.0206)
/// let decibels = VectorMath.log2(VectorMath.maximum(four, floor)) * octave
/// ```
///
/// Context: render.
public enum VectorMath {
  /// Four single-precision lanes.
  public typealias Lanes = SIMD4<Float>

  /// Binary logarithm of positive normal numbers; absolute error below 1e-6.
  @inlinable @inline(__always) @_noLocks public static func log2(_ x: Lanes) -> Lanes {
    let bits = unsafe unsafeBitCast(x, to: SIMD4<Int32>.self)
    // Removes the exponent so that the mantissa is between sqrt(1/2) and sqrt(2).
    let exponent = (bits &- SIMD4(repeating: 0x3F35_04F3)) &>> SIMD4(repeating: 23)
    let z =
      unsafe unsafeBitCast(bits &- (exponent &<< SIMD4(repeating: 23)), to: Lanes.self)
      - Lanes(repeating: 1)
    var p = Lanes(repeating: 0.17212874)
    p = p * z + Lanes(repeating: -0.26950628)
    p = p * z + Lanes(repeating: 0.2956336)
    p = p * z + Lanes(repeating: -0.35935065)
    p = p * z + Lanes(repeating: 0.48062915)
    p = p * z + Lanes(repeating: -0.721364)
    p = p * z + Lanes(repeating: 1.4426965)
    return Lanes(exponent) + p * z
  }

  /// Lane-wise maximum.
  @inlinable @inline(__always) @_noLocks public static func maximum(_ a: Lanes, _ b: Lanes) -> Lanes
  {
    b.replacing(with: a, where: a .> b)
  }

  /// Lane-wise minimum.
  @inlinable @inline(__always) @_noLocks public static func minimum(_ a: Lanes, _ b: Lanes) -> Lanes
  {
    b.replacing(with: a, where: a .< b)
  }

  /// Lane-wise absolute value.
  @inlinable @inline(__always) @_noLocks public static func magnitude(_ a: Lanes) -> Lanes {
    unsafe unsafeBitCast(
      unsafeBitCast(a, to: SIMD4<UInt32>.self) & SIMD4(repeating: 0x7FFF_FFFF), to: Lanes.self)
  }
}
