// Waves with corners as sums of their harmonics.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The weights of a wave's harmonics, and its values. Context: made and freed on a control thread, everything else render.
@safe struct WaveHarmonics: ~Copyable {
  /// The most harmonics that are added, a multiple of four.
  private static var most: Int { @_noLocks get { 2048 } }

  private let weights: UnsafeMutablePointer<SIMD4<Double>>
  /// Groups of four harmonics.
  private var groupCount = 0
  /// 2 for waves of odd harmonics alone, else 1.
  private var stride = 1
  private var wave = ToneGenerator.Wave.sine
  private var frequency = -1.0

  /// Allocates. Context: control.
  init() {
    unsafe weights = .allocate(capacity: Self.most / 4)
    unsafe weights.initialize(repeating: SIMD4(repeating: 0), count: Self.most / 4)
  }

  deinit { unsafe weights.deallocate() }

  /// Forgets the weights.
  @_noLocks mutating func reset() { frequency = -1 }

  /// Computes the weights of a wave that is no sine.
  @_noLocks mutating func prepare(
    _ wave: ToneGenerator.Wave, frequency: Double, sampleRate: Double
  ) {
    guard wave != self.wave || frequency != self.frequency else { return }
    self.wave = wave
    self.frequency = frequency
    stride = wave == .sawtooth ? 1 : 2
    let hertz = max(frequency, 1e-3)
    let edge = min(0.5 * sampleRate, (Double(Self.most) + 0.5) * Double(stride) * hertz)
    let count = min(Self.most, Int((edge / hertz - 1) / Double(stride)) + 1)
    groupCount = max(1, (count + 3) / 4)
    for place in 0..<(4 * groupCount) {
      let number = 1 + place * stride
      let part = Double(number) * hertz / edge
      unsafe weights[place / 4][place % 4] =
        part < 1 ? Self.weight(wave, number, place) * Self.fade(part) : 0
    }
  }

  /// The weight of a harmonic: that of a wave within ±1, less the overshoot that the fade allows.
  @_noLocks private static func weight(
    _ wave: ToneGenerator.Wave, _ number: Int, _ place: Int
  ) -> Double {
    let size = 1 / Double(number)
    let sign: Double = place % 2 == 0 ? 1 : -1
    switch wave {
    case .sine: return 0
    case .sawtooth: return sign * size * 2 / (1.03 * Double.pi)
    case .square: return size * 4 / (1.03 * Double.pi)
    case .triangle: return sign * size * size * 8 / (Double.pi * Double.pi)
    }
  }

  @_noLocks private static func fade(_ part: Double) -> Double {
    part < 1e-6 ? 1 : RealtimeMath.sin(Double.pi * part) / (Double.pi * part)
  }

  /// The value at a phase, from 0 to 1.
  @_noLocks func value(at phase: Double) -> Double {
    let angle = 2 * Double.pi * phase
    let one = (RealtimeMath.cos(angle), RealtimeMath.sin(angle))
    let two = Self.product(one, one)
    let step = stride == 1 ? one : two
    let second = Self.product(one, step)
    let third = Self.product(second, step)
    let fourth = Self.product(third, step)
    let doubled = Self.product(step, step)
    let leap = Self.product(doubled, doubled)
    var c = SIMD4(one.0, second.0, third.0, fourth.0)
    var s = SIMD4(one.1, second.1, third.1, fourth.1)
    var sum = SIMD4<Double>(repeating: 0)
    for group in 0..<groupCount {
      unsafe sum += weights[group] * s
      let next = c * leap.0 - s * leap.1
      s = c * leap.1 + s * leap.0
      c = next
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3])
  }

  @_noLocks private static func product(
    _ a: (Double, Double), _ b: (Double, Double)
  ) -> (Double, Double) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
  }
}
