// The parametric equaliser: one bell with centre frequency, Q and gain.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// A bell filter whose parameters glide in 20 ms: frequency and Q by ratio, gain in decibels.
/// Scheduled values hold from their frame on.
///
/// Without motion the response is that of the cookbook's peaking filter, or of the analogue one where a
/// host wants that; at 0 dB the output is the
/// input, bit for bit.
struct ParametricEQ: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Parametric EQ", subtype: "pmeq", manufacturer: "appl",
    summary: "One bell: centre frequency, Q and gain.",
    tags: ["Effects", "Equalizer"])

  struct Parameters: ParameterSet {
    @Parameter(
      kParametricEQParam_CenterFreq, "center frequency", 20...22050, default: 2000, unit: .hertz,
      curve: .logarithmic, options: .upToNyquist)
    var frequency: Float
    @Parameter(kParametricEQParam_Q, "Q", 0.1...20, default: 1, curve: .logarithmic) var q: Float
    @Parameter(kParametricEQParam_Gain, "gain", -20...20, default: 0, unit: .decibels)
    var gain: Float
  }

  typealias State = CookbookFilters
  static var properties: [CustomProperty<Self>] { CustomProperty<Self>.filterDesigns }
  static let skipsSilence = true

  private let sampleRate: Double
  private let design: FilterDesign
  private let parameters: Parameters
  private var clock = ControlClock()
  private var frequency: ParameterGlide
  private var q: ParameterGlide
  private var gain: ParameterGlide
  private var lastFrequency: Float = -1
  private var lastQ: Float = -1
  private var frequencyTarget: Float = 0
  private var qTarget: Float = 0
  private var isFresh = true
  private var step = MovingFilterStep()
  private var bank: StateVariableBank

  /// Allocates the filters. Context: control.
  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    design = setup.state.design
    parameters = setup.parameters
    frequency = ParameterGlide(sampleRate: sampleRate)
    q = ParameterGlide(sampleRate: sampleRate)
    gain = ParameterGlide(sampleRate: sampleRate)
    bank = StateVariableBank(channelCount: setup.channelCount)
  }

  /// Clears the history. Context: control or render.
  @_noLocks mutating func reset() {
    clock.reset()
    frequency.reset()
    q.reset()
    gain.reset()
    bank.reset()
    isFresh = true
  }

  /// Filters one slice in place. Context: render.
  @_noLocks mutating func process(_ slice: RenderSlice) {
    let hertz = parameters.frequency
    let quality = parameters.q
    let decibels = parameters.gain
    if slice.hasScheduledValues { applyScheduled(slice, hertz, quality, decibels) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { update(hertz, quality, decibels) }
      let isMoving =
        !frequency.isSettled || !q.isSettled || !gain.isSettled || hertz != lastFrequency
        || quality != lastQ || decibels != gain.value
      let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
      bank.process(slice, from: frame, count: run, phase: clock.phase, step)
      clock.advance(run)
      frame += run
    }
  }

  /// Applies the values that are scheduled for this slice at once.
  @_noLocks private mutating func applyScheduled(
    _ slice: RenderSlice, _ hertz: Float, _ quality: Float, _ decibels: Float
  ) {
    let isFrequency = parameters.$frequency.isScheduled(in: slice)
    let isQ = parameters.$q.isScheduled(in: slice)
    let isGain = parameters.$gain.isScheduled(in: slice)
    guard isFrequency || isQ || isGain else { return }
    setTargets(hertz, quality)
    if isFrequency { frequency.jump(to: frequencyTarget) }
    if isQ { q.jump(to: qTarget) }
    if isGain { gain.jump(to: decibels) }
    step.jump(to: coefficients(hertz, quality))
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
    defer { isFresh = false }
    guard moved else { return step.rest() }
    let next = coefficients(hertz, quality)
    if isFresh { step.jump(to: next) } else { step.advance(to: next) }
  }

  /// The filter now. Settled values are the passed ones, so that no rounding of the logarithm is left in
  /// them.
  @_noLocks private func coefficients(
    _ hertz: Float, _ quality: Float
  ) -> StateVariableCoefficients {
    .filter(
      .bell,
      frequency: frequency.value == frequencyTarget
        ? Double(hertz) : RealtimeMath.exp(Double(frequency.value)),
      q: q.value == qTarget ? Double(quality) : RealtimeMath.exp(Double(q.value)),
      gain: RealtimeMath.gain(decibels: Double(gain.value)), sampleRate: sampleRate,
      design: design)
  }

  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? {
    bell(parameters, sampleRate, state.design).magnitude(
      atFrequency: frequency, sampleRate: sampleRate)
  }

  /// The filter at rest.
  private static func bell(
    _ parameters: Parameters, _ sampleRate: Double, _ design: FilterDesign
  ) -> StateVariableCoefficients {
    .filter(
      .bell, frequency: Double(parameters.frequency), q: Double(parameters.q),
      gain: RealtimeMath.gain(decibels: Double(parameters.gain)), sampleRate: sampleRate,
      design: design)
  }

  /// Seconds of ringing down to −140 dB with the present parameters. Context: control.
  var tailSeconds: Double {
    if RealtimeMath.gain(decibels: Double(parameters.gain)) == 1 { return 0 }
    let response = Self.bell(parameters, sampleRate, design)
    return (response.decayFrames(decibels: 140) + 2048) / sampleRate
  }
}

/// Makes one parametric equaliser; the factory function of the component. Context: control.
@c(AuricleParametricEQFactory)
public func parametricEQFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(ParametricEQ.self, request) { unsafe render(ParametricEQ.self, $0, $1) }
}
