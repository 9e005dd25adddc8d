// The transforms of vDSP as types of Swift.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A number that transforms of split vectors have.
public protocol vDSP_FloatingPointDiscreteFourierTransformable: vDSP_DiscreteFourierTransformable,
  BinaryFloatingPoint
{}
/// A number, or a pair of them, that a transform of one length has.
public protocol vDSP_DiscreteFourierTransformable: Sendable {}
/// Split vectors that transforms of powers of two have.
public protocol vDSP_FourierTransformable {}

extension Float: vDSP_FloatingPointDiscreteFourierTransformable {}
extension Double: vDSP_FloatingPointDiscreteFourierTransformable {}
extension DSPComplex: vDSP_DiscreteFourierTransformable {}
extension DSPDoubleComplex: vDSP_DiscreteFourierTransformable {}
extension DSPSplitComplex: vDSP_FourierTransformable {}
extension DSPDoubleSplitComplex: vDSP_FourierTransformable {}

/// A transform of a length, whatever its numbers.
private protocol SplitTransform: AnyObject {
  var length: Int { get }
  var isReal: Bool { get }
  func execute(
    raw Ir: UnsafeRawPointer, _ Ii: UnsafeRawPointer, _ Or: UnsafeMutableRawPointer,
    _ Oi: UnsafeMutableRawPointer)
}

extension MixedTransform: SplitTransform {
  func execute(
    raw Ir: UnsafeRawPointer, _ Ii: UnsafeRawPointer, _ Or: UnsafeMutableRawPointer,
    _ Oi: UnsafeMutableRawPointer
  ) {
    execute(
      Ir.assumingMemoryBound(to: Value.self), Ii.assumingMemoryBound(to: Value.self),
      Or.assumingMemoryBound(to: Value.self), Oi.assumingMemoryBound(to: Value.self))
  }
}

extension SplitTransform {
  /// The number of elements of each vector.
  var count: Int { isReal ? length / 2 : length }

  func run<Value, Input: AccelerateBuffer, Output: AccelerateMutableBuffer>(
    _ real: Input, _ imaginary: Input, _ outputReal: inout Output, _ outputImaginary: inout Output
  ) where Input.Element == Value, Output.Element == Value {
    precondition(
      [real.count, imaginary.count, outputReal.count, outputImaginary.count].allSatisfy {
        $0 == count
      }, "vectors must have the count of the transform")
    real.withUnsafeBufferPointer { inRe in
      imaginary.withUnsafeBufferPointer { inIm in
        outputReal.withUnsafeMutableBufferPointer { outRe in
          outputImaginary.withUnsafeMutableBufferPointer { outIm in
            guard let inRe = inRe.baseAddress, let inIm = inIm.baseAddress,
              let outRe = outRe.baseAddress, let outIm = outIm.baseAddress
            else { return }
            execute(raw: inRe, inIm, outRe, outIm)
          }
        }
      }
    }
  }
}

extension SplitTransform {
  /// Transforms pairs of real and imaginary parts.
  func run<Input: AccelerateBuffer, Output: AccelerateMutableBuffer>(
    pairs input: Input, _ output: inout Output
  ) where Input.Element: ComplexPair, Output.Element == Input.Element {
    let (re, im) = input.withUnsafeBufferPointer { ($0.map(\.real), $0.map(\.imag)) }
    var (real, imaginary) = (re, im)
    run(re, im, &real, &imaginary)
    precondition(output.count == real.count, "vectors must have the count of the transform")
    output.withUnsafeMutableBufferPointer {
      for n in $0.indices { $0[n] = Input.Element(real: real[n], imag: imaginary[n]) }
    }
  }
}

private func splitTransform(
  _ count: Int, _ direction: vDSP.FourierTransformDirection, _ type: vDSP.DFTTransformType,
  isDouble: Bool
) -> (any SplitTransform)? {
  guard count > 0 else { return nil }
  let (sign, isReal) = (direction == .forward ? 1 : -1, type == .complexReal)
  return isDouble
    ? MixedTransform<Double>(length: count, sign: Double(sign), isReal: isReal)
    : MixedTransform<Float>(length: count, sign: Float(sign), isReal: isReal)
}

