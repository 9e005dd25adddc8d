// Reading between samples: weights of a windowed sinc for parts of a frame.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc
import RealtimeSupport

/// A table of weights of 16 samples for 257 parts of a frame. Context: render; made and freed on a
/// control thread.
@safe struct FractionalDelay: BitwiseCopyable {
  /// Samples that have a weight.
  static var taps: Int { @_noLocks get { 16 } }
  /// The least delay that can be read (frames).
  static var least: Int { @_noLocks get { 8 } }
  private static var parts: Int { @_noLocks get { 256 } }
  private let weights: UnsafeMutablePointer<Float>

  /// Allocates the table. Context: control.
  init() {
    unsafe weights = .allocate(capacity: (Self.parts + 1) * Self.taps)
    for part in 0...Self.parts {
      let offsets = (0..<Self.taps).map { Double(8 - $0) - Double(part) / Double(Self.parts) }
      let row = offsets.map { Self.sinc($0) * Self.window($0 / 8) }
      let sum = row.reduce(0, +)
      for (index, weight) in row.enumerated() {
        unsafe (weights + part * Self.taps + index).initialize(to: Float(weight / sum))
      }
    }
  }

  /// Frees the memory. Context: control.
  func deallocate() { unsafe weights.deallocate() }

  /// The cardinal sine: 1 at 0, and 0 at all other whole numbers.
  static func sinc(_ x: Double) -> Double {
    x.rounded() == x ? (x == 0 ? 1 : 0) : sin(.pi * x) / (.pi * x)
  }

  /// The window of Kaiser with a parameter of 8, from −1 to 1.
  static func window(_ x: Double) -> Double {
    func bessel(_ value: Double) -> Double {
      var (term, sum) = (1.0, 1.0)
      for index in 1...40 {
        term *= (value / (2 * Double(index))) * (value / (2 * Double(index)))
        sum += term
      }
      return sum
    }
    return abs(x) >= 1 ? 0 : bessel(8 * (1 - x * x).squareRoot()) / bessel(8)
  }

  /// The sample `part` of a frame (0 to 1) before that in the middle of 16 samples, the ninth.
  @_noLocks @inline(__always) func read(
    _ samples: UnsafePointer<Float>, _ part: Float
  ) -> Float {
    let place = part * Float(Self.parts)
    let row = min(Int(place), Self.parts - 1)
    let first = unsafe weights + row * Self.taps
    var low = SIMD4<Float>(repeating: 0)
    var high = SIMD4<Float>(repeating: 0)
    for index in 0..<4 {
      let four = unsafe SampleRun.four(samples + 4 * index)
      unsafe low += SampleRun.four(first + 4 * index) * four
      unsafe high += SampleRun.four(first + Self.taps + 4 * index) * four
    }
    let below = (low[0] + low[1]) + (low[2] + low[3])
    let above = (high[0] + high[1]) + (high[2] + high[3])
    return below + (above - below) * (place - Float(row))
  }
}
