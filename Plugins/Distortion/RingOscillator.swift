// The oscillators of the ring modulation.
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

  /// Sets a frequency in Hz.
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
