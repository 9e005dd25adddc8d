// The fast Fourier transform of a power of two of complex samples, for pictures of spectra.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A transform of one length, with its table of turns.
package struct FourierTransform {
  /// How many samples are transformed.
  package let count: Int
  /// The turns of every stage, one stage after the other: 1, 2, 4, … of them.
  private let cosines: [Float]
  private let sines: [Float]
  private let reversed: [Int]

  /// Prepares a transform of `1 << logarithm` samples.
  package init(logarithm: Int) {
    let count = 1 << logarithm
    self.count = count
    let angles = (0..<logarithm).flatMap { stage in
      (0..<(1 << stage)).map { -Double.pi * Double($0) / Double(1 << stage) }
    }
    cosines = angles.map { Float(cos($0)) }
    sines = angles.map { Float(sin($0)) }
    reversed = (0..<count).map { index in
      var result = 0
      for bit in 0..<logarithm where index >> bit & 1 == 1 { result |= 1 << (logarithm - 1 - bit) }
      return result
    }
  }

  /// Transforms in place: index k is the frequency k / count of the sample rate.
  package func transform(_ re: inout [Float], _ im: inout [Float]) {
    guard re.count == count, im.count == count else { return }
    for index in 0..<count where reversed[index] > index {
      re.swapAt(index, reversed[index])
      im.swapAt(index, reversed[index])
    }
    unsafe re.withUnsafeMutableBufferPointer { re in
      unsafe im.withUnsafeMutableBufferPointer { im in
        unsafe cosines.withUnsafeBufferPointer { cosines in
          unsafe sines.withUnsafeBufferPointer { sines in
            guard let re = re.baseAddress, let im = im.baseAddress,
              let cosines = cosines.baseAddress, let sines = sines.baseAddress
            else { return }
            var half = 1
            while half < count {
              let (c, s) = unsafe (cosines + half - 1, sines + half - 1)
              var start = 0
              while start < count {
                unsafe Self.join(re + start, im + start, c, s, half)
                start += 2 * half
              }
              half *= 2
            }
          }
        }
      }
    }
  }

  /// Joins two transforms of `half` samples, one behind the other, to one of twice as many.
  private static func join(
    _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ half: Int
  ) {
    for index in 0..<half {
      let (c, s) = unsafe (cosines[index], sines[index])
      let (high, low) = (index &+ half, index)
      let x = unsafe re[high] * c - im[high] * s
      let y = unsafe re[high] * s + im[high] * c
      let (a, b) = unsafe (re[low], im[low])
      unsafe re[high] = a - x
      unsafe im[high] = b - y
      unsafe re[low] = a + x
      unsafe im[low] = b + y
    }
  }
}