extension vDSP {
  /// The direction of a transform.
  public enum FourierTransformDirection: Sendable {
    /// From time to frequency.
    case forward
    /// From frequency to time.
    case inverse
    /// The direction of a transform of powers of two.
    public var fftDirection: FFTDirection {
      self == .forward ? kFFTDirection_Forward : kFFTDirection_Inverse
    }
    /// The direction of a transform of one length.
    public var dftDirection: vDSP_DFT_Direction { self == .forward ? .FORWARD : .INVERSE }
  }
  /// The numbers of a transform: complex to complex, or between real and complex.
  public enum DFTTransformType: Sendable {
    /// As many complex numbers as the count.
    case complexComplex
    /// As many real numbers as the count; even and odd ones are the two vectors.
    case complexReal
  }
  /// The radix of a set-up.
  public enum Radix: Sendable {
    /// Powers of two.
    case radix2
    /// Powers of three; served as those of two are.
    case radix3
    /// Powers of five; served as those of two are.
    case radix5
  }
  /// The reason for which there is no transform.
  public enum VDSPError: Error, Sendable {
    /// The count is not f 2^n, f being 1, 3, 5 or 15 and n at least 3.
    case invalidCount
  }

  /// A transform of split vectors of one length.
  public class DFT<T: vDSP_FloatingPointDiscreteFourierTransformable>: @unchecked Sendable {
    private let split: any SplitTransform
    /// A transform of a length f 2^n, f being 1, 3, 5 or 15 and n at least 3; nil for other lengths.
    public init?(
      previous: DFT<T>? = nil, count: Int, direction: FourierTransformDirection,
      transformType: DFTTransformType, ofType: T.Type
    ) {
      guard
        let split = splitTransform(
          count, direction, transformType, isDouble: T.self == Double.self)
      else { return nil }
      self.split = split
    }
    /// Transforms into vectors that are there.
    public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      inputReal: U, inputImaginary: U, outputReal: inout V, outputImaginary: inout V
    ) where U.Element == T, V.Element == T {
      split.run(inputReal, inputImaginary, &outputReal, &outputImaginary)
    }
    /// The transformed vectors.
    public func transform<U: AccelerateBuffer>(inputReal: U, inputImaginary: U) -> (
      real: [T], imaginary: [T]
    ) where U.Element == T {
      var real = [T](repeating: 0, count: split.count)
      var imaginary = real
      split.run(inputReal, inputImaginary, &real, &imaginary)
      return (real, imaginary)
    }
  }

  /// A transform of split or interleaved vectors of one length.
  public class DiscreteFourierTransform<T: vDSP_DiscreteFourierTransformable>: @unchecked Sendable {
    fileprivate let split: any SplitTransform
    /// A transform of a length f 2^n, f being 1, 3, 5 or 15 and n at least 3; throws for other lengths.
    public init(
      previous: DiscreteFourierTransform<T>? = nil, count: Int,
      direction: FourierTransformDirection, transformType: DFTTransformType, ofType: T.Type
    ) throws {
      guard
        let split = splitTransform(
          count, direction, transformType,
          isDouble: T.self == Double.self || T.self == DSPDoubleComplex.self)
      else { throw VDSPError.invalidCount }
      self.split = split
    }
  }
}

extension vDSP.DiscreteFourierTransform where T: vDSP_FloatingPointDiscreteFourierTransformable {
  /// Transforms into vectors that are there.
  public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    inputReal: U, inputImaginary: U, outputReal: inout V, outputImaginary: inout V
  ) where U.Element == T, V.Element == T {
    split.run(inputReal, inputImaginary, &outputReal, &outputImaginary)
  }
  /// The transformed vectors.
  public func transform<U: AccelerateBuffer>(real: U, imaginary: U) -> (
    real: [T], imaginary: [T]
  ) where U.Element == T {
    var result = ([T](repeating: 0, count: split.count), [T](repeating: 0, count: split.count))
    split.run(real, imaginary, &result.0, &result.1)
    return (real: result.0, imaginary: result.1)
  }
}

extension vDSP.DiscreteFourierTransform where T == DSPComplex {
  /// Transforms into a vector that is there.
  public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    input: U, output: inout V
  ) where U.Element == T, V.Element == T {
    split.run(pairs: input, &output)
  }
  /// The transformed vector.
  public func transform<U: AccelerateBuffer>(input: U) -> [T] where U.Element == T {
    var result = [T](repeating: T(real: 0, imag: 0), count: split.count)
    transform(input: input, output: &result)
    return result
  }
}

extension vDSP.DiscreteFourierTransform where T == DSPDoubleComplex {
  /// Transforms into a vector that is there.
  public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    input: U, output: inout V
  ) where U.Element == T, V.Element == T {
    split.run(pairs: input, &output)
  }
  /// The transformed vector.
  public func transform<U: AccelerateBuffer>(input: U) -> [T] where U.Element == T {
    var result = [T](repeating: T(real: 0, imag: 0), count: split.count)
    transform(input: input, output: &result)
    return result
  }
}

// MARK: Powers of two

