// The second reverb: two networks of delay lines between a shortest and a longest delay.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Eight short lines and sixteen between the least and the greatest delay, all with the same decay.
///
/// Six of the sixteen are modulated slowly. The random number determines the spread of the lines. The
/// settings of a room glide for 20 ms, or fades where lines become longer or shorter.
@safe struct Reverb2: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Reverb 2", subtype: "rvb2", manufacturer: "appl",
    summary: "A reverb by the delays of its walls and its decay at low and high frequencies.",
    tags: ["Effects", "Reverb"])

  struct Parameters: ParameterSet {
    @Parameter(
      kReverb2Param_DryWetMix, "dry/wet mix", 0...100, default: 100, unit: .equalPowerCrossfade)
    var mix: Float
    @Parameter(kReverb2Param_Gain, "gain", -20...20, default: 0, unit: .decibels) var gain: Float
    @Parameter(
      kReverb2Param_MinDelayTime, "min delay time", 0.0001...1, default: 0.008, unit: .seconds,
      curve: .logarithmic, options: .glides)
    var leastDelay: Float
    @Parameter(
      kReverb2Param_MaxDelayTime, "max delay time", 0.0001...1, default: 0.05, unit: .seconds,
      curve: .logarithmic, options: .glides)
    var greatestDelay: Float
    @Parameter(
      kReverb2Param_DecayTimeAt0Hz, "decay time at 0 Hz", 0.001...20, default: 1, unit: .seconds,
      curve: .logarithmic, options: .glides)
    var lowDecay: Float
    @Parameter(
      kReverb2Param_DecayTimeAtNyquist, "decay time at Nyquist", 0.001...20, default: 0.5,
      unit: .seconds, curve: .logarithmic, options: .glides)
    var highDecay: Float
    @Parameter(
      kReverb2Param_RandomizeReflections, "randomize reflections", 1...1000, default: 1,
      options: .glides)
    var randomness: Float
  }

  static var presets: [Preset<Parameters>] { Reverb2Rooms.presets }
  static var properties: [CustomProperty<Self>] {
    [
      .bytes(
        kAudioUnitProperty_ReverbRoomType, get: { [Reverb2Rooms.nearest(to: $0.parameters)].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          guard let number = UInt32(bytes), number < UInt32(Reverb2Rooms.all.count) else {
            throw UnitRefusal(
              status: kAudioUnitErr_InvalidPropertyValue,
              reason: "a room type is a UInt32 from 0 to \(Reverb2Rooms.all.count - 1)")
          }
          Reverb2Rooms.all[Int(number)].apply(to: access.parameters)
        })
    ]
  }
  static let skipsSilence = true

  private let sampleRate: Double
  private let channelCount: Int
  private let parameters: Parameters
  private var clock = ControlClock()
  private var mix: MixGlide
  private var lowDecay: ParameterGlide
  private var highDecay: ParameterGlide
  private var level: ParameterGlide
  private var earlyLevel: ParameterGlide
  private var levels = RoomLevels()
  private var gain: OutputGain
  private var feeds: RoomFeeds
  private var small: FeedbackDelayNetwork
  private var large: FeedbackDelayNetwork
  private var isLoud = false
  private var quietFrames = 0
  private var isIdle = true
  private var sum: RoomMix
  /// The parameters of the last interval, and whether all that follows them has come to rest.
  private var known = SIMD8<Float>(repeating: 0)
  private var isStill = false

  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    parameters = setup.parameters
    mix = MixGlide(sampleRate: sampleRate)
    lowDecay = ParameterGlide(sampleRate: sampleRate)
    highDecay = lowDecay
    level = lowDecay
    earlyLevel = lowDecay
    gain = OutputGain(sampleRate: sampleRate)
    feeds = RoomFeeds(sampleRate: sampleRate, channelCount: channelCount)
    small = FeedbackDelayNetwork(
      lineCount: 8, sampleRate: sampleRate, maximumDelay: 1.05, isModulated: false)
    large = FeedbackDelayNetwork(
      lineCount: 16, sampleRate: sampleRate, maximumDelay: 1.05, isModulated: true)
    sum = RoomMix(channelCount: channelCount)
    reset()
  }

  @_noLocks mutating func reset() {
    clock.reset()
    mix.reset()
    lowDecay.reset()
    highDecay.reset()
    level.reset()
    earlyLevel.reset()
    gain.reset()
    feeds.reset()
    small.reset()
    large.reset()
    isLoud = false
    quietFrames = 0
    isIdle = true
    isStill = false
    sum.reset()
  }

  /// Seconds until all has decayed by 108 dB: 90, and a fifth more for the gain of resonances.
  private var tail: Double {
    @_noLocks get {
      0.1 + Double(max(parameters.leastDelay, parameters.greatestDelay))
        + 1.8 * Double(max(parameters.lowDecay, parameters.highDecay))
    }
  }

  var tailSeconds: Double { parameters.mix <= 0 ? 0 : tail }
  var restSeconds: Double { @_noLocks get { isIdle ? 0 : tail } }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if slice.hasScheduledValues, parameters.$mix.isScheduled(in: slice) {
      mix.jump(to: parameters.mix)
      sum.reset()
    }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { beginInterval() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      process(slice, frame, run)
      clock.advance(run)
      if clock.isAtGridPoint { endInterval() }
      frame += run
    }
    gain.process(
      slice, decibels: parameters.gain,
      isScheduled: slice.hasScheduledValues && parameters.$gain.isScheduled(in: slice))
  }

  @_noLocks private mutating func beginInterval() {
    let values = SIMD8<Float>(
      parameters.leastDelay, parameters.greatestDelay, parameters.lowDecay, parameters.highDecay,
      parameters.randomness, parameters.mix, 0, 0)
    if !isStill || values != known { follow(values) }
    small.beginInterval()
    large.beginInterval()
  }

  /// Moves towards the parameters.
  @_noLocks private mutating func follow(_ values: SIMD8<Float>) {
    known = values
    let least = Double(min(parameters.leastDelay, parameters.greatestDelay))
    let greatest = Double(max(parameters.leastDelay, parameters.greatestDelay))
    let seed = Int(max(parameters.randomness, 1))
    let middle = RealtimeMath.sqrt(least * greatest)
    let early = small.setDelays(
      mean: RealtimeMath.sqrt(least * middle), range: Self.range(least, middle), seed: seed)
    let late = large.setDelays(mean: middle, range: Self.range(least, greatest), seed: seed)
    let low = lowDecay.advance(toward: RealtimeMath.log(max(parameters.lowDecay, 0.001)))
    let high = highDecay.advance(toward: RealtimeMath.log(max(parameters.highDecay, 0.001)))
    let time = Double(RealtimeMath.exp(lowDecay.value))
    let brightness = Double(RealtimeMath.exp(highDecay.value)) / time
    if early || low || high {
      levels.small = Self.level(8, energy: small.setDecay(time: time, brightness: brightness))
    }
    if late || low || high {
      levels.large = Self.level(16, energy: large.setDecay(time: time, brightness: brightness))
    }
    // Half the power is that of the short lines, for as long as they last.
    earlyLevel.advance(toward: Float(levels.small * 0.5))
    level.advance(toward: Float(levels.large * 0.866))
    mix.advance(toward: parameters.mix)
    feeds.setDelays(small: 1, large: 1)
    feeds.setDensities(small: 0.4, decay: time, large: 0.55, decay: time)
    large.setModulation(rate: 0.7, depth: 0.5)
    isStill =
      lowDecay.isSettled && highDecay.isSettled && earlyLevel.isSettled && level.isSettled
      && mix.isSettled && !small.isFading && !large.isFading
  }

  /// The spread of lines that lie between two delays, in the terms of the networks.
  @_noLocks private static func range(_ least: Double, _ greatest: Double) -> Double {
    (RealtimeMath.log2(max(greatest / least, 1)) / 2 - 0.25) / 0.75
  }

  /// Returns the gain that makes steady noise as loud behind a network as before it. For rooms that absorb nearly all it is at
  /// most 30 dB, which is audible until it has come down when the room grows.
  @_noLocks private static func level(_ lineCount: Int, energy: Double) -> Double {
    RealtimeMath.sqrt(Double(lineCount / 2) * max(1 - energy, 1e-6) / max(energy, 0.01))
  }

  @_noLocks private mutating func endInterval() {
    feeds.endInterval()
    small.endInterval()
    large.endInterval()
    quietFrames = isLoud ? 0 : quietFrames + ControlClock.interval
    isLoud = false
    guard !isIdle, quietFrames > 0 else { return }
    // Longer than the way from the input through the longest line.
    let longest = Double(max(parameters.leastDelay, parameters.greatestDelay)) + 0.6
    if Double(quietFrames) > longest * sampleRate {
      feeds.clear()
      small.clear()
      large.clear()
      isIdle = true
    }
  }

  @_noLocks private mutating func process(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    let phase = clock.phase
    sum.setGains(count, phase: phase, mix: mix, balance: nil, early: earlyLevel, late: level)
    if isIdle {
      var isSilent = true
      for channel in 0..<channelCount where isSilent {
        isSilent = unsafe SampleRun.isSilent(slice.channel(channel) + frame, count)
      }
      if isSilent { return }
      isIdle = false
    }
    if feeds.gather(slice, frame, phase, count) { isLoud = true }
    FeedbackDelayNetwork.process(&large, &small, phase: phase, count, feeds)
    isLoud = sum.process(slice, frame, count, small, large, isLoud: isLoud)
  }
}

/// Makes one reverb; the factory function of the component. Context: control.
@c(AuricleReverb2Factory)
public func reverb2Factory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(Reverb2.self, request) { unsafe render(Reverb2.self, $0, $1) }
}
