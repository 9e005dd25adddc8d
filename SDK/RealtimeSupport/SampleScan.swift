// Scans buffers of samples: not finite, peak, silence.
// SPDX-License-Identifier: Apache-2.0

internal import CRealtime

/// Scans of float buffers by their bits, so that the compiler can use vectors.
public enum SampleScan {
  /// Returns the index of the first sample that is NaN or infinite, or -1 if all are finite.
  ///
  /// Context: any.
  @_noLocks
  public static func firstNonFinite(_ samples: UnsafePointer<Float>, count: Int) -> Int {
    if unsafe isFinite(samples, count: count) { return -1 }
    var index = 0
    while index < count {
      if unsafe !samples[index].isFinite { return index }
      index += 1
    }
    return -1
  }

  /// Returns whether no sample is NaN or infinite.
  ///
  /// Context: any.
  @_noLocks
  public static func isFinite(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    unsafe AuricleSamplesAreFinite(samples, count) != 0
  }

  /// Returns the largest magnitude, ignoring NaN, and the sum of the squares.
  ///
  /// Context: any.
  @_noLocks
  public static func measure(
    _ samples: UnsafePointer<Float>, count: Int
  ) -> (peak: Float, squares: Double) {
    var peak: Float = 0
    var squares = 0.0
    unsafe AuricleSamplesMeasure(samples, count, &peak, &squares)
    return (peak, squares)
  }

  /// Returns the bits of the largest magnitude, which order as magnitudes do, NaN above all; 0 for no samples.
  ///
  /// Context: any.
  @_noLocks
  public static func magnitudeBits(_ samples: UnsafePointer<Float>, count: Int) -> Int32 {
    unsafe AuricleSamplesMagnitude(samples, count)
  }

  /// Returns the largest magnitude; NaN if a sample is NaN; 0 for no samples.
  ///
  /// Context: any.
  @inlinable @_noLocks
  public static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    unsafe Float(bitPattern: UInt32(bitPattern: maximumMagnitudeBits(samples, count: count)))
  }

  /// Returns whether no sample's magnitude is above `threshold` (linear, not negative).
  ///
  /// Context: any.
  @inlinable @_noLocks
  public static func isSilent(
    _ samples: UnsafePointer<Float>, count: Int, threshold: Float = 0
  ) -> Bool {
    unsafe maximumMagnitudeBits(samples, count: count)
      <= Int32(bitPattern: threshold.bitPattern & 0x7FFF_FFFF)
  }

  /// Returns the largest magnitude as a bit pattern; magnitudes order like their bits, NaN above all.
  @inlinable @_noLocks
  static func maximumMagnitudeBits(_ samples: UnsafePointer<Float>, count: Int) -> Int32 {
    var largest: Int32 = 0
    var index = 0
    while index < count {
      let bits = unsafe Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
      largest = largest < bits ? bits : largest
      index &+= 1
    }
    return largest
  }
}
