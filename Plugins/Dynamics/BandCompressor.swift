// The compressor of one band of the multiband compressor.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// Level, curve, attack and release, and the gain of a band; one gain for all channels.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct BandCompressor: ~Copyable {
  private var threshold: ParameterGlide
  private var headroom: ParameterGlide
  private var gain: ParameterGlide
  private var targets: (threshold: Float, headroom: Float, gain: Float) = (0, 1, 0)
  private var curve = StaticCurve()
  private var detector: LevelDetector
  private var follower: CompressionFollower
  /// Levels, then gains, of a run; reductions behind them.
  private let scratch: UnsafeMutablePointer<SIMD4<Float>>

  /// Allocates. Context: control.
  init(sampleRate: Double) {
    threshold = ParameterGlide(sampleRate: sampleRate)
    headroom = threshold
    gain = threshold
    detector = LevelDetector(sampleRate: sampleRate, seconds: 0.01)
    follower = CompressionFollower(sampleRate: sampleRate)
    let lanes = ControlClock.interval / 2
    unsafe scratch = .allocate(capacity: lanes)
    unsafe scratch.initialize(repeating: .zero, count: lanes)
  }

  deinit { unsafe scratch.deallocate() }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    threshold.reset()
    headroom.reset()
    gain.reset()
    detector.reset()
    follower.reset()
  }

  /// Whether silence has brought everything back to where it begins.
  var isAtRest: Bool {
    @_noLocks get {
      follower.value == 0 && detector.level < LevelDetector.inaudible && gain.isSettled
    }
  }

  /// Sets parameters, at the start of a slice.
  @_noLocks mutating func set(
    _ band: MultibandCompressor.Band, postGain: Float, attack: Float, release: Float
  ) {
    targets = (band.threshold, band.headroom, band.gain + postGain)
    follower.setTimes(attack: attack, release: release)
  }

  /// Jumps to scheduled values.
  @_noLocks mutating func jump(
    _ band: MultibandCompressor.Band, _ parameters: MultibandCompressor.Parameters,
    _ slice: borrowing RenderSlice
  ) {
    if band.$threshold.isScheduled(in: slice) { threshold.jump(to: targets.threshold) }
    if band.$headroom.isScheduled(in: slice) { headroom.jump(to: targets.headroom) }
    if band.$gain.isScheduled(in: slice) { gain.jump(to: targets.gain) }
    if parameters.$postGain.isScheduled(in: slice) { gain.jump(to: targets.gain) }
    setCurve()
  }

  /// Begins an interval.
  @_noLocks mutating func advance() {
    threshold.advance(toward: targets.threshold)
    headroom.advance(toward: targets.headroom)
    gain.advance(toward: targets.gain)
    setCurve()
  }

  /// Ends an interval.
  @_noLocks mutating func endInterval() { detector.endInterval() }

  @_noLocks private mutating func setCurve() {
    curve.threshold = threshold.value
    curve.headroom = max(0.1, headroom.value)
    curve.findSilentLevel()
  }

  /// Turns a run of all channels down, and by the gain.
  @_noLocks mutating func process(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int, _ count: Int,
    phase: Int
  ) {
    let levels = unsafe UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Float.self)
    let reductions = unsafe levels + ControlClock.interval
    for channel in 0..<channelCount {
      let audio = unsafe rows[channel]
      if channel == 0 {
        for index in 0..<count { unsafe levels[index] = audio[index].magnitude }
      } else {
        for index in 0..<count {
          let magnitude = unsafe audio[index].magnitude
          unsafe levels[index] = magnitude > levels[index] ? magnitude : levels[index]
        }
      }
    }
    unsafe detector.process(levels, count)
    let endsInterval = phase + count == ControlClock.interval
    let compresses = unsafe levels[count - 1] > curve.silentLevel
    if compresses {
      unsafe AuricleCompression(levels, reductions, count, curve.threshold, curve.headroom)
      unsafe follower.follow(reductions, count, endsInterval: endsInterval)
    } else if follower.value != 0 {
      unsafe follower.fall(reductions, count, endsInterval: endsInterval)
    } else if gain.start == 0 && gain.slope == 0 {
      return
    } else {
      unsafe SampleRun.clear(reductions, count)
    }
    unsafe AuricleReducedGains(reductions, levels, count, gain.start, gain.slope, phase)
    for channel in 0..<channelCount {
      let audio = unsafe rows[channel]
      for index in 0..<count { unsafe audio[index] *= levels[index] }
    }
  }

  /// Shows the reduction and the levels.
  @_noLocks func showMeters(_ band: MultibandCompressor.Band) {
    let level = Float(
      8.685889638 * RealtimeMath.log(Double(max(detector.level, 1e-8))))
    band.compression = min(follower.value, 20)
    band.input = min(max(level, -120), 20)
    band.output = level <= -120 ? -120 : min(max(level + gain.value - follower.value, -120), 20)
  }
}
