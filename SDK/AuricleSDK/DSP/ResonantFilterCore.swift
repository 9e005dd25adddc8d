// The kernel of the low-pass and the high-pass unit: cutoff frequency and resonance.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

extension ParameterIndex {
  fileprivate static var cutoff: Self { @_noLocks get { Self(0) } }
  fileprivate static var resonance: Self { @_noLocks get { Self(1) } }
}

/// A smoothed two-pole filter with parameters 0 (cutoff frequency, Hz) and 1 (resonance, dB).
///
/// Resonance is the gain at the cutoff frequency in decibels: 0 dB passes that frequency unchanged,
/// −3.01 dB is the maximally flat (Butterworth) filter, above −3.01 dB the response has a peak.
/// Frequencies glide on a logarithmic scale, resonance in decibels, both in 20 ms; scheduled values
/// hold from their frame on.
public struct ResonantFilterCore: ~Copyable {
  private let isHighPass: Bool
  private let sampleRate: Double
  private let values: ParameterStore
  private var clock = ControlClock()
  private var frequency: ParameterGlide
  private var resonance: ParameterGlide
  private var lastFrequency: Float = -1
  private var frequencyTarget: Float = 0
  private var step = StateVariableStep(StateVariableCoefficients())
  private var bank: StateVariableBank

  /// Allocates the filters. Context: control.
  public init(_ format: RenderFormat, isHighPass: Bool) {
    self.isHighPass = isHighPass
    sampleRate = format.sampleRate
    values = format.values
    frequency = ParameterGlide(sampleRate: format.sampleRate)
    resonance = ParameterGlide(sampleRate: format.sampleRate)
    bank = StateVariableBank(channelCount: format.channelCount)
  }

  /// Clears the history. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    frequency.reset()
    resonance.reset()
    bank.reset()
  }

  /// Filters one slice in place. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    let hertz = slice[.cutoff]
    let decibels = slice[.resonance]
    if slice.hasScheduledValues { applyScheduled(slice, hertz, decibels) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { update(hertz, decibels) }
      let isMoving =
        !frequency.isSettled || !resonance.isSettled || hertz != lastFrequency
        || decibels != resonance.value
      let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
      bank.process(slice, from: frame, count: run, step)
      clock.advance(run)
      frame += run
    }
  }

  @_noLocks private mutating func update(_ hertz: Float, _ decibels: Float) {
    setTarget(hertz)
    let moved = frequency.advance(toward: frequencyTarget)
    if resonance.advance(toward: decibels) || moved { setStep(hertz) }
  }

  /// Applies scheduled values at once.
  @_noLocks private mutating func applyScheduled(
    _ slice: borrowing RenderSlice, _ hertz: Float, _ decibels: Float
  ) {
    if slice.parameterIsScheduled(.cutoff) {
      setTarget(hertz)
      frequency.jump(to: frequencyTarget)
    }
    if slice.parameterIsScheduled(.resonance) { resonance.jump(to: decibels) }
    setStep(hertz)
  }

  @_noLocks private mutating func setTarget(_ hertz: Float) {
    guard hertz != lastFrequency else { return }
    lastFrequency = hertz
    frequencyTarget = Float(RealtimeMath.log(Double(max(hertz, 1))))
  }

  @_noLocks private mutating func setStep(_ hertz: Float) {
    step = StateVariableStep(
      response(
        hertz: frequency.value == frequencyTarget
          ? Double(hertz) : RealtimeMath.exp(Double(frequency.value)),
        decibels: Double(resonance.value)))
  }

  @_noLocks private func response(hertz: Double, decibels: Double) -> StateVariableCoefficients {
    let q = RealtimeMath.gain(decibels: decibels)
    return isHighPass
      ? .highPass(frequency: hertz, q: q, sampleRate: sampleRate)
      : .lowPass(frequency: hertz, q: q, sampleRate: sampleRate)
  }

  /// Gain (linear) of a unit of this kernel at a frequency (Hz), with current settings. Context: control.
  public static func magnitude(
    of unit: UnitInstance, atFrequency frequency: Double, isHighPass: Bool
  ) -> Double {
    let q = RealtimeMath.gain(decibels: Double(unit.values[.resonance]))
    let hertz = Double(unit.values[.cutoff])
    let rate = unit.sampleRate
    let coefficients: StateVariableCoefficients =
      isHighPass
      ? .highPass(frequency: hertz, q: q, sampleRate: rate)
      : .lowPass(frequency: hertz, q: q, sampleRate: rate)
    return coefficients.magnitude(atFrequency: frequency, sampleRate: rate)
  }

  /// Seconds of ringing down to −140 dB with the current parameter values. Context: control.
  public var tailSeconds: Double {
    let response = response(
      hertz: Double(values[.cutoff]), decibels: Double(values[.resonance]))
    return (response.decayFrames(decibels: 140) + 2048) / sampleRate
  }
}
