// Fourier transforms against the sum that defines them.
// SPDX-License-Identifier: Apache-2.0

import Accelerate
import Testing

/// The transform as its definition has it.
private func definition(_ re: [Float], _ im: [Float], _ sign: Double) -> [(Double, Double)] {
  let count = re.count
  return (0..<count).map { k in
    var sum = (0.0, 0.0)
    for n in 0..<count {
      let angle = -sign * 2 * Double.pi * Double(k * n % count) / Double(count)
      sum.0 += Double(re[n]) * cos(angle) - Double(im[n]) * sin(angle)
      sum.1 += Double(re[n]) * sin(angle) + Double(im[n]) * cos(angle)
    }
    return sum
  }
}

/// Numbers between -1 and 1, the same in every run.
private func numbers(_ count: Int, _ seed: UInt64) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
  }
}

struct FourierTests {
  @Test(arguments: [8, 16, 24, 40, 120, 320, 480]) func anyLength(_ count: Int) throws {
    let (re, im) = (numbers(count, 1), numbers(count, 2))
    for (direction, sign) in [(vDSP_DFT_Direction.FORWARD, 1.0), (.INVERSE, -1.0)] {
      let setup = try #require(vDSP_DFT_zop_CreateSetup(nil, vDSP_Length(count), direction))
      var (outRe, outIm) = (re, im)
      vDSP_DFT_Execute(setup, re, im, &outRe, &outIm)
      for (k, wanted) in definition(re, im, sign).enumerated() {
        #expect(abs(Double(outRe[k]) - wanted.0) < 1e-3 && abs(Double(outIm[k]) - wanted.1) < 1e-3)
      }
      vDSP_DFT_DestroySetup(setup)
    }
  }

  @Test(arguments: [4, 7, 14, 72]) func otherLengthsHaveNoSetup(_ count: Int) {
    #expect(vDSP_DFT_zop_CreateSetup(nil, vDSP_Length(count), .FORWARD) == nil)
  }

  @Test(arguments: [2, 3, 4, 6, 9]) func realSamplesArePackedAndDoubled(_ log2n: Int) throws {
    let count = 1 << log2n
    let samples = numbers(count, 3)
    let wanted = definition(samples, [Float](repeating: 0, count: count), 1)
    let setup = try #require(vDSP_create_fftsetup(vDSP_Length(log2n), FFTRadix(kFFTRadix2)))
    defer { vDSP_destroy_fftsetup(setup) }
    var (re, im) = (
      [Float](repeating: 0, count: count / 2), [Float](repeating: 0, count: count / 2)
    )
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in
        var split = DSPSplitComplex(realp: re.baseAddress!, imagp: im.baseAddress!)
        samples.withUnsafeBytes {
          vDSP_ctoz(
            $0.bindMemory(to: DSPComplex.self).baseAddress!, 2, &split, 1, vDSP_Length(count / 2))
        }
        vDSP_fft_zrip(setup, &split, 1, vDSP_Length(log2n), FFTDirection(FFT_FORWARD))
        #expect(
          abs(Double(re[0]) - 2 * wanted[0].0) < 1e-3
            && abs(Double(im[0]) - 2 * wanted[count / 2].0) < 1e-3)
        for k in 1..<count / 2 {
          #expect(
            abs(Double(re[k]) - 2 * wanted[k].0) < 1e-3
              && abs(Double(im[k]) - 2 * wanted[k].1) < 1e-3)
        }
        vDSP_fft_zrip(setup, &split, 1, vDSP_Length(log2n), FFTDirection(FFT_INVERSE))
        for n in 0..<count / 2 {
          #expect(abs(re[n] / Float(2 * count) - samples[2 * n]) < 1e-4)
          #expect(abs(im[n] / Float(2 * count) - samples[2 * n + 1]) < 1e-4)
        }
      }
    }
  }
}
