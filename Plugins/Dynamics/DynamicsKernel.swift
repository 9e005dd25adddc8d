// The DSP of the dynamics processor.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// A compressor and expander with one gain for all channels.
///
/// Its level is measured on its own channels, or on the side chain (input bus 1) if one is fed.
///
/// The static curve (`StaticCurve`) maps the level to a reduction (`LevelDetector`). Compression
/// rises with the attack time and falls with the release time; expansion falls (opens) with the
/// attack time and rises (closes) with the release time: time constants, in decibels. Without a
/// reduction and at 0 dB overall gain the output is the input, bit for bit.
///
/// With a look-ahead the sound is late by it, and the measured level holds for as much longer.
@safe struct DynamicsProcessor: EffectUnit, ~Copyable {
  typealias Parameters = DynamicsParameters
  typealias State = LookAhead

  /// Decibels in a doubling.
  private static var octave: Float { 6.0206 }

  private let sampleRate: Double
  private let channelCount: Int
  private let parameters: Parameters
  private let lookAhead: Int
  private var lines: ChannelDelayLines
  private var clock = ControlClock()
  private var glides: (ParameterGlide, ParameterGlide, ParameterGlide, ParameterGlide)
  private var overallGain: ParameterGlide
  private var curve = StaticCurve()
  private var detector: LevelDetector
  private var compression: CompressionFollower
  private var expansion: Float = 0
  /// Peaks, then levels, then gains of a run; reductions and expansions behind them.
  private let scratch: UnsafeMutablePointer<SIMD4<Float>>

