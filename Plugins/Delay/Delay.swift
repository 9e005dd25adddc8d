// The delay unit: echoes with feedback, darker at each repeat.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Echoes: a delay line of whole frames with a one-pole low-pass and feedback in its loop.
///
/// Every repeat passes the low-pass, the first one too. A new delay time is reached by a crossfade
/// of 30 ms between the two taps, so nothing clicks and nothing changes pitch; a further change
/// waits until the fade is done. The shortest delay is one frame. The mix is a crossfade of equal
/// power: cosine for the dry, sine for the wet signal.
@safe struct Delay: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Delay", subtype: "dely", manufacturer: "appl",
    summary: "Echoes with feedback, darker at each repeat.",
    tags: ["Effects", "Delay"])

  struct Parameters: ParameterSet {
    @Parameter(
      kDelayParam_WetDryMix, "wet/dry mix", 0...100, default: 50, unit: .equalPowerCrossfade)
    var mix: Float
    @Parameter(
      kDelayParam_DelayTime, "delay time", 0...2, default: 1, unit: .seconds, options: .glides)
    var time: Float
    @Parameter(kDelayParam_Feedback, "feedback", -100...100, default: 50, unit: .percent)
    var feedback: Float
    @Parameter(
      kDelayParam_LopassCutoff, "low-pass cutoff", 10...22050, default: 15000, unit: .hertz,
      curve: .logarithmic, options: .upToNyquist)
    var cutoff: Float
  }

  static let skipsSilence = true

  private let sampleRate: Double
  private let channelCount: Int
  private let parameters: Parameters
  private var clock = ControlClock()
  private var mix: MixGlide
  private var feedback: ParameterGlide
  private var cutoff: ParameterGlide
  private var lastCutoff: Float = -1
  private var cutoffTarget: Float = 0
  private var pole: OnePoleCoefficients
  private var tap: TapFade
  private var lines: ChannelDelayLines
  private let states: UnsafeMutablePointer<SIMD2<Float>>
  /// The tap that fades in, then the wet signal, of a run of two channels.
  private let scratch: UnsafeMutablePointer<SIMD2<Float>>
  /// Frames for which nothing audible went into the lines.
  private var quietFrames = 0
  private var isLoud = false
  private let lineFrames: Int

  /// Allocates two seconds. Context: control.
  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    parameters = setup.parameters
    mix = MixGlide(sampleRate: sampleRate)
    feedback = ParameterGlide(sampleRate: sampleRate)
    cutoff = ParameterGlide(sampleRate: sampleRate)
    pole = OnePoleCoefficients()
    tap = TapFade(frames: Int(0.03 * sampleRate))
    lineFrames = Int(2 * sampleRate) + 2 * ControlClock.interval
    lines = ChannelDelayLines(channelCount: channelCount, maximumDelay: lineFrames)
    quietFrames = lineFrames
    let pairs = (channelCount + 1) / 2
    unsafe states = .allocate(capacity: max(pairs, 1))
    unsafe states.initialize(repeating: .zero, count: max(pairs, 1))
    unsafe scratch = .allocate(capacity: ControlClock.interval)
    unsafe scratch.initialize(repeating: .zero, count: ControlClock.interval)
  }

  deinit {
    unsafe states.deallocate()
    unsafe scratch.deallocate()
  }

  /// Clears the history. Context: control or render.
  @_noLocks mutating func reset() {
    clock.reset()
    mix.reset()
    feedback.reset()
    cutoff.reset()
    tap.reset()
    lines.reset()
    quietFrames = lineFrames
    isLoud = false
    for pair in 0..<((channelCount + 1) / 2) { unsafe states[pair] = .zero }
  }

  /// Seconds until echoes have fallen by 90 dB, however much of the input they had gathered; without
  /// end at a feedback of 100 %. Context: control.
  var tailSeconds: Double { parameters.mix <= 0 ? 0 : loopTail }

  private var loopTail: Double {
    let time = max(Double(parameters.time), 1 / sampleRate)
    let gain = abs(Double(parameters.feedback)) / 100
    if gain >= 1 { return .infinity }
    // For a steady input the loop's content is greater than it by this.
    let drop = 90 * RealtimeMath.log(10) / 20 - RealtimeMath.log(1 - gain)
    return time + drop / decayRate(time, gain) + 0.1
  }

  /// Returns the decay rate of the slowest part of the loop, in nepers a second: a lower bound.
  ///
  /// A loop has a delay T, a gain g, and a low-pass of time constant t. Round it, e^(-st) stays itself
  /// where 1 - st = g e^(sT). The left side minus the right one is concave in s: chords from 0 find its zero
  /// from below.
  private func decayRate(_ time: Double, _ gain: Double) -> Double {
    let constant = 1 / (2 * Double.pi * min(max(Double(parameters.cutoff), 1), sampleRate / 2))
    var high = 1 / constant
    if gain > 1e-9 { high = min(high, -RealtimeMath.log(gain) / time) }
    func excess(_ rate: Double) -> Double {
      1 - rate * constant - (gain > 1e-9 ? gain * RealtimeMath.exp(rate * time) : 0)
    }
    let atHigh = excess(high)
    var low = 0.0
    for _ in 0..<12 {
      let atLow = excess(low)
      guard atLow > 1e-12, atLow - atHigh > 1e-15 else { break }
      low += (high - low) * atLow / (atLow - atHigh)
    }
    return max(low, 1e-6)
  }

  /// The tail of the loop, audible or not, and no less than the content of the lines: a longer delay
  /// would bring that back. None once all of it is gone. Context: render.
  var restSeconds: Double {
    quietFrames >= lineFrames ? 0 : max(loopTail, Double(lineFrames) / sampleRate)
  }

  /// Processes one slice in place. Context: render.
  @_noLocks mutating func process(_ slice: RenderSlice) {
    if slice.hasScheduledValues { applyScheduled(slice) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { update(slice) }
      let wanted = clock.run(of: slice.frameCount - frame, isMoving: true)
      var run = lines.contiguous(min(wanted, tap.current), delay: tap.current)
      if tap.isFading { run = lines.contiguous(min(run, tap.next), delay: tap.next) }
      for pair in 0..<((channelCount + 1) / 2) { process(slice, frame, run, pair) }
      quietFrames = isLoud ? 0 : min(quietFrames + run, lineFrames)
      isLoud = false
      lines.advance(run)
      tap.advance(run)
      clock.advance(run)
      frame += run
    }
  }

  /// Applies the values that are scheduled for this slice at once; a new delay time begins to fade in.
  @_noLocks private mutating func applyScheduled(_ slice: RenderSlice) {
    if parameters.$mix.isScheduled(in: slice) { mix.jump(to: parameters.mix) }
    if parameters.$time.isScheduled(in: slice) { updateTime(slice) }
    if parameters.$feedback.isScheduled(in: slice) { feedback.jump(to: parameters.feedback / 100) }
    if parameters.$cutoff.isScheduled(in: slice) {
      setTarget(parameters.cutoff)
      cutoff.jump(to: cutoffTarget)
      setPole()
    }
  }

  @_noLocks private mutating func update(_ slice: RenderSlice) {
    mix.advance(toward: parameters.mix)
    feedback.advance(toward: parameters.feedback / 100)
    updateTime(slice)
    setTarget(parameters.cutoff)
    if cutoff.advance(toward: cutoffTarget) { setPole() }
  }

  @_noLocks private mutating func updateTime(_ slice: RenderSlice) {
    tap.setDelay(Int(min(max(Double(parameters.time), 0), 2) * sampleRate + 0.5))
  }

  @_noLocks private mutating func setTarget(_ hertz: Float) {
    guard hertz != lastCutoff else { return }
    lastCutoff = hertz
    cutoffTarget = Float(RealtimeMath.log(Double(max(hertz, 1))))
  }

  @_noLocks private mutating func setPole() {
    pole = OnePoleCoefficients(
      frequency: RealtimeMath.exp(Double(cutoff.value)), sampleRate: sampleRate)
  }

  /// Runs two channels (or the last single one twice, to the same result).
  @_noLocks private mutating func process(
    _ slice: RenderSlice, _ frame: Int, _ count: Int, _ pair: Int
  ) {
    let leftIndex = 2 * pair
    let rightIndex = min(2 * pair + 1, channelCount - 1)
    let left = unsafe slice.channel(leftIndex) + frame
    let right = unsafe slice.channel(rightIndex) + frame
    let leftTap = unsafe lines.readPointer(leftIndex, delay: tap.current)
    let rightTap = unsafe lines.readPointer(rightIndex, delay: tap.current)
    if tap.isFading {
      let leftNext = unsafe lines.readPointer(leftIndex, delay: tap.next)
      let rightNext = unsafe lines.readPointer(rightIndex, delay: tap.next)
      for index in 0..<count {
        let old = unsafe SIMD2(leftTap[index], rightTap[index])
        let new = unsafe SIMD2(leftNext[index], rightNext[index])
        unsafe scratch[index] = old + (new - old) * SIMD2(repeating: tap.weight(after: index))
      }
    } else {
      for index in 0..<count { unsafe scratch[index] = SIMD2(leftTap[index], rightTap[index]) }
    }
    var state = unsafe states[pair]
    let b = SIMD2(repeating: pole.input), c = SIMD2(repeating: pole.state)
    let d = SIMD2(repeating: pole.direct), e = SIMD2(repeating: pole.stateGain)
    for index in 0..<count {
      let x = unsafe scratch[index]
      unsafe scratch[index] = d * x + e * state
      state = b * x + c * state
    }
    unsafe states[pair] = state
    var energy = state * state
    // The state fades by itself: only its audible part counts.
    if energy[0] < 1e-18 && energy[1] < 1e-18 { energy = .zero }
    let leftLine = unsafe lines.writePointer(leftIndex)
    let rightLine = unsafe lines.writePointer(rightIndex)
    for index in 0..<count {
      let phase = clock.phase + index
      let wet = unsafe scratch[index]
      let x = unsafe SIMD2(left[index], right[index])
      let stored = x + wet * SIMD2(repeating: feedback.value(at: phase))
      // Inaudible values are not stored again, so echoes end.
      let bound = SIMD2<Float>(repeating: 1e-9)
      let kept = stored.replacing(
        with: SIMD2<Float>(), where: (stored .< bound) .& (stored .> -bound))
      energy += kept * kept
      unsafe leftLine[index] = kept[0]
      unsafe rightLine[index] = kept[1]
      let y =
        x * SIMD2(repeating: mix.dry(at: phase)) + wet * SIMD2(repeating: mix.wet(at: phase))
      unsafe left[index] = y[0]
      unsafe right[index] = y[1]
    }
    if energy[0] != 0 || energy[1] != 0 { isLoud = true }
  }
}

/// Makes one delay; the factory function of the component. Context: control.
@c(AuricleDelayFactory)
public func delayFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(Delay.self, request) { unsafe render(Delay.self, $0, $1) }
}
