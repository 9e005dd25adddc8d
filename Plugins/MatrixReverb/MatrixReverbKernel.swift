// The DSP of the matrix reverb: feeds, early and late room, mix.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// The reverb.
///
/// Channels with an even index make one feed, the others a second one (a single channel makes both).
/// After the pre-delay they pass two all-pass stages into the small room, and after the large delay
/// four into the large one. The parameters:
///
/// - small size: mean time between the walls of the small room; it decays by 60 dB in 24 times that;
/// - large size: time in which the large room decays by 60 dB at low frequencies;
/// - brightness: decay time at the highest frequency as a part of that at low ones;
/// - density: how much the all-pass stages smear a pulse;
/// - delay range: spread of the lines, from a quarter octave to a whole one to both sides;
/// - modulation: six of the sixteen lines of the large room wobble by up to 0.35 ms.
///
/// After silent input, once the tail is below −160 dB, the output is exactly zero.
@safe public struct MatrixReverbKernel: UnitKernel, ~Copyable {
  private let sampleRate: Double
  private let channelCount: Int
  private let values: ParameterStore
  private var clock = ControlClock()
  private var settings: RoomSettings
  private var levels = RoomLevels()
  private var smallLevel: ParameterGlide
  private var largeLevel: ParameterGlide
  private var feeds: RoomFeeds
  private var small: FeedbackDelayNetwork
  private var large: FeedbackDelayNetwork
  private var isLoud = false
  private var quietFrames = 0
  private var isIdle = true
  private var sum: RoomMix

  /// Allocates for the longest delays. Context: control.
  public init(_ format: RenderFormat) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    values = format.values
    settings = RoomSettings(sampleRate: sampleRate)
    smallLevel = ParameterGlide(sampleRate: sampleRate)
    largeLevel = smallLevel
    feeds = RoomFeeds(sampleRate: sampleRate, channelCount: channelCount)
    small = FeedbackDelayNetwork(
      lineCount: 8, sampleRate: sampleRate, maximumDelay: 0.042, isModulated: false)
    large = FeedbackDelayNetwork(
      lineCount: 16, sampleRate: sampleRate, maximumDelay: 0.098, isModulated: true)
    sum = RoomMix(channelCount: channelCount)
    reset()
  }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    settings.reset()
    smallLevel.reset()
    largeLevel.reset()
    feeds.reset()
    small.reset()
    large.reset()
    isLoud = false
    quietFrames = 0
    isIdle = true
    sum.reset()
  }

  /// Seconds until the large room has decayed by 108 dB. Context: control.
  public var tailSeconds: Double {
    if values[.mix] <= 0 { return 0 }
    return values[.balance] <= 0 ? smallTail : max(smallTail, largeTail)
  }

  /// Decay times of 60 dB in the tail: 90 dB, and a fifth more for the gain of resonances.
  private static var drop: Double { @_noLocks get { 1.8 } }

  private var smallTail: Double {
    Double(values[.preDelay]) + 0.1 + Self.drop * 24 * Double(values[.smallSize])
  }

  private var largeTail: Double {
    Double(values[.preDelay]) + 0.1 + Double(values[.largeDelay])
      + Self.drop * Double(values[.largeSize])
  }

  /// The longer tail of both rooms, audible or not; none once they are silent. Context: render.
  public var restSeconds: Double { isIdle ? 0 : max(smallTail, largeTail) }

  /// Processes one slice in place. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    if slice.hasScheduledValues { applyScheduled(slice) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { beginInterval(slice) }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      process(slice, frame, run)
      clock.advance(run)
      if clock.isAtGridPoint { endInterval() }
      frame += run
    }
  }

  /// Applies scheduled crossfades at once.
  @_noLocks private mutating func applyScheduled(_ slice: borrowing RenderSlice) {
    if slice.parameterIsScheduled(.mix) {
      settings.mix.jump(to: slice[.mix])
      sum.reset()
    }
    if slice.parameterIsScheduled(.balance) {
      settings.balance.jump(to: slice[.balance])
      sum.reset()
    }
  }

  @_noLocks private mutating func beginInterval(_ slice: borrowing RenderSlice) {
    settings.advance(slice, &small, &large, &levels)
    smallLevel.advance(toward: Float(levels.small))
    largeLevel.advance(toward: Float(levels.large))
    feeds.setDelays(
      small: Int(Double(slice[.preDelay]) * sampleRate),
      large: Int(Double(slice[.preDelay] + slice[.largeDelay]) * sampleRate))
    feeds.setDensities(
      small: settings.smallDensity.value, decay: settings.smallSeconds,
      large: settings.largeDensity.value, decay: settings.largeSeconds)
    small.beginInterval()
    large.beginInterval()
  }

  @_noLocks private mutating func endInterval() {
    feeds.endInterval()
    small.endInterval()
    large.endInterval()
    quietFrames = isLoud ? 0 : quietFrames + ControlClock.interval
    isLoud = false
    // Longer than the way from the input through the longest line.
    if !isIdle && Double(quietFrames) > 0.6 * sampleRate {
      feeds.clear()
      small.clear()
      large.clear()
      isIdle = true
    }
  }

  @_noLocks private mutating func process(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    sum.setGains(
      count, phase: clock.phase, mix: settings.mix, balance: settings.balance, early: smallLevel,
      late: largeLevel)
    if isIdle {
      if isSilent(slice, frame, count) { return }
      isIdle = false
    }
    let phase = clock.phase
    if feeds.gather(slice, frame, phase, count) { isLoud = true }
    FeedbackDelayNetwork.process(&large, &small, phase: phase, count, feeds)
    isLoud = sum.process(slice, frame, count, small, large, isLoud: isLoud)
  }

  @_noLocks private func isSilent(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) -> Bool {
    for channel in 0..<channelCount {
      if unsafe !SampleRun.isSilent(slice.channel(channel) + frame, count) { return false }
    }
    return true
  }
}
