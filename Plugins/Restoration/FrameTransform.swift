// The fast Fourier transform of a power of two, for render threads.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A complex transform in place, with its tables: real and imaginary parts are apart.
///
/// Context: made and freed on a control thread, everything else render.
@safe package struct FrameTransform: ~Copyable {
  /// Samples of a frame, a power of two.
  package let count: Int
  /// The factors of each stage behind one another: those of half length m begin at m − 1.
  private let cosines: UnsafeMutablePointer<Float>
  private let sines: UnsafeMutablePointer<Float>
  private let order: UnsafeMutablePointer<Int>

  /// Makes the tables of a power of two, at least 4.
  package init(count: Int) {
    self.count = count
    unsafe cosines = .allocate(capacity: count)
    unsafe sines = .allocate(capacity: count)
    unsafe order = .allocate(capacity: count)
    unsafe cosines.initialize(repeating: 0, count: count)
    unsafe sines.initialize(repeating: 0, count: count)
    unsafe order.initialize(repeating: 0, count: count)
    var half = 1
    while half < count {
      for index in 0..<half {
        let angle = -Double.pi * Double(index) / Double(half)
        unsafe cosines[half - 1 + index] = Float(RealtimeMath.cos(angle))
        unsafe sines[half - 1 + index] = Float(RealtimeMath.sin(angle))
      }
      half *= 2
    }
    let bits = count.trailingZeroBitCount
    for index in 1..<count {
      unsafe order[index] = order[index >> 1] >> 1 | (index & 1) << (bits - 1)
    }
  }

  deinit {
    unsafe cosines.deallocate()
    unsafe sines.deallocate()
    unsafe order.deallocate()
  }

  /// Transforms a frame; with the parts exchanged it is the inverse times the number of samples.
  @_noLocks package func run(_ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>) {
    for index in 0..<count {
      let other = unsafe order[index]
      guard other > index else { continue }
      let (a, b) = unsafe (re[index], im[index])
      unsafe re[index] = re[other]
      unsafe im[index] = im[other]
      unsafe re[other] = a
      unsafe im[other] = b
    }
    var half = 1
    while half < count {
      let (c, s) = unsafe (cosines + (half - 1), sines + (half - 1))
      var first = 0
      while first < count {
        let (low, high) = unsafe (re + first, re + (first &+ half))
        let (lowIm, highIm) = unsafe (im + first, im + (first &+ half))
        for index in 0..<half {
          let a = unsafe high[index] * c[index] - highIm[index] * s[index]
          let b = unsafe high[index] * s[index] + highIm[index] * c[index]
          unsafe high[index] = low[index] - a
          unsafe highIm[index] = lowIm[index] - b
          unsafe low[index] += a
          unsafe lowIm[index] += b
        }
        first &+= 2 &* half
      }
      half *= 2
    }
  }
}
