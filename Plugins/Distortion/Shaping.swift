// What the oversampled stages do: ring modulation, a polynomial, and the soft clip.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A sine wave at the oversampled rate, a vector a frame. Context: render.
struct RingOscillator: Sendable {
  private var sine = 0.0
  private var cosine = 1.0
  private var turn = (sine: 0.0, cosine: 1.0)
  private var laneSines = SIMD8<Float>(repeating: 0)
  private var laneCosines = SIMD8<Float>(repeating: 1)

  @_noLocks init() {}

  /// Begins at phase 0.
  @_noLocks mutating func reset() {
    sine = 0
    cosine = 1
  }

  /// Takes a frequency in Hz.
  @_noLocks mutating func set(_ frequency: Double, sampleRate: Double, factor: Int) {
    let angle = 2 * Double.pi * frequency / sampleRate
    turn = (RealtimeMath.sin(angle), RealtimeMath.cos(angle))
    for lane in 0..<8 {
      let part = angle * Double(lane) / Double(factor)
      laneSines[lane] = Float(RealtimeMath.sin(part))
      laneCosines[lane] = Float(RealtimeMath.cos(part))
    }
  }

  /// Keeps the amplitude at 1, once in an interval.
  @_noLocks mutating func normalize() {
    let scale = 1 / RealtimeMath.sqrt(sine * sine + cosine * cosine)
    sine *= scale
    cosine *= scale
  }

  /// The samples of the next frame.
  @inline(__always) @_noLocks mutating func next() -> SIMD8<Float> {
    let value =
      laneCosines * SIMD8(repeating: Float(sine)) + laneSines * SIMD8(repeating: Float(cosine))
    let next = sine * turn.cosine + cosine * turn.sine
    cosine = cosine * turn.cosine - sine * turn.sine
    sine = next
    return value
  }
}

/// Curves of samples. Context: render.
enum ShapingCurve {
  /// The hyperbolic tangent within 1e-6.
  @inline(__always) @_noLocks static func softClip(_ x: SIMD8<Float>) -> SIMD8<Float> {
    SIMD8(lowHalf: softClip(x.lowHalf), highHalf: softClip(x.highHalf))
  }

  @inline(__always) @_noLocks private static func softClip(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let bounded = VectorMath.minimum(
      VectorMath.maximum(x, SIMD4(repeating: -12)), SIMD4(repeating: 12))
    // 2 / ln 2
    let power = VectorMath.exp2(bounded * SIMD4(repeating: 2.885390082))
    let far = (power - SIMD4(repeating: 1)) / (power + SIMD4(repeating: 1))
    // Close to 0 that would be a difference of nearly equal numbers; Lambert's fraction is exact there.
    let s = bounded * bounded
    let over = ((s + SIMD4(repeating: 378)) * s + SIMD4(repeating: 17_325)) * s
    let under = (SIMD4(repeating: 28) * s + SIMD4(repeating: 3150)) * s
    let near =
      bounded * (over + SIMD4(repeating: 135_135))
      / ((under + SIMD4(repeating: 62_370)) * s + SIMD4(repeating: 135_135))
    return far.replacing(with: near, where: s .< SIMD4(repeating: 1.5))
  }
}
