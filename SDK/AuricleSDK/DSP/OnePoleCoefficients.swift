// Coefficients of a first-order low-pass of one trapezoidal integrator.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A low-pass of 6 dB per octave for an input x and a state s, which begins at 0:
/// output = `direct` · x + `stateGain` · s; then s = `input` · x + `state` · s.
///
/// Its gain is 1 at 0 Hz and never more anywhere; at the highest frequency it passes everything. It never
/// adds energy, with any change of the coefficients from frame to frame.
@frozen public struct OnePoleCoefficients: Sendable {
  /// Output from the input.
  public var direct: Float = 1
  /// Output from the state.
  public var stateGain: Float = 0
  /// State from the input.
  public var input: Float = 0
  /// State from the state.
  public var state: Float = 0

  /// Coefficients that pass the input through.
  public init() {}

  /// A low-pass that is 3 dB down at a frequency in Hz. Context: any.
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
