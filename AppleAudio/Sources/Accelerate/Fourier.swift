// Fourier transforms: of powers of two in place, and of other lengths.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The direction of a transform.
public typealias FFTDirection = Int32
/// The radix of a set-up.
public typealias FFTRadix = Int32
/// From time to frequency.
public let kFFTDirection_Forward: FFTDirection = 1
/// From time to frequency.
public let FFT_FORWARD: FFTDirection = 1
/// From frequency to time.
public let kFFTDirection_Inverse: FFTDirection = -1
/// From frequency to time.
public let FFT_INVERSE: FFTDirection = -1
/// Powers of two.
public let kFFTRadix2: FFTRadix = 0
/// Powers of two.
public let FFT_RADIX2: FFTRadix = 0
/// Powers of three; served as those of two are.
public let kFFTRadix3: FFTRadix = 1
/// Powers of five; served as those of two are.
public let kFFTRadix5: FFTRadix = 2

/// The factors of transforms up to a length.
final class FourierTable<Value: VectorReal> {
  let cosines: [Value]
  let sines: [Value]
  let length: Int
  init(length: Int) {
    self.length = length
    let angles = (0..<Swift.max(length, 1)).map {
      2 * Double.pi * Double($0) / Double(Swift.max(length, 1))
    }
    cosines = angles.map { Value(Foundation.cos($0)) }
    sines = angles.map { Value(Foundation.sin($0)) }
  }

  /// Transforms in place; the count is a power of two that divides the table's length.
  func transform(
    _ re: UnsafeMutablePointer<Value>, _ im: UnsafeMutablePointer<Value>, _ stride: Int,
    _ count: Int, _ sign: Value
  ) {
    var reversed = 0
    for index in 1..<Swift.max(count, 1) {
      var bit = count >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed {
        (re[index * stride], re[reversed * stride]) = (re[reversed * stride], re[index * stride])
        (im[index * stride], im[reversed * stride]) = (im[reversed * stride], im[index * stride])
      }
    }
    var half = 1
    while half < count {
      let step = length / (2 * half)
      for start in Swift.stride(from: 0, to: count, by: 2 * half) {
        for k in 0..<half {
          let (c, s) = (cosines[k * step], -sign * sines[k * step])
          let (a, b) = ((start + k) * stride, (start + k + half) * stride)
          let (x, y) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
          (re[b], im[b]) = (re[a] - x, im[a] - y)
          (re[a], im[a]) = (re[a] + x, im[a] + y)
        }
      }
      half *= 2
    }
  }

  /// Transforms real samples whose even and odd ones are the two vectors; the first imaginary value is that of the highest
  /// frequency. Forward results are twice those of mathematics, inverse ones not scaled.
  func transformReal(
    _ re: UnsafeMutablePointer<Value>, _ im: UnsafeMutablePointer<Value>, _ stride: Int,
    _ count: Int, _ sign: Value
  ) {
    let half = count / 2
    if sign > 0 { transform(re, im, stride, half, 1) }
    let (first, last) = (re[0], im[0])
    re[0] = sign > 0 ? 2 * (first + last) : first + last
    im[0] = sign > 0 ? 2 * (first - last) : first - last
    let step = length / count
    for k in 1..<Swift.max(half / 2 + 1, 1) where half > 1 {
      let (a, b) = (k * stride, (half - k) * stride)
      let (evenRe, evenIm) = (re[a] + re[b], im[a] - im[b])
      let (oddRe, oddIm) = (re[a] - re[b], im[a] + im[b])
      let (c, s) = (cosines[k * step], -sines[k * step])
      // For odd samples: odd / i, turned by k of the whole length.
      let (turnedRe, turnedIm) =
        sign > 0
        ? (oddIm * c + oddRe * s, oddIm * s - oddRe * c)
        : (-oddIm * c + oddRe * s, oddRe * c + oddIm * s)
      re[a] = evenRe + turnedRe
      im[a] = evenIm + turnedIm
      if a != b {
        re[b] = evenRe - turnedRe
        im[b] = turnedIm - evenIm
      }
    }
    if sign < 0 { transform(re, im, stride, half, -1) }
  }
}

/// The set-up of transforms in single precision.
public typealias FFTSetup = OpaquePointer
/// The set-up of transforms in double precision.
public typealias FFTSetupD = OpaquePointer

private func table<Value>(_ setup: OpaquePointer, _: Value.Type) -> FourierTable<Value> {
  Unmanaged.fromOpaque(UnsafeRawPointer(setup)).takeUnretainedValue()
}

