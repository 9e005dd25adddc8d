// Responses measured from impulse responses.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Spectra
import TestSupport

/// A complex number, as far as the tests need one.
struct Complex: Sendable {
  var re: Double
  var im: Double
  var magnitude: Double { (re * re + im * im).squareRoot() }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
  }
  static func + (a: Complex, b: Complex) -> Complex { Complex(re: a.re + b.re, im: a.im + b.im) }
  static func / (a: Complex, b: Complex) -> Complex {
    let d = b.re * b.re + b.im * b.im
    return Complex(re: (a.re * b.re + a.im * b.im) / d, im: (a.im * b.re - a.re * b.im) / d)
  }
  /// e to the power of i times an angle.
  static func turn(_ angle: Double) -> Complex { Complex(re: cos(angle), im: sin(angle)) }
}

/// The magnitude response of an impulse response at a frequency, by its Fourier sum.
func magnitude(of response: [Float], at frequency: Double, sampleRate: Double) -> Double {
  // Goertzel's recurrence loses digits at low frequencies; a rotated phasor does not.
  let step = Complex.turn(-2 * .pi * frequency / sampleRate)
  var phasor = Complex(re: 1, im: 0)
  var sum = Complex(re: 0, im: 0)
  for (index, sample) in response.enumerated() {
    if index & 1023 == 0 { phasor = .turn(-2 * .pi * frequency / sampleRate * Double(index)) }
    sum.re += Double(sample) * phasor.re
    sum.im += Double(sample) * phasor.im
    phasor = phasor * step
  }
  return sum.magnitude
}

/// The magnitude of (b0 + b1 z⁻¹ + b2 z⁻²) / (a0 + a1 z⁻¹ + a2 z⁻²).
func biquadMagnitude(_ b: [Double], _ a: [Double], at frequency: Double, sampleRate: Double)
  -> Double
{
  let z1 = Complex.turn(-2 * .pi * frequency / sampleRate)
  let z2 = z1 * z1
  func polynomial(_ c: [Double]) -> Complex {
    Complex(re: c[0] + c[1] * z1.re + c[2] * z2.re, im: c[1] * z1.im + c[2] * z2.im)
  }
  return (polynomial(b) / polynomial(a)).magnitude
}

/// Frequencies spread evenly in octaves.
func logarithmicFrequencies(from low: Double, to high: Double, count: Int) -> [Double] {
  (0..<count).map { low * pow(high / low, Double($0) / Double(count - 1)) }
}

/// Power spectrum of samples under a Hann window, bins 0 to half.
func powerSpectrum(_ samples: [Float]) -> [Double] {
  FourierTransform(count: samples.count).power(samples)
}

/// The largest second difference from a frame on: small for low tones, large for a click.
func largestBend(_ signal: [Float], from start: Int) -> Float {
  var largest: Float = 0
  for index in max(start, 2)..<signal.count {
    let before = signal[index - 1] - signal[index - 2]
    let after = signal[index] - signal[index - 1]
    largest = max(largest, abs(after - before))
  }
  return largest
}

/// Returns the greatest sample of the part above a frequency, in decibels of the greatest of all; both ends are made
/// soft. The count is a power of two.
func levelAbove(_ hertz: Double, _ samples: [Float], sampleRate: Double = 48_000) -> Double {
  let count = samples.count
  let soft = samples.enumerated().map { index, sample in
    sample * Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(count)))
  }
  let transform = FourierTransform(count: count)
  var (re, im) = (soft, [Float](repeating: 0, count: count))
  transform.transform(&re, &im)
  let first = Int(hertz / sampleRate * Double(count))
  for bin in 0..<count where min(bin, count - bin) < first { (re[bin], im[bin]) = (0, 0) }
  // The inverse is the transform with both parts exchanged.
  transform.transform(&im, &re)
  return decibels(Double(peak(re)) / Double(count) / Double(peak(soft)))
}
