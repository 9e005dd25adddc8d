// A smoothed low-pass or high-pass of two poles: cutoff frequency and resonance.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A two-pole filter whose cutoff frequency (Hz) and resonance (dB) may change at any time.
///
/// Resonance is the gain at the cutoff frequency in decibels: 0 dB passes that frequency unchanged,
/// −3.01 dB is the maximally flat (Butterworth) filter, above −3.01 dB the response has a peak.
/// Frequencies glide on a logarithmic scale, resonance in decibels, both in 20 ms.
///
/// ```swift
/// init(_ setup: UnitSetup<Self>) {
///   parameters = setup.parameters
///   filter = ResonantFilter(
///     .highPass, sampleRate: setup.sampleRate, channelCount: setup.channelCount)
/// }
///
/// @_noLocks mutating func process(_ slice: RenderSlice) {
///   filter.process(slice, cutoff: parameters.cutoff, resonance: parameters.resonance)
/// }
/// ```
public struct ResonantFilter: ~Copyable {
  /// The pass band of the filter: 12 dB per octave above or below the cutoff frequency.
  public enum Kind: Sendable {
    case lowPass, highPass
  }

  private let kind: Kind
  private let sampleRate: Double
  private let design: FilterDesign
  private var clock = ControlClock()
  private var frequency: ParameterGlide
  private var resonance: ParameterGlide
  private var lastFrequency: Float = -1
  private var frequencyTarget: Float = 0
  private var isFresh = true
  private var step = MovingFilterStep()
  private var bank: StateVariableBank

  /// Allocates the filters. Context: control.
  ///
  /// - Parameters:
  ///   - kind: The pass band.
  ///   - sampleRate: Hz.
  ///   - channelCount: Channels of the slices, those of output bus 0.
  ///   - design: Method by which the filter becomes digital.
  public init(
    _ kind: Kind, sampleRate: Double, channelCount: Int, design: FilterDesign = .cookbook
  ) {
    self.kind = kind
    self.design = design
    self.sampleRate = sampleRate
    frequency = ParameterGlide(sampleRate: sampleRate)
    resonance = ParameterGlide(sampleRate: sampleRate)
    bank = StateVariableBank(channelCount: channelCount)
  }

  /// Clears the history; the next values hold at once. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    frequency.reset()
    resonance.reset()
    bank.reset()
    isFresh = true
  }

  /// Jumps to values, as a kernel does with scheduled ones, before `process`. Context: render.
  ///
  /// ```swift
  /// if slice.hasScheduledValues {
  ///   let isCutoff = parameters.$cutoff.isScheduled(in: slice)
  ///   filter.jump(
  ///     cutoff: isCutoff ? parameters.cutoff : nil, resonance: nil, hertz: parameters.cutoff)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - cutoff: Frequency (Hz); nil leaves it where it is on its way.
  ///   - decibels: Resonance; nil leaves it where it is on its way.
  ///   - hertz: The frequency that the parameter has.
  @_noLocks public mutating func jump(cutoff: Float?, resonance decibels: Float?, hertz: Float) {
    if let cutoff {
      setTarget(cutoff)
      frequency.jump(to: frequencyTarget)
    }
    if let decibels { resonance.jump(to: decibels) }
    step.jump(to: coefficients(hertz))
  }

  /// Filters one slice in place, on the way to a frequency and a resonance. Context: render.
  ///
  /// - Parameters:
  ///   - slice: The slice; all channels of output bus 0 are filtered.
  ///   - hertz: Cutoff frequency (Hz), up to half the sample rate.
  ///   - decibels: Gain at the cutoff frequency.
  @_noLocks public mutating func process(
    _ slice: borrowing RenderSlice, cutoff hertz: Float, resonance decibels: Float
  ) {
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { update(hertz, decibels) }
      let isMoving =
        !frequency.isSettled || !resonance.isSettled || hertz != lastFrequency
        || decibels != resonance.value
      let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
      bank.process(slice, from: frame, count: run, phase: clock.phase, step)
      clock.advance(run)
      frame += run
    }
  }

  @_noLocks private mutating func update(_ hertz: Float, _ decibels: Float) {
    setTarget(hertz)
    let moved = frequency.advance(toward: frequencyTarget)
    defer { isFresh = false }
    guard resonance.advance(toward: decibels) || moved else { return step.rest() }
    let next = coefficients(hertz)
    if isFresh { step.jump(to: next) } else { step.advance(to: next) }
  }

  @_noLocks private mutating func setTarget(_ hertz: Float) {
    guard hertz != lastFrequency else { return }
    lastFrequency = hertz
    frequencyTarget = Float(RealtimeMath.log(Double(max(hertz, 1))))
  }

  @_noLocks private func coefficients(_ hertz: Float) -> StateVariableCoefficients {
    Self.response(
      kind,
      hertz: frequency.value == frequencyTarget
        ? Double(hertz) : RealtimeMath.exp(Double(frequency.value)),
      decibels: Double(resonance.value), sampleRate: sampleRate, design: design)
  }

  @_noLocks private static func response(
    _ kind: Kind, hertz: Double, decibels: Double, sampleRate: Double, design: FilterDesign
  ) -> StateVariableCoefficients {
    .filter(
      kind == .highPass ? .highPass : .lowPass, frequency: hertz,
      q: RealtimeMath.gain(decibels: decibels), gain: 1, sampleRate: sampleRate, design: design)
  }

  /// Returns the gain (linear) at a frequency (Hz) of a filter at rest. Context: control.
  ///
  /// - Parameters:
  ///   - kind: The pass band.
  ///   - cutoff: Cutoff frequency (Hz).
  ///   - resonance: Gain at the cutoff frequency (dB).
  ///   - frequency: The frequency (Hz) to be examined.
  ///   - sampleRate: Hz.
  ///   - design: Method by which the filter became digital.
  public static func magnitude(
    _ kind: Kind, cutoff: Float, resonance: Float, frequency: Double, sampleRate: Double,
    design: FilterDesign = .cookbook
  ) -> Double {
    response(
      kind, hertz: Double(cutoff), decibels: Double(resonance), sampleRate: sampleRate,
      design: design
    ).magnitude(atFrequency: frequency, sampleRate: sampleRate)
  }

  /// Returns the seconds of ringing down to −140 dB, for a unit's `tailSeconds`. Context: control.
  ///
  /// - Parameters:
  ///   - cutoff: Cutoff frequency (Hz); low ones ring longest.
  ///   - resonance: Gain at the cutoff frequency (dB).
  public func tailSeconds(cutoff: Float, resonance: Float) -> Double {
    let response = Self.response(
      kind, hertz: Double(cutoff), decibels: Double(resonance), sampleRate: sampleRate,
      design: design)
    return (response.decayFrames(decibels: 140) + 2048) / sampleRate
  }
}