/// Makes the setup for transforms of up to two to the power of a number; nil if that is too large.
public func vDSP_create_fftsetup(_ log2n: vDSP_Length, _ radix: FFTRadix) -> FFTSetup? {
  log2n > 30
    ? nil
    : OpaquePointer(Unmanaged.passRetained(FourierTable<Float>(length: 1 << Int(log2n))).toOpaque())
}
/// Makes the setup for transforms in double precision.
public func vDSP_create_fftsetupD(_ log2n: vDSP_Length, _ radix: FFTRadix) -> FFTSetupD? {
  log2n > 30
    ? nil
    : OpaquePointer(
      Unmanaged.passRetained(FourierTable<Double>(length: 1 << Int(log2n))).toOpaque())
}
/// Frees the setup of transforms.
public func vDSP_destroy_fftsetup(_ setup: FFTSetup?) {
  if let setup { Unmanaged<FourierTable<Float>>.fromOpaque(UnsafeRawPointer(setup)).release() }
}
/// Frees the setup of transforms in double precision.
public func vDSP_destroy_fftsetupD(_ setup: FFTSetupD?) {
  if let setup { Unmanaged<FourierTable<Double>>.fromOpaque(UnsafeRawPointer(setup)).release() }
}
/// A complex transform in place, not scaled.
public func vDSP_fft_zip(
  _ setup: FFTSetup, _ C: UnsafePointer<DSPSplitComplex>, _ IC: vDSP_Stride, _ log2n: vDSP_Length,
  _ direction: FFTDirection
) {
  table(setup, Float.self).transform(
    C.pointee.realp, C.pointee.imagp, IC, 1 << Int(log2n), direction > 0 ? 1 : -1)
}
/// A complex transform in double precision in place, not scaled.
public func vDSP_fft_zipD(
  _ setup: FFTSetupD, _ C: UnsafePointer<DSPDoubleSplitComplex>, _ IC: vDSP_Stride,
  _ log2n: vDSP_Length,
  _ direction: FFTDirection
) {
  table(setup, Double.self).transform(
    C.pointee.realp, C.pointee.imagp, IC, 1 << Int(log2n), direction > 0 ? 1 : -1)
}
/// A transform of real samples in place: forward twice the mathematical one, the highest frequency in the first imaginary value.
public func vDSP_fft_zrip(
  _ setup: FFTSetup, _ C: UnsafePointer<DSPSplitComplex>, _ IC: vDSP_Stride, _ log2n: vDSP_Length,
  _ direction: FFTDirection
) {
  table(setup, Float.self).transformReal(
    C.pointee.realp, C.pointee.imagp, IC, 1 << Int(log2n), direction > 0 ? 1 : -1)
}
/// A transform of real samples in double precision in place.
public func vDSP_fft_zripD(
  _ setup: FFTSetupD, _ C: UnsafePointer<DSPDoubleSplitComplex>, _ IC: vDSP_Stride,
  _ log2n: vDSP_Length,
  _ direction: FFTDirection
) {
  table(setup, Double.self).transformReal(
    C.pointee.realp, C.pointee.imagp, IC, 1 << Int(log2n), direction > 0 ? 1 : -1)
}
/// A transform of real samples into other memory.
public func vDSP_fft_zrop(
  _ setup: FFTSetup, _ A: UnsafePointer<DSPSplitComplex>, _ IA: vDSP_Stride,
  _ C: UnsafePointer<DSPSplitComplex>,
  _ IC: vDSP_Stride, _ log2n: vDSP_Length, _ direction: FFTDirection
) {
  for n in 0..<1 << Swift.max(Int(log2n) - 1, 0) {
    C.pointee.realp[n * IC] = A.pointee.realp[n * IA]
    C.pointee.imagp[n * IC] = A.pointee.imagp[n * IA]
  }
  vDSP_fft_zrip(setup, C, IC, log2n, direction)
}

/// A transform of real samples in double precision into other memory.
public func vDSP_fft_zropD(
  _ setup: FFTSetupD, _ A: UnsafePointer<DSPDoubleSplitComplex>, _ IA: vDSP_Stride,
  _ C: UnsafePointer<DSPDoubleSplitComplex>, _ IC: vDSP_Stride, _ log2n: vDSP_Length,
  _ direction: FFTDirection
) {
  for n in 0..<1 << Swift.max(Int(log2n) - 1, 0) {
    C.pointee.realp[n * IC] = A.pointee.realp[n * IA]
    C.pointee.imagp[n * IC] = A.pointee.imagp[n * IA]
  }
  vDSP_fft_zripD(setup, C, IC, log2n, direction)
}

/// The direction of a transform of any of the lengths.
public enum vDSP_DFT_Direction: Int32, Sendable {
  /// From time to frequency.
  case FORWARD = 1
  /// From frequency to time.
  case INVERSE = -1
}

/// A transform of one length.
public typealias vDSP_DFT_Setup = OpaquePointer

/// A transform of a length f 2^n, f being 1, 3, 5 or 15.
final class MixedTransform<Value: VectorReal> {
  let length: Int
  let odd: Int
  let sign: Value
  let isReal: Bool
  let cosines: [Value]
  let sines: [Value]
  let inner: FourierTable<Value>

