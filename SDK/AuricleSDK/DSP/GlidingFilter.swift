// A two-pole filter of any shape whose settings may change at any time without a click.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The wanted parameters of a filter of a series.
///
/// Units make it from their parameters:
///
/// ```swift
/// var setting: FilterSetting {
///   @_noLocks get {
///     FilterSetting(.bell, frequency: frequency, q: q, gain: gain, isOn: !bypass)
///   }
/// }
/// ```
///
/// Context: any.
public struct FilterSetting: Equatable, BitwiseCopyable, Sendable {
  /// The effect on the spectrum; another shape is faded in.
  public var shape: FilterShape
  /// Centre, corner or cutoff frequency (Hz); from 0.1 Hz to half the sample rate.
  public var frequency: Float
  /// Resonance, or frequency over bandwidth; above zero, 1/√2 by default.
  public var q: Float
  /// Decibels, of bells and shelves; 0 by default, and without meaning for the other shapes.
  public var gain: Float
  /// Whether the filter is in the path of the sound; a change fades.
  public var isOn: Bool
  /// A number of the unit's choice, 0 by default: filters of two kinds are faded as those of two shapes.
  ///
  /// For example shelves with and without resonance, whose values must not glide into each other.
  public var kind: Int32

  /// Makes a setting.
  ///
  /// - Parameters:
  ///   - shape: The effect on the spectrum.
  ///   - frequency: Hz.
  ///   - q: Resonance, or frequency over bandwidth.
  ///   - gain: Decibels.
  ///   - isOn: Whether the filter is in the path of the sound.
  ///   - kind: See the property.
  @_noLocks public init(
    _ shape: FilterShape, frequency: Float, q: Float = 0.70710678, gain: Float = 0,
    isOn: Bool = true, kind: Int32 = 0
  ) {
    self.shape = shape
    self.frequency = frequency
    self.q = q
    self.gain = gain
    self.isOn = isOn
    self.kind = kind
  }

  /// Returns the filter at rest, as it is once its values have stopped gliding. Context: any.
  ///
  /// - Parameters:
  ///   - sampleRate: Hz.
  ///   - design: Method by which it becomes digital.
  @_noLocks public func coefficients(
    sampleRate: Double, design: FilterDesign
  ) -> StateVariableCoefficients {
    if !isOn { return StateVariableCoefficients() }
    return .filter(
      shape, frequency: Double(frequency), q: Double(q),
      gain: RealtimeMath.gain(decibels: Double(gain)), sampleRate: sampleRate, design: design)
  }
}

/// The values of a setting that hold at once, since a host scheduled them; the others glide.
///
/// ```swift
/// var jumps = FilterJumps()
/// if slice.hasScheduledValues {
///   jumps.frequency = parameters.$frequency.isScheduled(in: slice)
///   jumps.gain = parameters.$gain.isScheduled(in: slice)
/// }
/// filters.set(0, setting, jumps: jumps)
/// ```
public struct FilterJumps: BitwiseCopyable, Sendable {
  /// Whether the frequency jumps.
  public var frequency = false
  /// Whether Q jumps.
  public var q = false
  /// Whether the gain jumps.
  public var gain = false

  /// Makes a set of the values that jump; by default none.
  @_noLocks public init(frequency: Bool = false, q: Bool = false, gain: Bool = false) {
    self.frequency = frequency
    self.q = q
    self.gain = gain
  }

  /// Whether everything glides.
  var isEmpty: Bool { @_noLocks get { !frequency && !q && !gain } }
}

/// A filter that glides: frequency and Q by ratio, gain in decibels, both in 20 ms; another shape fades
/// out and in. Where it changes nothing it does nothing.
///
/// Units use it through `FilterSeries`, which makes and runs one for each of its filters.
///
/// Context: made on a control thread, everything else render.
public struct GlidingFilter: ~Copyable {
  private let sampleRate: Double
  private let design: FilterDesign
  private var wanted = FilterSetting(.bell, frequency: 1000, isOn: false)
  private var shape = FilterShape.bell
  private var kind: Int32 = 0
  private var frequency: ParameterGlide
  private var q: ParameterGlide
  private var gain: ParameterGlide
  private var presence: ParameterGlide
  private var frequencyTarget: Float = 0
  private var qTarget: Float = 0
  private var isFresh = true
  private var isIdle = true
  /// Intervals for which the filter runs inaudibly before it sounds, so that it does not begin from rest.
  private var warmUp = 0
  private var step = MovingFilterStep()
  private var bank: StateVariableBank

  /// Allocates. Context: control.
  init(sampleRate: Double, channelCount: Int, design: FilterDesign) {
    self.sampleRate = sampleRate
    self.design = design
    frequency = ParameterGlide(sampleRate: sampleRate)
    q = frequency
    gain = frequency
    presence = frequency
    bank = StateVariableBank(channelCount: channelCount)
    setTargets(wanted)
  }

