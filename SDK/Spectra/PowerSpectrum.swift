// The power of a sound by frequency, under a Hann window.
// SPDX-License-Identifier: Apache-2.0

import Glibc

extension FourierTransform {
  /// Powers of the bins from 0 Hz to half the rate, `count / 2 + 1` of them, of real samples under a Hann window.
  ///
  /// A sine of amplitude a has a² count² / 16 in its bin. Empty where there are not as many samples as the transform has.
  /// Context: control.
  public func power(_ samples: [Float]) -> [Double] {
    guard samples.count == count else { return [] }
    let step = 2 * Double.pi / Double(count)
    var re = samples.enumerated().map { (index, sample) -> Float in
      let window = 0.5 - 0.5 * cos(step * Double(index))
      return Float(Double(sample) * window)
    }
    var im = [Float](repeating: 0, count: count)
    transform(&re, &im)
    return (0...(count / 2)).map { (bin) -> Double in
      let (a, b) = (Double(re[bin]), Double(im[bin]))
      return a * a + b * b
    }
  }
}