  init?(length: Int, sign: Value, isReal: Bool) {
    var odd = length
    while odd > 0 && odd % 2 == 0 { odd /= 2 }
    guard [1, 3, 5, 15].contains(odd), length / odd >= 8 else { return nil }
    self.length = length
    self.odd = odd
    self.sign = sign
    self.isReal = isReal
    cosines = (0..<length).map {
      Value(Foundation.cos(2 * Double.pi * Double($0) / Double(length)))
    }
    sines = (0..<length).map { Value(Foundation.sin(2 * Double.pi * Double($0) / Double(length))) }
    inner = FourierTable(length: length / odd)
  }

  /// Transforms of every odd-th sample, joined by the factors of the whole length.
  func transform(
    _ inRe: UnsafePointer<Value>, _ inIm: UnsafePointer<Value>,
    _ outRe: UnsafeMutablePointer<Value>,
    _ outIm: UnsafeMutablePointer<Value>
  ) {
    let part = length / odd
    var re = [Value](repeating: 0, count: length)
    var im = re
    for phase in 0..<odd {
      for n in 0..<part {
        re[phase * part + n] = inRe[n * odd + phase]
        im[phase * part + n] = inIm[n * odd + phase]
      }
    }
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in
        guard let re = re.baseAddress, let im = im.baseAddress else { return }
        for phase in 0..<odd {
          inner.transform(re + phase * part, im + phase * part, 1, part, sign)
        }
        for k in 0..<length {
          var (x, y): (Value, Value) = (0, 0)
          for phase in 0..<odd {
            let (c, s) = (cosines[phase * k % length], -sign * sines[phase * k % length])
            let place = phase * part + k % part
            x += re[place] * c - im[place] * s
            y += re[place] * s + im[place] * c
          }
          outRe[k] = x
          outIm[k] = y
        }
      }
    }
  }

  /// Transforms: complex vectors are not scaled; those of real samples are laid out and scaled as those of vDSP_fft_zrip.
  func execute(
    _ Ir: UnsafePointer<Value>, _ Ii: UnsafePointer<Value>, _ Or: UnsafeMutablePointer<Value>,
    _ Oi: UnsafeMutablePointer<Value>
  ) {
    guard isReal else { return transform(Ir, Ii, Or, Oi) }
    let count = length
    let half = count / 2
    var (re, im) = ([Value](repeating: 0, count: count), [Value](repeating: 0, count: count))
    var (outRe, outIm) = (re, im)
    if sign > 0 {
      for n in 0..<half { (re[2 * n], re[2 * n + 1]) = (Ir[n], Ii[n]) }
    } else {
      (re[0], re[half]) = (Ir[0], Ii[0])
      for n in 1..<half {
        (re[n], im[n]) = (Ir[n], Ii[n])
        (re[count - n], im[count - n]) = (Ir[n], -Ii[n])
      }
    }
    transform(re, im, &outRe, &outIm)
    if sign > 0 {
      (Or[0], Oi[0]) = (2 * outRe[0], 2 * outRe[half])
      for n in 1..<half { (Or[n], Oi[n]) = (2 * outRe[n], 2 * outIm[n]) }
    } else {
      for n in 0..<half { (Or[n], Oi[n]) = (outRe[2 * n], outRe[2 * n + 1]) }
    }
  }
}

private func makeTransform(_ length: vDSP_Length, _ direction: vDSP_DFT_Direction, isReal: Bool)
  -> vDSP_DFT_Setup?
{
  MixedTransform<Float>(length: Int(length), sign: Float(direction.rawValue), isReal: isReal).map {
    OpaquePointer(Unmanaged.passRetained($0).toOpaque())
  }
}

/// Makes a complex transform of a length f 2^n, f being 1, 3, 5 or 15 and n at least 3; nil for other lengths.
public func vDSP_DFT_zop_CreateSetup(
  _ previous: vDSP_DFT_Setup?, _ length: vDSP_Length, _ direction: vDSP_DFT_Direction
) -> vDSP_DFT_Setup? {
  makeTransform(length, direction, isReal: false)
}
/// Makes a transform of real samples, whose even and odd ones are two vectors.
public func vDSP_DFT_zrop_CreateSetup(
  _ previous: vDSP_DFT_Setup?, _ length: vDSP_Length, _ direction: vDSP_DFT_Direction
) -> vDSP_DFT_Setup? {
  makeTransform(length, direction, isReal: true)
}
/// Frees a transform.
public func vDSP_DFT_DestroySetup(_ setup: vDSP_DFT_Setup?) {
  if let setup { Unmanaged<MixedTransform<Float>>.fromOpaque(UnsafeRawPointer(setup)).release() }
}

/// Transforms: complex ones are not scaled; those of real samples are laid out and scaled as those of vDSP_fft_zrip.
public func vDSP_DFT_Execute(
  _ setup: OpaquePointer, _ Ir: UnsafePointer<Float>, _ Ii: UnsafePointer<Float>,
  _ Or: UnsafeMutablePointer<Float>,
  _ Oi: UnsafeMutablePointer<Float>
) {
  Unmanaged<MixedTransform<Float>>.fromOpaque(UnsafeRawPointer(setup)).takeUnretainedValue()
    .execute(Ir, Ii, Or, Oi)
}
