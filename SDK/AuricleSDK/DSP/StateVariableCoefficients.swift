// Coefficients of a second-order filter of trapezoidal integrators (a state-variable filter).
// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealtimeSupport

/// One step of a two-pole filter: new states and output as linear functions of states and input.
///
/// The filter is the analogue state-variable filter with both integrators replaced by trapezoidal
/// ones. Its response is the bilinear transform of the analogue one, with the frequency of interest
/// kept in place. The step is the Cayley transform of a dissipative system: it never makes the sum of
/// squares of these states larger. The filter stays bounded with any change of the coefficients from
/// frame to frame.
///
/// ```swift
/// let filter = StateVariableCoefficients.bell(
///   frequency: 3000, q: 1.5, gain: RealtimeMath.gain(decibels: -4), sampleRate: sampleRate)
/// let atCentre = filter.magnitude(atFrequency: 3000, sampleRate: sampleRate)
/// let tail = filter.decayFrames(decibels: 140) / sampleRate
/// ```
///
/// Units run the filter with a `StateVariableBank`; `FilterSeries` does that for settings that change.
@frozen public struct StateVariableCoefficients: Sendable {
  /// State 1 from state 1, state 2 and the input.
  public var a11: Double = 1, a12: Double = 0, b1: Double = 0
  /// State 2 from state 1, state 2 and the input.
  public var a21: Double = 0, a22: Double = 1, b2: Double = 0
  /// Output from state 1, state 2 and the input.
  public var c1: Double = 0, c2: Double = 0, d: Double = 1

  /// Makes coefficients that pass the input through, bit for bit.
  public init() {}

  /// The highest frequency of the coefficients, as a fraction of the sample rate; higher ones count as it.
  public static var highestFrequency: Double { @_noLocks get { 0.4995 } }

  /// Makes a filter whose output is `m0` × input + `m1` × band-pass + `m2` × low-pass.
  ///
  /// - Parameters:
  ///   - frequency: Hz; kept between 0.1 Hz and `highestFrequency` × sample rate.
  ///   - k: The damping: 1/Q, above zero.
  ///   - sampleRate: Hz.
  ///   - m0: Part of the input.
  ///   - m1: Part of the band-pass, whose gain at the frequency is Q.
  ///   - m2: Part of the low-pass, whose gain at the frequency is Q.
  ///
  /// Context: any.
  @_noLocks public init(
    frequency: Double, damping k: Double, sampleRate: Double, m0: Double, m1: Double, m2: Double
  ) {
    let part = min(max(frequency, 0.1) / sampleRate, Self.highestFrequency)
    self.init(
      warped: RealtimeMath.tan(Double.pi * part), damping: k, m0: m0, m1: m1, m2: m2)
  }

  /// The same of a warped frequency g: the tangent of half the frequency in radians a sample.
  @_noLocks init(warped g: Double, damping k: Double, m0: Double, m1: Double, m2: Double) {
    let s1 = 1 / (1 + g * (g + k))
    let s2 = g * s1
    let s3 = g * s2
    a11 = 2 * s1 - 1
    a12 = -2 * s2
    b1 = 2 * s2
    a21 = 2 * s2
    a22 = 1 - 2 * s3
    b2 = 2 * s3
    c1 = m1 * s1 + m2 * s2
    c2 = m2 * (1 - s3) - m1 * s2
    d = m0 + m1 * s2 + m2 * s3
  }

  /// Returns a low-pass, 12 dB per octave, with gain `q` at the cutoff frequency. Context: any.
  ///
  /// - Parameters:
  ///   - frequency: Cutoff (Hz).
  ///   - q: Above zero; 0.7071 has no resonance.
  ///   - sampleRate: Hz.
  @_noLocks public static func lowPass(
    frequency: Double, q: Double, sampleRate: Double
  ) -> StateVariableCoefficients {
    .init(frequency: frequency, damping: 1 / q, sampleRate: sampleRate, m0: 0, m1: 0, m2: 1)
  }

  /// Returns a high-pass, 12 dB per octave, with gain `q` at the cutoff frequency. Context: any.
  ///
  /// - Parameters:
  ///   - frequency: Cutoff (Hz).
  ///   - q: Above zero; 0.7071 has no resonance.
  ///   - sampleRate: Hz.
  @_noLocks public static func highPass(
    frequency: Double, q: Double, sampleRate: Double
  ) -> StateVariableCoefficients {
    .init(frequency: frequency, damping: 1 / q, sampleRate: sampleRate, m0: 1, m1: -1 / q, m2: -1)
  }

  /// Returns a bell: `gain` (linear) at the centre frequency, 1 far from it.
  ///
  /// The response is that of the peaking filter of the Audio EQ Cookbook of R. Bristow-Johnson.
  ///
  /// - Parameters:
  ///   - frequency: Centre (Hz).
  ///   - q: Frequency over bandwidth, above zero.
  ///   - gain: Linear, above zero; at 1 the output is the input.
  ///   - sampleRate: Hz.
  ///
  /// Context: any.
  @_noLocks public static func bell(
    frequency: Double, q: Double, gain: Double, sampleRate: Double
  ) -> StateVariableCoefficients {
    let amplitude = RealtimeMath.sqrt(gain)
    let k = 1 / (q * amplitude)
    return .init(
      frequency: frequency, damping: k, sampleRate: sampleRate, m0: 1, m1: k * (gain - 1), m2: 0)
  }

  /// Returns the gain (linear) at a frequency: the length of d + c (zI − A)⁻¹ b at z = exp(2πi f / rate).
  ///
  /// - Parameters:
  ///   - frequency: Hz, from 0 to half the sample rate.
  ///   - sampleRate: Hz, the one that the filter was made for.
  ///
  /// Context: any.
  public func magnitude(atFrequency frequency: Double, sampleRate: Double) -> Double {
    let angle = 2 * Double.pi * frequency / sampleRate
    let (zr, zi) = (cos(angle), sin(angle))
    // (zI − A)⁻¹ b by Cramer's rule, in complex numbers.
    let (pr, qr) = (zr - a11, zr - a22)
    let determinantReal = pr * qr - zi * zi - a12 * a21
    let determinantImaginary = zi * (pr + qr)
    let (x1r, x1i) = (qr * b1 + a12 * b2, zi * b1)
    let (x2r, x2i) = (pr * b2 + a21 * b1, zi * b2)
    let nr = c1 * x1r + c2 * x2r
    let ni = c1 * x1i + c2 * x2i
    let size = determinantReal * determinantReal + determinantImaginary * determinantImaginary
    guard size > 0 else { return 0 }
    let real = d + (nr * determinantReal + ni * determinantImaginary) / size
    let imaginary = (ni * determinantReal - nr * determinantImaginary) / size
    return (real * real + imaginary * imaginary).squareRoot()
  }

  /// Returns the number of frames until free ringing has fallen by `decibels`.
  ///
  /// A unit's tail is that over its sample rate; 140 is the figure that the shipped units use. Context: any.
  @_noLocks public func decayFrames(decibels: Double) -> Double {
    let trace = a11 + a22
    let determinant = a11 * a22 - a12 * a21
    let discriminant = trace * trace / 4 - determinant
    let radius =
      discriminant < 0
      ? RealtimeMath.sqrt(determinant.magnitude)
      : trace.magnitude / 2 + RealtimeMath.sqrt(discriminant)
    guard radius > 0 else { return 2 }
    guard radius < 1 else { return .infinity }
    return decibels * 0.11512925464970229 / -RealtimeMath.log(radius)
  }
}
