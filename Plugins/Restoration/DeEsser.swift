// The de-esser: sibilants are turned down where they are louder than the voice below them.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// One gain for the sound above *frequency*, in all channels.
///
/// The level above *frequency* is compared with that from 200 Hz to 0.6 × *frequency*, so that the unit follows sibilance and
/// not level. Above *balance*, the gain goes down by 3 dB for each 4 dB of the difference, by *reduction* at most. The output is the
/// input less a part of its high-pass: where nothing is turned down, it is the input bit for bit.
@safe struct DeEsser: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: De-Esser", subtype: "dees", manufacturer: "Auri",
    summary: "Turns sibilants down where they are louder than the voice below them.",
    tags: ["Effects", "Dynamics", "Restoration"])

  struct Parameters: ParameterSet {
    @Parameter(
      0, "frequency", 2000...12_000, default: 4500, unit: .hertz, curve: .logarithmic,
      options: .upToNyquist)
    var frequency: Float
    @Parameter(1, "balance", -20...20, default: -3, unit: .decibels) var balance: Float
    @Parameter(2, "reduction", 0...24, default: 7, unit: .decibels) var reduction: Float
    @Parameter(3, "attack time", 0.0002...0.02, default: 0.001, unit: .seconds, curve: .logarithmic)
    var attackTime: Float
    @Parameter(4, "release time", 0.005...0.5, default: 0.04, unit: .seconds, curve: .logarithmic)
    var releaseTime: Float
    @Meter(1000, "reduction amount", 0...24, unit: .decibels) var amount: Float
  }

  static let skipsSilence = true

  /// Below this level, the square of an amplitude, nothing counts as sibilant: −75 dBFS.
  private static var floor: Double { @_noLocks get { 3.2e-8 } }

  private let parameters: Parameters
  private let sampleRate: Double
  private let channelCount: Int
  private var clock = ControlClock()
  private var frequency: Float = -1
  private var high = StateVariableCoefficients()
  private var low = StateVariableCoefficients()
  private var bass = StateVariableCoefficients()
  private let states: UnsafeMutablePointer<SIMD8<Double>>
  private let energyRate: Double
  /// Mean squares above and below the frequency.
  private var energies = SIMD2<Double>(0, 0)
  /// The part of the high-pass that is subtracted, from 0 to 1, and its target in this interval.
  private var part = 0.0
  private var target = 0.0
  private var attack = 1.0
  private var release = 1.0

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    energyRate = FollowerRate.rate(seconds: 0.004, sampleRate: sampleRate)
    unsafe states = .allocate(capacity: max(1, channelCount))
    unsafe states.initialize(repeating: SIMD8(repeating: 0), count: max(1, channelCount))
  }

  deinit { unsafe states.deallocate() }

  @_noLocks mutating func reset() {
    clock.reset()
    frequency = -1
    for channel in 0..<channelCount { unsafe states[channel] = SIMD8(repeating: 0) }
    energies = SIMD2(0, 0)
    part = 0
    target = 0
  }

  var restSeconds: Double { @_noLocks get { part < 1e-6 ? 0.1 : .infinity } }
  var tailSeconds: Double { 0.1 }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    attack = FollowerRate.rate(
      seconds: Double(parameters.attackTime), sampleRate: sampleRate)
    release = FollowerRate.rate(
      seconds: Double(parameters.releaseTime), sampleRate: sampleRate)
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { update() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for index in frame..<(frame + run) { step(slice, index) }
      clock.advance(run)
      frame += run
    }
    parameters.amount = Float(-20 * RealtimeMath.log10(max(1 - part, 1e-3)))
  }

  /// Filters for a new frequency, and the part that the present levels want.
  @_noLocks private mutating func update() {
    if parameters.frequency != frequency {
      frequency = parameters.frequency
      let hertz = min(Double(frequency), 0.36 * sampleRate)
      let q = FilterShape.flattestQ
      high = .highPass(frequency: hertz, q: q, sampleRate: sampleRate)
      low = .lowPass(frequency: 0.6 * hertz, q: q, sampleRate: sampleRate)
      bass = .highPass(frequency: 200, q: q, sampleRate: sampleRate)
    }
    let floor = Self.floor * Double(max(1, channelCount))
    guard energies[0] > floor else { return target = 0 }
    let difference = 10 * RealtimeMath.log10(energies[0] / max(energies[1], floor * 0.01))
    let wanted = min(
      max(0.75 * (difference - Double(parameters.balance)), 0), Double(parameters.reduction))
    target = 1 - RealtimeMath.gain(decibels: -wanted)
  }

  @_noLocks private mutating func step(_ slice: borrowing RenderSlice, _ index: Int) {
    part += (target - part) * (target > part ? attack : release)
    if part < 1e-7 { part = 0 }
    var squares = SIMD2<Double>(0, 0)
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel)
      let input = unsafe Double(audio[index])
      var state = unsafe states[channel]
      let above = Self.filter(high, input, &state, 0)
      let middle = Self.filter(low, Self.filter(bass, input, &state, 2), &state, 4)
      unsafe states[channel] = state
      squares += SIMD2(above * above, middle * middle)
      if part > 0 { unsafe audio[index] = Float(input - part * above) }
    }
    energies += (squares - energies) * energyRate
  }

  /// One step of a filter whose states are two lanes.
  @_noLocks private static func filter(
    _ c: StateVariableCoefficients, _ input: Double, _ state: inout SIMD8<Double>, _ lane: Int
  ) -> Double {
    let (s, t) = (state[lane], state[lane + 1])
    state[lane] = c.a11 * s + c.a12 * t + c.b1 * input
    state[lane + 1] = c.a21 * s + c.a22 * t + c.b2 * input
    return c.c1 * s + c.c2 * t + c.d * input
  }
}

/// Makes one de-esser; the factory function of the component. Context: control.
@c(AuricleDeEsserFactory)
public func deEsserFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(DeEsser.self, request) { unsafe render(DeEsser.self, $0, $1) }
}