  /// Allocates. Context: control.
  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    parameters = setup.parameters
    lookAhead = Int((setup.state.seconds * sampleRate).rounded())
    lines = ChannelDelayLines(
      channelCount: lookAhead > 0 ? channelCount : 0,
      maximumDelay: lookAhead + ControlClock.interval)
    let glide = ParameterGlide(sampleRate: sampleRate)
    glides = (glide, glide, glide, glide)
    overallGain = glide
    compression = CompressionFollower(sampleRate: sampleRate)
    detector = LevelDetector(sampleRate: sampleRate, seconds: 0.01 + setup.state.seconds)
    let lanes = ControlClock.interval / 4 * 3
    unsafe scratch = .allocate(capacity: lanes)
    unsafe scratch.initialize(repeating: .zero, count: lanes)
  }

  deinit { unsafe scratch.deallocate() }

  /// Forgets the past. Context: control or render.
  @_noLocks mutating func reset() {
    clock.reset()
    glides.0.reset()
    glides.1.reset()
    glides.2.reset()
    glides.3.reset()
    overallGain.reset()
    detector.reset()
    lines.reset()
    compression.reset()
    expansion = 0
  }

  /// The look-ahead. Context: control.
  var latencyFrames: Int { lookAhead }

  /// Nothing is left once the gain and the meters are back where silence has them; an expander that
  /// is open has more to close.
  var restSeconds: Double {
    @_noLocks get {
      let isAtRest =
        compression.value == 0 && expansion == 0 && detector.level < LevelDetector.inaudible
        && !curve.expands
      return isAtRest && overallGain.isSettled ? 0 : .infinity
    }
  }

  /// Processes one slice in place. Context: render.
  @_noLocks mutating func process(_ slice: RenderSlice) {
    compression.setTimes(attack: parameters.attackTime, release: parameters.releaseTime)
    if slice.hasScheduledValues { applyScheduled(slice) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { updateCurve() }
      let run = lines.contiguous(
        clock.run(of: slice.frameCount - frame, isMoving: true), delay: lookAhead)
      process(slice, frame, run)
      clock.advance(run)
      if clock.isAtGridPoint { detector.endInterval() }
      frame += run
    }
    updateMeters()
  }

  @_noLocks private mutating func updateCurve() {
    glides.0.advance(toward: parameters.threshold)
    glides.1.advance(toward: parameters.headroom)
    glides.2.advance(toward: parameters.expansionRatio)
    glides.3.advance(toward: parameters.expansionThreshold)
    overallGain.advance(toward: parameters.overallGain)
    setCurve()
  }

  /// Applies the values that are scheduled for this slice at once.
  @_noLocks private mutating func applyScheduled(_ slice: borrowing RenderSlice) {
    _ = Self.applyScheduled(slice, parameters.$overallGain, &overallGain)
    var moved = Self.applyScheduled(slice, parameters.$threshold, &glides.0)
    moved = Self.applyScheduled(slice, parameters.$headroom, &glides.1) || moved
    moved = Self.applyScheduled(slice, parameters.$expansionRatio, &glides.2) || moved
    moved = Self.applyScheduled(slice, parameters.$expansionThreshold, &glides.3) || moved
    if moved { setCurve() }
  }

  /// Applies the value of one parameter at once if it is scheduled; returns whether it is.
  @_noLocks private static func applyScheduled(
    _ slice: borrowing RenderSlice, _ parameter: ParameterHandle, _ glide: inout ParameterGlide
  ) -> Bool {
    guard parameter.isScheduled(in: slice) else { return false }
    glide.jump(to: parameter.value)
    return true
  }

  @_noLocks private mutating func setCurve() {
    curve.threshold = glides.0.value
    curve.headroom = max(0.1, glides.1.value)
    curve.ratio = glides.2.value
    curve.expansionThreshold = glides.3.value
    curve.findSilentLevel()
  }

  @_noLocks private mutating func process(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    let levels = unsafe UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Float.self)
    let reductions = unsafe levels + ControlClock.interval
    let expansions = unsafe reductions + ControlClock.interval
    unsafe gatherPeaks(slice, frame, count, levels)
    unsafe detector.process(levels, count)
    let endsInterval = clock.phase + count == ControlClock.interval
    let expands = curve.expands
    // Levels only rise within a run: below the threshold to the end, nothing is to be compressed.
    let compresses = unsafe levels[count - 1] > curve.silentLevel
    let isStill = !compresses && compression.value == 0 && !expands && expansion == 0
    if isStill {
      unsafe SampleRun.clear(reductions, count)
    } else if compresses {
      unsafe AuricleCompression(levels, reductions, count, curve.threshold, curve.headroom)
      unsafe compression.follow(reductions, count, endsInterval: endsInterval)
    } else {
      unsafe compression.fall(reductions, count, endsInterval: endsInterval)
    }
    if expands || expansion != 0 {
      if expands { unsafe expand(levels, expansions, count) }
      unsafe addExpansion(reductions, expansions, count, expands)
    }
    if lookAhead > 0 { delay(slice, frame, count) }
    if isStill, overallGain.start == 0, overallGain.slope == 0 { return }
    unsafe AuricleReducedGains(
      reductions, levels, count, overallGain.start, overallGain.slope, clock.phase)
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      for index in 0..<count { unsafe audio[index] *= levels[index] }
    }
  }

  /// Replaces the input by the input of a look-ahead before.
  @_noLocks private mutating func delay(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      unsafe SampleRun.copy(audio, to: lines.writePointer(channel), count)
      unsafe SampleRun.copy(lines.readPointer(channel, delay: lookAhead), to: audio, count)
    }
    lines.advance(count)
  }

  @_noLocks private func expand(
    _ levels: UnsafePointer<Float>, _ expansions: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<((count + 3) / 4) {
      let level = unsafe Self.decibels(SampleRun.four(levels + 4 * index))
      unsafe SampleRun.setFour(expansions + 4 * index, curve.expansion(level))
    }
  }

  /// The highest magnitude at each frame of all channels, or of the side chain where one is fed.
  @_noLocks private func gatherPeaks(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int, _ peaks: UnsafeMutablePointer<Float>
  ) {
    let isKeyed = slice.inputHasSource(bus: 1)
    let sources = isKeyed ? slice.inputChannelCount(bus: 1) : channelCount
    for channel in 0..<sources {
      let bus = isKeyed ? 1 : 0
      let audio = unsafe slice.input(bus: bus, channel: channel) + frame
      if channel == 0 {
        for index in 0..<count { unsafe peaks[index] = audio[index].magnitude }
      } else {
        for index in 0..<count {
          let magnitude = unsafe audio[index].magnitude
          unsafe peaks[index] = magnitude > peaks[index] ? magnitude : peaks[index]
        }
      }
    }
  }

  /// Levels in decibels, not below −160.
  @inline(__always) @_noLocks private static func decibels(_ gain: SIMD4<Float>) -> SIMD4<Float> {
    VectorMath.log2(VectorMath.maximum(gain, SIMD4(repeating: 1e-8))) * SIMD4(repeating: octave)
  }

  /// Follows the expansions, which open with the attack and close with the release; adds them.
  @_noLocks private mutating func addExpansion(
    _ reductions: UnsafeMutablePointer<Float>, _ expansions: UnsafePointer<Float>, _ count: Int,
    _ expands: Bool
  ) {
    var value = expansion
    let (attack, release) = (compression.attack, compression.release)
    for index in 0..<count {
      let distance = (expands ? unsafe expansions[index] : 0) - value
      let opens = value + distance * attack
      let closes = value + distance * release
      value = distance < 0 ? opens : closes
      unsafe reductions[index] += value
    }
    expansion = CompressionFollower.settled(
      value, clock.phase + count == ControlClock.interval)
  }

  @_noLocks private func updateMeters() {
    let level = max(Self.decibels(SIMD4(repeating: detector.level))[0], -120)
    parameters.compressionAmount = compression.value
    parameters.inputAmplitude = min(level, 40)
    let output = level + overallGain.value - compression.value - expansion
    parameters.outputAmplitude = level <= -120 ? -120 : min(max(output, -120), 40)
  }
}
