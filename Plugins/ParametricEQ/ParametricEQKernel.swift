// The DSP of the parametric equaliser.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// The parameters, in the order of the definition.
extension ParameterIndex {
  static var frequency: Self { @_noLocks get { Self(0) } }
  static var q: Self { @_noLocks get { Self(1) } }
  static var gain: Self { @_noLocks get { Self(2) } }
}

/// A bell filter whose parameters glide in 20 ms: frequency and Q by ratio, gain in decibels.
/// Scheduled values hold from their frame on.
///
/// Without motion the response is that of the cookbook's peaking filter; at 0 dB the output is the
/// input, bit for bit.
public struct ParametricEQKernel: UnitKernel, ~Copyable {
  private let sampleRate: Double
  private let values: ParameterStore
  private var clock = ControlClock()
  private var frequency: ParameterGlide
  private var q: ParameterGlide
  private var gain: ParameterGlide
  private var lastFrequency: Float = -1
  private var lastQ: Float = -1
  private var frequencyTarget: Float = 0
  private var qTarget: Float = 0
  private var step = StateVariableStep(StateVariableCoefficients())
  private var bank: StateVariableBank

  /// Allocates the filters. Context: control.
  public init(_ format: RenderFormat) {
    sampleRate = format.sampleRate
    values = format.values
    frequency = ParameterGlide(sampleRate: sampleRate)
    q = ParameterGlide(sampleRate: sampleRate)
    gain = ParameterGlide(sampleRate: sampleRate)
    bank = StateVariableBank(channelCount: format.channelCount)
  }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    frequency.reset()
    q.reset()
    gain.reset()
    bank.reset()
  }

  /// Filters one slice in place. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    let hertz = slice[.frequency]
    let quality = slice[.q]
    let decibels = slice[.gain]
    if slice.hasScheduledValues { applyScheduled(slice, hertz, quality, decibels) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { update(hertz, quality, decibels) }
      let isMoving =
        !frequency.isSettled || !q.isSettled || !gain.isSettled || hertz != lastFrequency
        || quality != lastQ || decibels != gain.value
      let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
      bank.process(slice, from: frame, count: run, step)
      clock.advance(run)
      frame += run
    }
  }

  /// Applies the values that are scheduled for this slice at once.
  @_noLocks private mutating func applyScheduled(
    _ slice: borrowing RenderSlice, _ hertz: Float, _ quality: Float, _ decibels: Float
  ) {
    let isFrequency = slice.parameterIsScheduled(.frequency)
    let isQ = slice.parameterIsScheduled(.q)
    let isGain = slice.parameterIsScheduled(.gain)
    guard isFrequency || isQ || isGain else { return }
    setTargets(hertz, quality)
    if isFrequency { frequency.jump(to: frequencyTarget) }
    if isQ { q.jump(to: qTarget) }
    if isGain { gain.jump(to: decibels) }
    setStep(hertz, quality)
  }

  @_noLocks private mutating func setTargets(_ hertz: Float, _ quality: Float) {
    if hertz != lastFrequency {
      lastFrequency = hertz
      frequencyTarget = Float(RealtimeMath.log(Double(max(hertz, 1))))
    }
    if quality != lastQ {
      lastQ = quality
      qTarget = Float(RealtimeMath.log(Double(max(quality, 0.01))))
    }
  }

  @_noLocks private mutating func update(_ hertz: Float, _ quality: Float, _ decibels: Float) {
    setTargets(hertz, quality)
    var moved = frequency.advance(toward: frequencyTarget)
    if q.advance(toward: qTarget) { moved = true }
    if gain.advance(toward: decibels) { moved = true }
    if moved { setStep(hertz, quality) }
  }

  @_noLocks private mutating func setStep(_ hertz: Float, _ quality: Float) {
    // Settled values are taken as given, so that no rounding of the logarithm is left in them.
    step = StateVariableStep(
      .bell(
        frequency: frequency.value == frequencyTarget
          ? Double(hertz) : RealtimeMath.exp(Double(frequency.value)),
        q: q.value == qTarget ? Double(quality) : RealtimeMath.exp(Double(q.value)),
        gain: RealtimeMath.gain(decibels: Double(gain.value)), sampleRate: sampleRate))
  }

  /// Gain (linear) of a unit at a frequency (Hz), as it is set now. Context: control.
  static func magnitude(of unit: UnitInstance, atFrequency frequency: Double) -> Double {
    StateVariableCoefficients.bell(
      frequency: Double(unit.values[.frequency]), q: Double(unit.values[.q]),
      gain: RealtimeMath.gain(decibels: Double(unit.values[.gain])),
      sampleRate: unit.sampleRate
    ).magnitude(atFrequency: frequency, sampleRate: unit.sampleRate)
  }

  /// Seconds of ringing down to −140 dB with the present parameters. Context: control.
  public var tailSeconds: Double {
    let gain = RealtimeMath.gain(decibels: Double(values[.gain]))
    if gain == 1 { return 0 }
    let response = StateVariableCoefficients.bell(
      frequency: Double(values[.frequency]), q: Double(values[.q]), gain: gain,
      sampleRate: sampleRate)
    return (response.decayFrames(decibels: 140) + 2048) / sampleRate
  }
}
