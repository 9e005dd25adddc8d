// Sound at a multiple of the rate at which the synth makes it: a windowed sinc between its samples.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Makes blocks of 64 frames of one channel into blocks of two or four times as many; later by half of its filter.
@safe struct RateMultiplier: ~Copyable {
  /// Input frames that go into an output frame.
  static var tapCount: Int { @_noLocks get { 48 } }
  private let factor: Int
  private let weights: UnsafeMutablePointer<Float>
  /// The end of the input before, then the block.
  private let history: UnsafeMutablePointer<Float>

  /// Designs the filter. Context: control.
  init(factor: Int) {
    self.factor = factor
    let taps = Self.tapCount, beta = 9.0
    unsafe weights = .allocate(capacity: factor * taps)
    unsafe history = .allocate(capacity: taps + BankPlayer.blockFrames)
    unsafe history.initialize(repeating: 0, count: taps + BankPlayer.blockFrames)
    for phase in 0..<factor {
      for tap in 0..<taps {
        let time = Double(taps / 2 - 1 - tap) + Double(phase) / Double(factor)
        let part = time / Double(taps / 2)
        let angle = Double.pi * time
        let sinc = time == 0 ? 1 : phase == 0 ? 0 : RealtimeMath.sin(angle) / angle
        let window =
          abs(part) >= 1
          ? 0 : Self.bessel(beta * (1 - part * part).squareRoot()) / Self.bessel(beta)
        unsafe weights[phase * taps + tap] = Float(sinc * window)
      }
    }
  }

  deinit {
    unsafe weights.deallocate()
    unsafe history.deallocate()
  }

  /// Forgets the past. Context: any.
  @_noLocks mutating func reset() {
    for index in 0..<Self.tapCount { unsafe history[index] = 0 }
  }

  /// Place of the next block of input.
  var input: UnsafeMutablePointer<Float> { @_noLocks get { unsafe history + Self.tapCount } }

  /// Makes the output of the block that was written. Context: render.
  @_noLocks mutating func makeBlock(_ output: UnsafeMutablePointer<Float>) {
    let taps = Self.tapCount
    for frame in 0..<BankPlayer.blockFrames {
      let first = unsafe history + frame + 1
      for phase in 0..<factor {
        let row = unsafe weights + phase * taps
        var sum: Float = 0
        for tap in 0..<taps { unsafe sum += row[tap] * first[tap] }
        unsafe output[frame * factor + phase] = sum
      }
    }
    for index in 0..<taps { unsafe history[index] = history[index + BankPlayer.blockFrames] }
  }

  /// The modified Bessel function of order 0.
  static func bessel(_ x: Double) -> Double {
    var sum = 1.0, term = 1.0, index = 1.0
    while term > sum * 1e-17 {
      term *= (x / 2 / index) * (x / 2 / index)
      sum += term
      index += 1
    }
    return sum
  }
}
