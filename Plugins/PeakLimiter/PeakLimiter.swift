// The peak limiter: look-ahead, linked channels, never a sample or a true peak above full scale.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// A limiter whose gain, the same for all channels, is down before a peak arrives.
///
/// The look-ahead is the attack time at the last initialise or reset (a later change of the attack
/// time waits for the next one, so that the latency never jumps). The decay time is that in which
/// the gain makes up all but 1/e of its reduction. A sample within full scale after the pre-gain,
/// with no peak above full scale nearby, is delayed and otherwise the same bit for bit.
@safe struct PeakLimiter: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Peak Limiter", subtype: "lmtr", manufacturer: "appl",
    summary: "A limiter with look-ahead that never lets a sample pass full scale.",
    tags: ["Effects", "Dynamics"])

  struct Parameters: ParameterSet {
    @Parameter(
      kLimiterParam_AttackTime, "attack time", 0.001...0.03, default: 0.012, unit: .seconds,
      curve: .logarithmic, options: .notWhileRendering)
    var attackTime: Float
    @Parameter(
      kLimiterParam_DecayTime, "decay time", 0.001...0.06, default: 0.024, unit: .seconds,
      curve: .logarithmic)
    var decayTime: Float
    @Parameter(kLimiterParam_PreGain, "pre-gain", -40...40, default: 0, unit: .decibels)
    var preGain: Float
  }

  /// Whether true peaks are kept below full scale instead of samples.
  struct State: UnitModel {
    var isTruePeak = false
    init() {}
    init(restoring state: UnitState, version: Int32) {
      isTruePeak = state.integer("true-peak") == 1
    }
    func save(to state: UnitState) { state.set("true-peak", integer: isTruePeak ? 1 : 0) }
  }

  static var properties: [CustomProperty<Self>] {
    [
      .bytes(
        kAuricleProperty_TruePeak, get: { [UInt32($0.state.isTruePeak ? 1 : 0)].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          guard let number = UInt32(bytes), number <= 1 else {
            throw UnitRefusal(
              status: kAudioUnitErr_InvalidPropertyValue,
              reason: "the true-peak mode is a UInt32, 0 (samples) or 1 (true peaks)")
          }
          var state = access.state
          state.isTruePeak = number == 1
          try access.setState(state)
        })
    ]
      + CustomProperty<Self>.settings([
        .toggle(
          "true-peak", name: "true peak", get: { $0.state.isTruePeak },
          set: { (access, isOn) throws(UnitRefusal) in
            var state = access.state
            state.isTruePeak = isOn
            try access.setState(state)
          })
      ])
  }

  static let skipsSilence = true

  private static var truePeakMargin: Float { @_noLocks get { 1.025 } }
  private static var chunk: Int {
    @_noLocks get { 256 }
  }

  private let sampleRate: Double
  private let channelCount: Int
  private let parameters: Parameters
  private var clock = ControlClock()
  private var preGain: ParameterGlide
  private var lastPreGain: Float = .nan
  private var preGainTarget: Float = 1
  private var lastDecay: Float = -1
  private var decay: Int64 = 0
  private var lookAhead: Int
  private var computer: GainComputer
  private var lines: ChannelDelayLines
  private let isTruePeak: Bool
  private var truePeaks: TruePeaks
  /// Frames from the input to the output.
  private var delay: Int {
    @_noLocks get { isTruePeak ? lookAhead + TruePeaks.latency : lookAhead }
  }
  private let gains: UnsafeMutablePointer<Float>

  /// Allocates for the longest attack time. Context: control.
  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    parameters = setup.parameters
    preGain = ParameterGlide(sampleRate: sampleRate)
    let longest = Int(0.03 * sampleRate) + 2
    computer = GainComputer(maximumLookAhead: longest)
    isTruePeak = setup.state.isTruePeak
    lines = ChannelDelayLines(
      channelCount: channelCount, maximumDelay: longest + TruePeaks.latency + Self.chunk)
    truePeaks = TruePeaks(
      channelCount: isTruePeak ? channelCount : 0, maximumRun: Self.chunk)
    unsafe gains = .allocate(capacity: Self.chunk)
    unsafe gains.initialize(repeating: 1, count: Self.chunk)
    lookAhead = 1
    reset()
  }

  deinit { unsafe gains.deallocate() }

  /// Clears the history and sets the attack time. Context: control or render.
  @_noLocks mutating func reset() {
    let attack = min(max(Double(parameters.attackTime), 0.001), 0.03)
    lookAhead = max(1, Int(attack * sampleRate + 0.5))
    computer.reset(lookAhead: lookAhead)
    lines.reset()
    truePeaks.reset()
    clock.reset()
    preGain.reset()
    lastPreGain = .nan
  }

  /// The look-ahead, and the delay of the true-peak detector. Context: control.
  var latencyFrames: Int { delay }

  /// At rest nothing is left but the delay line, which the SDK waits for: it is the latency.
  var restSeconds: Double {
    @_noLocks get { computer.isAtRest && preGain.isSettled ? 0 : .infinity }
  }

  /// Limits one slice in place. Context: render.
  @_noLocks mutating func process(_ slice: RenderSlice) {
    let decibels = parameters.preGain
    updateDecay(parameters.decayTime)
    // A scheduled gain holds from its frame on.
    if slice.hasScheduledValues, parameters.$preGain.isScheduled(in: slice) {
      setTarget(decibels)
      preGain.jump(to: preGainTarget)
    }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { updatePreGain(decibels) }
      let isMoving = !preGain.isSettled || decibels != lastPreGain
      let left = min(slice.frameCount - frame, Self.chunk)
      let run = lines.contiguous(clock.run(of: left, isMoving: isMoving), delay: delay)
      limit(slice, frame, run)
      clock.advance(run)
      frame += run
    }
  }

  @_noLocks private mutating func updateDecay(_ seconds: Float) {
    guard seconds != lastDecay else { return }
    lastDecay = seconds
    let rate = FollowerRate.rate(seconds: Double(seconds), sampleRate: sampleRate)
    decay = Int64(rate * Double(GainComputer.one))
  }

  @_noLocks private mutating func setTarget(_ decibels: Float) {
    guard decibels != lastPreGain else { return }
    lastPreGain = decibels
    preGainTarget = Float(RealtimeMath.gain(decibels: Double(decibels)))
  }

  @_noLocks private mutating func updatePreGain(_ decibels: Float) {
    setTarget(decibels)
    preGain.advance(toward: preGainTarget)
  }

  @_noLocks private mutating func limit(_ slice: RenderSlice, _ frame: Int, _ count: Int) {
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      let line = unsafe lines.writePointer(channel)
      if preGain.isSettled && preGain.value == 1 {
        unsafe SampleRun.copy(audio, to: line, count)
      } else {
        for index in 0..<count {
          unsafe line[index] = audio[index] * preGain.value(at: clock.phase + index)
        }
      }
      if isTruePeak {
        unsafe truePeaks.consume(line, channel: channel, count)
      } else {
        unsafe Self.gatherPeaks(of: line, into: gains, count, isFirst: channel == 0)
      }
    }
    if isTruePeak {
      unsafe truePeaks.find(gains, count, above: 0.999 / Self.truePeakMargin)
      // The gain moves between the examined places.
      unsafe SampleRun.scale(gains, gain: Self.truePeakMargin, count)
    }
    let isTransparent = unsafe computer.isAtRest && !SampleRun.exceeds(1, gains, count)
    if !isTransparent { unsafe computer.process(gains, count, decay: decay) }
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      let delayed = unsafe lines.readPointer(channel, delay: delay)
      if isTransparent {
        unsafe SampleRun.copy(delayed, to: audio, count)
      } else {
        for index in 0..<count {
          // The bound only catches the last bit of rounding.
          let sample = unsafe delayed[index] * gains[index]
          unsafe audio[index] = sample > 1 ? 1 : (sample < -1 ? -1 : sample)
        }
      }
    }
    lines.advance(count)
  }

  /// Gathers the highest magnitude of each frame.
  @_noLocks private static func gatherPeaks(
    of line: UnsafeMutablePointer<Float>, into peaks: UnsafeMutablePointer<Float>, _ count: Int,
    isFirst: Bool
  ) {
    if isFirst {
      for index in 0..<count { unsafe peaks[index] = line[index].magnitude }
    } else {
      for index in 0..<count {
        let magnitude = unsafe line[index].magnitude
        unsafe peaks[index] = magnitude > peaks[index] ? magnitude : peaks[index]
      }
    }
  }
}

/// Makes one peak limiter; the factory function of the component. Context: control.
@c(AuriclePeakLimiterFactory)
public func peakLimiterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(PeakLimiter.self, request) { unsafe render(PeakLimiter.self, $0, $1) }
}
