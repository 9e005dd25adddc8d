// exp(E1(x) / 2), by which the log-spectral amplitude differs from the Wiener filter.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A table of exp(E1(x) / 2) with eight places an octave, within 0.02 dB of it.
enum ExponentialIntegral {
  private static var octaves: Int { @_noLocks get { 40 } }
  /// The exponent of the first octave as bits have it: 2⁻³⁰.
  private static var first: UInt32 { @_noLocks get { 97 << 3 } }

  /// Allocates the table. Context: control.
  static func makeTable() -> UnsafeMutablePointer<Float> {
    let table = UnsafeMutablePointer<Float>.allocate(capacity: octaves * 8 + 1)
    for place in 0...(octaves * 8) {
      let mantissa = 1 + Double(place % 8) / 8
      let x = mantissa * RealtimeMath.exp(Double(place / 8 - 30) * 0.693_147_180_559_945_3)
      unsafe (table + place).initialize(to: Float(RealtimeMath.exp(value(x) / 2)))
    }
    return unsafe table
  }

  /// E1 by its series up to 1, and by its continued fraction above.
  private static func value(_ x: Double) -> Double {
    if x <= 1 {
      var (sum, term) = (-0.577_215_664_901_532_9 - RealtimeMath.log(x), -1.0)
      for n in 1...24 {
        term *= -x / Double(n)
        sum += term / Double(n)
      }
      return sum
    }
    var fraction = 0.0
    for n in stride(from: 60, to: 0, by: -1) {
      fraction = Double(n) / (1 + Double(n) / (x + fraction))
    }
    return RealtimeMath.exp(-x) / (x + fraction)
  }

  /// The value of a positive number. Context: render.
  @_noLocks static func half(_ x: Float, _ table: UnsafePointer<Float>) -> Float {
    let bits = min(max(x, 1e-9), 1000).bitPattern
    let place = Int((bits >> 20) - first)
    let part = Float(bits & 0xF_FFFF) * (1 / Float(1 << 20))
    let low = unsafe table[place]
    return unsafe low + (table[place + 1] - low) * part
  }
}
