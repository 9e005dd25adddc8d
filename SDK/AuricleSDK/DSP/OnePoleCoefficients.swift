// Coefficients of a first-order low-pass of one trapezoidal integrator.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A low-pass of 6 dB per octave for an input x and a state s, which begins at 0:
/// output = `direct` · x + `stateGain` · s; then s = `input` · x + `state` · s.
///
/// Its gain is 1 at 0 Hz and never more anywhere; at the highest frequency it passes everything. It never
/// adds energy, with any change of the coefficients from frame to frame.
///
/// ```swift
/// let pole = OnePoleCoefficients(frequency: 2000, sampleRate: sampleRate)
/// for index in 0..<count {
///   let x = unsafe audio[index]
///   unsafe audio[index] = pole.direct * x + pole.stateGain * state
///   state = pole.input * x + pole.state * state
/// }
/// ```
///
/// The state is the unit's, one a channel: it is kept between slices and cleared by `reset()`.
@frozen public struct OnePoleCoefficients: Sendable {
  /// Output from the input; 1 passes it through.
  public var direct: Float = 1
  /// Output from the state; 0 in a filter that passes everything.
  public var stateGain: Float = 0
  /// State from the input, from 0 to 1.
  public var input: Float = 0
  /// State from the state, the pole: below 1.
  public var state: Float = 0

  /// Makes coefficients that pass the input through, bit for bit.
  public init() {}

  /// Makes a low-pass that is 3 dB down at a frequency in Hz. Context: any.
  ///
  /// - Parameters:
  ///   - frequency: Hz; kept between 0.1 Hz and just below half the sample rate.
  ///   - sampleRate: Hz.
  @_noLocks public init(frequency: Double, sampleRate: Double) {
    let part = min(max(frequency, 0.1) / sampleRate, StateVariableCoefficients.highestFrequency)
    let g = RealtimeMath.tan(Double.pi * part)
    let a = g / (1 + g)
    direct = Float(a)
    stateGain = Float(1 - a)
    input = Float(2 * a)
    state = Float(1 - 2 * a)
  }
}
