// Fourier transforms against the sum that defines them.
// SPDX-License-Identifier: Apache-2.0

import Accelerate
import Foundation
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

  @Test("Types of Swift transform as the functions do, or throw for other lengths")
  func typesOfSwift() throws {
    let (re, im) = (numbers(24, 5), numbers(24, 6))
    let wanted = definition(re, im, 1)
    let dft = try #require(
      vDSP.DFT(count: 24, direction: .forward, transformType: .complexComplex, ofType: Float.self))
    let newer = try vDSP.DiscreteFourierTransform(
      count: 24, direction: .forward, transformType: .complexComplex, ofType: Double.self)
    let pairs = try vDSP.DiscreteFourierTransform(
      count: 24, direction: .forward, transformType: .complexComplex, ofType: DSPComplex.self)
    let (first, second) = (
      dft.transform(inputReal: re, inputImaginary: im),
      newer.transform(real: re.map(Double.init), imaginary: im.map(Double.init))
    )
    let third = pairs.transform(input: zip(re, im).map { DSPComplex(real: $0, imag: $1) })
    for k in 0..<24 {
      #expect(abs(Double(first.real[k]) - wanted[k].0) < 1e-4)
      #expect(abs(second.imaginary[k] - wanted[k].1) < 1e-12)
      #expect(third[k].real == first.real[k] && third[k].imag == first.imaginary[k])
    }
    #expect(throws: vDSP.VDSPError.self) {
      try vDSP.DiscreteFourierTransform(
        count: 14, direction: .forward, transformType: .complexComplex, ofType: Float.self)
    }
  }

  @Test func powersOfTwoGoThereAndBack() throws {
    let fft = try #require(vDSP.FFT(log2n: 6, radix: .radix2, ofType: DSPSplitComplex.self))
    let samples = numbers(64, 7)
    var memory = [[Float]](repeating: [Float](repeating: 0, count: 32), count: 6)
    for n in 0..<32 { (memory[0][n], memory[1][n]) = (samples[2 * n], samples[2 * n + 1]) }
    let parts = memory.map { part in
      let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: 32)
      _ = copy.initialize(from: part)
      return copy
    }
    defer { for part in parts { part.deallocate() } }
    func split(_ index: Int) -> DSPSplitComplex {
      DSPSplitComplex(realp: parts[index].baseAddress!, imagp: parts[index + 1].baseAddress!)
    }
    var (spectrum, back) = (split(2), split(4))
    fft.forward(input: split(0), output: &spectrum)
    fft.inverse(input: spectrum, output: &back)
    let wanted = definition(samples, [Float](repeating: 0, count: 64), 1)
    #expect((1..<32).allSatisfy { abs(Double(parts[2][$0]) - 2 * wanted[$0].0) < 1e-3 })
    #expect((0..<32).allSatisfy { abs(parts[4][$0] / 128 - samples[2 * $0]) < 1e-5 })
  }

  @Test(arguments: [16, 48, 240, 1_024]) func cosines(_ count: Int) throws {
    let samples = numbers(count, 8)
    func wanted(_ k: Int, _ term: (Double, Double) -> Double) -> Double {
      (0..<count).reduce(0) { $0 + Double(samples[$1]) * term(Double($1), Double(k)) }
    }
    let n = Double(count)
    let made = try vDSP.DCTTransformType.allCases.map {
      try #require(vDSP.DCT(count: count, transformType: $0)).transform(samples)
    }
    for k in [0, 1, count / 2, count - 1] {
      #expect(abs(Double(made[0][k]) - wanted(k) { cos(.pi * $1 * ($0 + 0.5) / n) }) < 1e-3)
      let third = wanted(k) { $0 == 0 ? 0.5 : cos(.pi * $0 * ($1 + 0.5) / n) }
      #expect(abs(Double(made[1][k]) - third) < 1e-3)
      #expect(abs(Double(made[2][k]) - wanted(k) { cos(.pi * ($0 + 0.5) * ($1 + 0.5) / n) }) < 1e-3)
    }
    #expect(vDSP.DCT(count: 24, transformType: .II) == nil)
  }

  @Test func filtersRememberBetweenPieces() throws {
    let factors = [0.2, 0.3, 0.1, -0.4, 0.2, 1, -0.5, 0, 0.1, 0]
    let samples = numbers(200, 9)
    var wanted: [Float] = samples
    for section in 0..<2 {
      let f = Array(factors[5 * section..<5 * section + 5])
      let input = wanted.map(Double.init)
      var output = [Double](repeating: 0, count: 200)
      for n in 0..<200 {
        func x(_ back: Int) -> Double { n >= back ? input[n - back] : 0 }
        func y(_ back: Int) -> Double { n >= back ? output[n - back] : 0 }
        output[n] = f[0] * x(0) + f[1] * x(1) + f[2] * x(2) - f[3] * y(1) - f[4] * y(2)
      }
      wanted = output.map(Float.init)
    }
    var filter = try #require(
      vDSP.Biquad(coefficients: factors, channelCount: 1, sectionCount: 2, ofType: Float.self))
    let made = filter.apply(input: samples[0..<77]) + filter.apply(input: samples[77...])
    #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 1e-5 })
    let setup = try #require(vDSP_biquad_CreateSetup(factors, 2))
    defer { vDSP_biquad_DestroySetup(setup) }
    var (delay, whole) = ([Float](repeating: 0, count: 6), samples)
    vDSP_biquad(setup, &delay, samples, 1, &whole, 1, 200)
    #expect(whole == made)
    #expect(
      vDSP.Biquad(coefficients: factors, channelCount: 2, sectionCount: 2, ofType: Float.self)
        == nil)
  }
}