  /// Clears the history; the next setting holds at once.
  @_noLocks mutating func reset() {
    isFresh = true
    isIdle = true
    warmUp = 0
    bank.reset()
  }

  /// Sets the targets, at the start of a slice.
  @_noLocks mutating func set(_ setting: FilterSetting, _ jumps: FilterJumps) {
    if setting != wanted { setTargets(setting) }
    guard !jumps.isEmpty, !isFresh, shape == wanted.shape, kind == wanted.kind else { return }
    if jumps.frequency { frequency.jump(to: frequencyTarget) }
    if jumps.q { q.jump(to: qTarget) }
    if jumps.gain { gain.jump(to: wanted.gain) }
    makeStep(jumps: true)
  }

  /// Whether it has to be asked again at the next grid point.
  var isMoving: Bool {
    @_noLocks get {
      isFresh || warmUp > 0 || !frequency.isSettled || !q.isSettled || !gain.isSettled
        || !presence.isSettled
        || frequency.value != frequencyTarget || q.value != qTarget || gain.value != wanted.gain
        || presence.value != (wanted.isOn ? 1 : 0) || shape != wanted.shape || kind != wanted.kind
    }
  }

  @_noLocks private mutating func setTargets(_ setting: FilterSetting) {
    wanted = setting
    frequencyTarget = Float(RealtimeMath.log(Double(max(setting.frequency, 0.1))))
    qTarget = Float(RealtimeMath.log(Double(max(setting.q, 0.001))))
  }

  @_noLocks private mutating func applyAll() {
    shape = wanted.shape
    kind = wanted.kind
    frequency.jump(to: frequencyTarget)
    q.jump(to: qTarget)
    gain.jump(to: wanted.gain)
  }

  /// Begins an interval of the clock.
  @_noLocks mutating func advance() {
    guard isMoving else { return step.rest() }
    let isFirst = isFresh
    if isFresh {
      isFresh = false
      applyAll()
      presence.jump(to: wanted.isOn ? 1 : 0)
    } else {
      let isOther = shape != wanted.shape || kind != wanted.kind
      if isOther && presence.isSettled && presence.value == 0 { applyAll() }
      let staysOther = shape != wanted.shape || kind != wanted.kind
      if isIdle && !staysOther && willSound { begin() }
      if warmUp > 0 {
        makeStep(jumps: false)
        warmUp -= 1
        return
      }
      presence.advance(toward: wanted.isOn && !staysOther ? 1 : 0)
      if !staysOther {
        frequency.advance(toward: frequencyTarget)
        q.advance(toward: qTarget)
        gain.advance(toward: wanted.gain)
      }
    }
    makeStep(jumps: isFirst)
  }

  /// Whether the wanted filter has an effect.
  private var willSound: Bool {
    @_noLocks get { wanted.isOn && (!shape.hasGain || wanted.gain != 0) }
  }

  /// Starts a filter that was idle: at once at its target, but inaudible.
  @_noLocks private mutating func begin() {
    warmUp = 8
    frequency.jump(to: frequencyTarget)
    q.jump(to: qTarget)
    if presence.value == 0 { gain.jump(to: wanted.gain) }
  }

  @_noLocks private mutating func makeStep(jumps: Bool) {
    let isFlat = shape.hasGain && gain.value == 0 && gain.isSettled
    let changesNothing = warmUp == 0 && (presence.value == 0 || isFlat)
    if changesNothing {
      if !isIdle { bank.reset() }
      isIdle = true
      return
    }
    let begins = isIdle
    isIdle = false
    // Settled values are the passed ones, so that no rounding of the logarithm is left in them.
    var now = wanted
    now.shape = shape
    now.isOn = true
    now.gain = gain.value
    if frequency.value != frequencyTarget { now.frequency = RealtimeMath.exp(frequency.value) }
    if q.value != qTarget { now.q = RealtimeMath.exp(q.value) }
    var coefficients = now.coefficients(sampleRate: sampleRate, design: design)
    if presence.value != 1 { coefficients = coefficients.mixed(Double(presence.value)) }
    if jumps || begins { step.jump(to: coefficients) } else { step.advance(to: coefficients) }
  }

  /// Frames in which its state rings down to −140 dB.
  var ringingFrames: Double {
    @_noLocks get { isIdle ? 0 : step.decayFrames(decibels: 140) }
  }

  /// Filters frames of every channel of a slice in place, from `phase` of an interval on.
  @_noLocks mutating func process(
    _ slice: borrowing RenderSlice, from frame: Int, count: Int, phase: Int
  ) {
    if !isIdle { bank.process(slice, from: frame, count: count, phase: phase, step) }
  }
}
