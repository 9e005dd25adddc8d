// The static curve of the dynamics processor, in decibels.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The reduction of a steady level in decibels.
///
/// With threshold T, headroom H, expansion threshold E and expansion ratio R, a level L comes out as
///
///     L > T:  T + H · (1 − exp(−(L − T) / H))     never above T + H, slope 1 at T
///     L < E:  E − R · (E − L)                     at most 120 dB of it
///     else:   L
///
/// The reductions are added where both apply (E > T). Both are continuous; the compression has a
/// continuous slope as well, so the threshold is no audible corner.
struct StaticCurve {
  /// Threshold T, dB.
  var threshold: Float = -20
  /// Headroom H, dB.
  var headroom: Float = 5
  /// Expansion ratio R.
  var ratio: Float = 2
  /// Expansion threshold E, dB; −120 is off.
  var expansionThreshold: Float = -120

  /// Whether the expander is on.
  var expands: Bool {
    @_noLocks get { expansionThreshold > -120 && ratio > 1 }
  }

  /// A magnitude (linear) up to which nothing is compressed for certain.
  private(set) var silentLevel: Float = 0
  private var silentThreshold: Float = .nan

  /// Finds `silentLevel` where the threshold is a new one.
  @_noLocks mutating func findSilentLevel() {
    guard threshold != silentThreshold else { return }
    silentThreshold = threshold
    // A little less, for the error of the curve's logarithm.
    silentLevel = Float(RealtimeMath.gain(decibels: Double(threshold) - 0.001))
  }

  /// Decibels of expansion at a level, from 0 to 120.
  @inline(__always) @_noLocks func expansion(_ level: SIMD4<Float>) -> SIMD4<Float> {
    let under = VectorMath.maximum(SIMD4(repeating: expansionThreshold) - level, .zero)
    return VectorMath.minimum(under * SIMD4(repeating: ratio - 1), SIMD4(repeating: 120))
  }
}