extension vDSP {
  /// A transform between real samples, whose even and odd ones are split, and frequencies.
  public class FFT<T: vDSP_FourierTransformable>: @unchecked Sendable {
    fileprivate let log2n: vDSP_Length
    fileprivate let setup: OpaquePointer
    private let isDouble: Bool
    /// A transform of two to the power of a number; nil if that is too large.
    public init?(log2n: vDSP_Length, radix: Radix, ofType: T.Type) {
      isDouble = T.self == DSPDoubleSplitComplex.self
      guard
        let setup = isDouble
          ? vDSP_create_fftsetupD(log2n, kFFTRadix2) : vDSP_create_fftsetup(log2n, kFFTRadix2)
      else { return nil }
      self.log2n = log2n
      self.setup = setup
    }
    deinit { if isDouble { vDSP_destroy_fftsetupD(setup) } else { vDSP_destroy_fftsetup(setup) } }
  }
}

extension vDSP.FFT where T == DSPSplitComplex {
  /// Transforms in a direction, scaled as by vDSP_fft_zrop.
  public func transform(
    input: T, output: inout T, direction: vDSP.FourierTransformDirection
  ) {
    withUnsafePointer(to: input) {
      vDSP_fft_zrop(setup, $0, 1, &output, 1, log2n, direction.fftDirection)
    }
  }
  /// Transforms from time to frequency: twice the mathematical values.
  public func forward(input: T, output: inout T) {
    transform(input: input, output: &output, direction: .forward)
  }
  /// Transforms from frequency to time, not scaled.
  public func inverse(input: T, output: inout T) {
    transform(input: input, output: &output, direction: .inverse)
  }
}

extension vDSP.FFT where T == DSPDoubleSplitComplex {
  /// Transforms in a direction, scaled as by vDSP_fft_zropD.
  public func transform(
    input: T, output: inout T, direction: vDSP.FourierTransformDirection
  ) {
    withUnsafePointer(to: input) {
      vDSP_fft_zropD(setup, $0, 1, &output, 1, log2n, direction.fftDirection)
    }
  }
  /// Transforms from time to frequency: twice the mathematical values.
  public func forward(input: T, output: inout T) {
    transform(input: input, output: &output, direction: .forward)
  }
  /// Transforms from frequency to time, not scaled.
  public func inverse(input: T, output: inout T) {
    transform(input: input, output: &output, direction: .inverse)
  }
}

// MARK: Cosines

extension vDSP {
  /// The kinds of a transform by cosines.
  public enum DCTTransformType: Int, Sendable, CaseIterable {
    /// From samples to frequencies.
    case II = 2
    /// The inverse of the second kind, not scaled.
    case III = 3
    /// Its own inverse, not scaled.
    case IV = 4
  }

  /// A transform by cosines of one length.
  public class DCT: @unchecked Sendable {
    private let count: Int
    private let type: DCTTransformType
    private let inner: MixedTransform<Float>
    /// A transform of a length f 2^n, f being 1, 3, 5 or 15 and n at least 4; nil for other lengths.
    public init?(previous: DCT? = nil, count: Int, transformType: DCTTransformType) {
      guard count > 0, count & 15 == 0,
        let inner = MixedTransform<Float>(length: 2 * count, sign: 1, isReal: false)
      else { return nil }
      self.count = count
      type = transformType
      self.inner = inner
    }
    /// Transforms into a vector that is there.
    public func transform<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
      _ vector: U, result: inout V
    ) where U.Element == Float, V.Element == Float {
      precondition(
        vector.count == count && result.count == count,
        "vectors must have the count of the transform")
      // The cosines of sums are products of a turn before, a transform of twice the length, and a turn behind.
      let (turnsBefore, turnsBehind) = (type != .II, type != .III)
      let half = type == .IV ? 0.5 : 0.0
      func turn(_ place: Double) -> (Float, Float) {
        let angle = Double.pi * place / Double(2 * count)
        return (Float(cos(angle)), Float(-sin(angle)))
      }
      var re = [Float](repeating: 0, count: 2 * count)
      var im = re
      vector.withUnsafeBufferPointer { samples in
        for n in 0..<count {
          let (c, s) = turnsBefore ? turn(Double(n)) : (1, 0)
          let sample = type == .III && n == 0 ? samples[n] / 2 : samples[n]
          (re[n], im[n]) = (sample * c, sample * s)
        }
      }
      var (outRe, outIm) = (re, im)
      inner.execute(re, im, &outRe, &outIm)
      result.withUnsafeMutableBufferPointer { values in
        for k in 0..<count {
          let (c, s) = turnsBehind ? turn(Double(k) + half) : (1, 0)
          values[k] = outRe[k] * c - outIm[k] * s
        }
      }
    }
    /// The transformed vector.
    public func transform<U: AccelerateBuffer>(_ vector: U) -> [Float] where U.Element == Float {
      var result = [Float](repeating: 0, count: count)
      transform(vector, result: &result)
      return result
    }
  }
}
