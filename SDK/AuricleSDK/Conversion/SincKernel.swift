// A windowed sinc whose width follows the speed: the weights of input frames at any position and any speed.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The weights of a conversion whose ratio moves.
///
/// The filter is stored at 256 places between two of its zeros and interpolated by cubic polynomials, which is exact to
/// −150 dB. Up to the speed 1 the weights are rows that lie in memory as they are used. Above it the filter is as
/// many times wider. Its weights are then read one by one, or from rows that were made for one speed.
///
/// Made and freed on a control thread, read on the render thread.
@safe struct SincKernel: BitwiseCopyable {
  /// Places between one input frame and the next.
  static var density: Int { @_noLocks get { 256 } }
  /// Input frames on either side of the position up to the speed 1; a multiple of 8.
  let reach: Int
  /// Values of the filter from its middle on, with two in front; zeros follow.
  private let lobe: UnsafeMutablePointer<Float>
  private let lobeCount: Int
  /// For each place, and one before and two behind, the weights of 2 × `reach` frames.
  private let rows: UnsafeMutablePointer<Float>

  /// Computes the filter for half the speed's band: rejection and pass band of a quality. Context: control.
  init(_ quality: RateQuality) {
    let transition = max(1 - quality.passband, 0.01) / 2
    let half = max(4, (quality.rejection - 7.95) / (2.285 * 2 * Double.pi * transition) / 2)
    reach = (Int(half) + 8) / 8 * 8
    let cutoff = (1 + quality.passband) / 2
    let beta = 0.1102 * (quality.rejection - 8.7)
    lobeCount = (reach + 1) * Self.density + 8
    unsafe lobe = .allocate(capacity: lobeCount)
    let top = Self.bessel(beta)
    for index in 0..<lobeCount {
      let place = abs(Double(index - 2)) / Double(Self.density)
      var value = 0.0
      if place < half {
        let angle = Double.pi * cutoff * place
        let sinc = angle < 1e-9 ? 1 : RealtimeMath.sin(angle) / angle
        let part = place / half
        value = cutoff * sinc * Self.bessel(beta * (1 - part * part).squareRoot()) / top
      }
      unsafe (lobe + index).initialize(to: Float(value))
    }
    let width = 2 * reach
    unsafe rows = UnsafeMutableRawPointer.allocate(
      byteCount: (Self.density + 3) * width * 4, alignment: 64
    ).bindMemory(to: Float.self, capacity: (Self.density + 3) * width)
    for row in 0..<(Self.density + 3) {
      for tap in 0..<width {
        let place = abs(row - 1 - (tap - reach + 1) * Self.density)
        unsafe (rows + row * width + tap).initialize(
          to: place + 2 < lobeCount ? lobe[place + 2] : 0)
      }
    }
  }

  /// Frees the weights. Context: control.
  func deallocate() {
    unsafe lobe.deallocate()
    unsafe rows.deallocate()
  }

  /// Returns the modified Bessel function of the first kind and order zero.
  private static func bessel(_ x: Double) -> Double {
    var term = 1.0, sum = 1.0, k = 1.0
    let quarter = x * x / 4
    while term > sum * 1e-17 && k < 500 {
      term *= quarter / (k * k)
      sum += term
      k += 1
    }
    return sum
  }

  /// Input frames on either side of the position at a speed.
  @_noLocks func reach(at speed: Double) -> Int {
    speed <= 1 ? reach : Int(Double(reach) * speed) + 1
  }

  /// Writes the weights of 2 × `reach(at:)` frames.
  ///
  /// - Parameters:
  ///   - fraction: The position behind the frame of tap `reach` − 1, from 0 to below 1.
  @_noLocks func write(_ fraction: Double, speed: Double, to weights: UnsafeMutablePointer<Float>) {
    if speed <= 1 {
      unsafe writeRows(fraction, weights)
    } else {
      unsafe writeWide(fraction, speed, weights)
    }
  }

  /// Returns the weights of four neighbours in cubic interpolation.
  @_noLocks private static func cubic(_ part: Float) -> SIMD4<Float> {
    let before = part + 1, behind = part - 1, beyond = part - 2
    return SIMD4(
      -part * behind * beyond / 6, before * behind * beyond / 2,
      -before * part * beyond / 2, before * part * behind / 6)
  }

  @_noLocks private func writeRows(_ fraction: Double, _ weights: UnsafeMutablePointer<Float>) {
    unsafe Self.blend(rows, 2 * reach, fraction, to: weights)
  }

  /// Rows of a table for one speed: each place, one before and two behind.
  static var rowCount: Int { @_noLocks get { density + 3 } }

  /// Makes a row of a table for a speed above 1, of 2 × `reach(at:)` weights.
  @_noLocks func makeRow(_ row: Int, speed: Double, in table: UnsafeMutablePointer<Float>) {
    let fraction = Double(row - 1) / Double(Self.density)
    unsafe writeWide(fraction, speed, table + row * 2 * reach(at: speed))
  }

  /// Interpolates the weights at a position between rows that are so wide.
  @_noLocks static func blend(
    _ rows: UnsafePointer<Float>, _ width: Int, _ fraction: Double,
    to weights: UnsafeMutablePointer<Float>
  ) {
    let place = fraction * Double(Self.density)
    let row = min(Int(place), Self.density - 1)
    let four = Self.cubic(Float(place - Double(row)))
    let (a, b, c, d) = (four[0], four[1], four[2], four[3])
    let first = unsafe rows + row * width
    let second = unsafe first + width
    let third = unsafe second + width
    let fourth = unsafe third + width
    for tap in 0..<width {
      unsafe weights[tap] = a * first[tap] + b * second[tap] + c * third[tap] + d * fourth[tap]
    }
  }

  @_noLocks private func writeWide(
    _ fraction: Double, _ speed: Double, _ weights: UnsafeMutablePointer<Float>
  ) {
    let wide = reach(at: speed)
    let scale = Double(Self.density) / speed
    let gain = Float(1 / speed)
    let last = lobeCount - 4
    for tap in 0..<(2 * wide) {
      let distance = fraction - Double(tap - wide + 1)
      let place = (distance < 0 ? -distance : distance) * scale
      let index = min(Int(place), last)
      let t = min(Float(place - Double(index)), 1)
      let four = unsafe SampleRun.four(lobe + index + 1) * Self.cubic(t)
      unsafe weights[tap] = gain * ((four[0] + four[1]) + (four[2] + four[3]))
    }
  }
}
