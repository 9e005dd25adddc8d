// Sound at another rate than that at which the synth makes it: a windowed sinc between its samples.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Makes blocks of one channel of 64 frames for a number of `factor` for each `step` frames of the synth, of which one is 1.
/// They are late by half of the filter.
@safe struct RateChanger: ~Copyable {
  /// Frames at the lower of both rates over which the filter reaches.
  static var reach: Int { @_noLocks get { 48 } }
  private let factor: Int
  private let step: Int
  /// Input frames that go into an output frame.
  private let taps: Int
  private let weights: UnsafeMutablePointer<Float>
  /// The end of the input before, then the block.
  private let history: UnsafeMutablePointer<Float>

  /// Designs the filter. Context: control.
  init(factor: Int, step: Int) {
    self.factor = factor
    self.step = step
    taps = Self.reach * step
    let beta = 9.0
    unsafe weights = .allocate(capacity: factor * taps)
    unsafe history = .allocate(capacity: taps + BankPlayer.blockFrames * step)
    unsafe history.initialize(repeating: 0, count: taps + BankPlayer.blockFrames * step)
    for phase in 0..<factor {
      for tap in 0..<taps {
        let frame = Double(taps / 2 - 1 - tap) + Double(phase) / Double(factor)
        let time = frame / Double(step)
        let part = frame / Double(taps / 2)
        let angle = Double.pi * time
        let sinc = time == 0 ? 1 : time == time.rounded() ? 0 : RealtimeMath.sin(angle) / angle
        let window =
          abs(part) >= 1
          ? 0 : Self.bessel(beta * (1 - part * part).squareRoot()) / Self.bessel(beta)
        unsafe weights[phase * taps + tap] = Float(sinc * window / Double(step))
      }
    }
  }

  deinit {
    unsafe weights.deallocate()
    unsafe history.deallocate()
  }

  /// Forgets the past. Context: any.
  @_noLocks mutating func reset() {
    for index in 0..<taps { unsafe history[index] = 0 }
  }

  /// The place of the next block of input, 64 frames for each of `step`.
  var input: UnsafeMutablePointer<Float> { @_noLocks get { unsafe history + taps } }

  /// Makes the output of the block that was written. Context: render.
  @_noLocks mutating func makeBlock(_ output: UnsafeMutablePointer<Float>) {
    for frame in 0..<BankPlayer.blockFrames {
      let first = unsafe history + frame * step + 1
      for phase in 0..<factor {
        let row = unsafe weights + phase * taps
        var sum: Float = 0
        for tap in 0..<taps { unsafe sum += row[tap] * first[tap] }
        unsafe output[frame * factor + phase] = sum
      }
    }
    for index in 0..<taps { unsafe history[index] = history[index + BankPlayer.blockFrames * step] }
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
