// The DSP of the dynamics processor.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CRealtime
import RealtimeSupport

/// The parameters, in the order of the definition.
extension ParameterIndex {
  static var threshold: Self { @_noLocks get { Self(0) } }
  static var headroom: Self { @_noLocks get { Self(1) } }
  static var expansionRatio: Self { @_noLocks get { Self(2) } }
  static var expansionThreshold: Self { @_noLocks get { Self(3) } }
  static var attackTime: Self { @_noLocks get { Self(4) } }
  static var releaseTime: Self { @_noLocks get { Self(5) } }
  static var overallGain: Self { @_noLocks get { Self(6) } }
  static var compressionAmount: Self { @_noLocks get { Self(7) } }
  static var inputAmplitude: Self { @_noLocks get { Self(8) } }
  static var outputAmplitude: Self { @_noLocks get { Self(9) } }
}

/// A compressor and expander with one gain for all channels.
///
/// Its level is that of its own channels, or of the side chain (input bus 1) where one is fed.
///
/// The static curve (`StaticCurve`) gives a reduction for the level (`LevelDetector`). Compression
/// rises with the attack time and falls with the release time; expansion falls (opens) with the
/// attack time and rises (closes) with the release time: time constants, in decibels. Without a
/// reduction and at 0 dB overall gain the output is the input, bit for bit.
@safe public struct DynamicsProcessorKernel: UnitKernel, ~Copyable {
  /// Decibels in a doubling.
  private static var octave: Float { 6.0206 }

  private let sampleRate: Double
  private let channelCount: Int
  private var clock = ControlClock()
  private var glides: (ParameterGlide, ParameterGlide, ParameterGlide, ParameterGlide)
  private var overallGain: ParameterGlide
  private var curve = StaticCurve()
  private var detector: LevelDetector
  private var attackTime: Float = -1
  private var releaseTime: Float = -1
  private var attack: Float = 1
  private var release: Float = 1
  private var compression: Float = 0
  private var expansion: Float = 0
  /// Peaks, then levels, then gains of a run; reductions and expansions behind them.
  private let scratch: UnsafeMutablePointer<SIMD4<Float>>

  /// Allocates. Context: control.
  public init(_ format: RenderFormat) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    let glide = ParameterGlide(sampleRate: sampleRate)
    glides = (glide, glide, glide, glide)
    overallGain = glide
    detector = LevelDetector(sampleRate: sampleRate)
    let lanes = ControlClock.interval / 4 * 3
    unsafe scratch = .allocate(capacity: lanes)
    unsafe scratch.initialize(repeating: .zero, count: lanes)
  }

  deinit { unsafe scratch.deallocate() }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    glides.0.reset()
    glides.1.reset()
    glides.2.reset()
    glides.3.reset()
    overallGain.reset()
    detector.reset()
    compression = 0
    expansion = 0
  }

  /// Nothing is left once the gain and the meters are back where silence has them; an expander that
  /// is open has more to close.
  public var restSeconds: Double {
    @_noLocks get {
      let isAtRest = compression == 0 && expansion == 0 && detector.level == 0 && !curve.expands
      return isAtRest && overallGain.isSettled ? 0 : .infinity
    }
  }

  /// Processes one slice in place. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    updateTimes(slice[.attackTime], slice[.releaseTime])
    if slice.hasScheduledValues { applyScheduled(slice) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { updateCurve(slice) }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      process(slice, frame, run)
      clock.advance(run)
      if clock.isAtGridPoint { detector.endInterval() }
      frame += run
    }
    updateMeters(slice)
  }

  @_noLocks private mutating func updateTimes(_ newAttack: Float, _ newRelease: Float) {
    if newAttack != attackTime {
      attackTime = newAttack
      attack = Float(
        FollowerRate.rate(seconds: Double(newAttack), sampleRate: sampleRate))
    }
    if newRelease != releaseTime {
      releaseTime = newRelease
      release = Float(
        FollowerRate.rate(seconds: Double(newRelease), sampleRate: sampleRate))
    }
  }

  @_noLocks private mutating func updateCurve(_ slice: borrowing RenderSlice) {
    glides.0.advance(toward: slice[.threshold])
    glides.1.advance(toward: slice[.headroom])
    glides.2.advance(toward: slice[.expansionRatio])
    glides.3.advance(toward: slice[.expansionThreshold])
    overallGain.advance(toward: slice[.overallGain])
    setCurve()
  }

  /// Applies the values that are scheduled for this slice at once.
  @_noLocks private mutating func applyScheduled(_ slice: borrowing RenderSlice) {
    _ = Self.applyScheduled(slice, .overallGain, &overallGain)
    var moved = Self.applyScheduled(slice, .threshold, &glides.0)
    moved = Self.applyScheduled(slice, .headroom, &glides.1) || moved
    moved = Self.applyScheduled(slice, .expansionRatio, &glides.2) || moved
    moved = Self.applyScheduled(slice, .expansionThreshold, &glides.3) || moved
    if moved { setCurve() }
  }

  /// Applies the value of one parameter at once if it is scheduled; returns whether it is.
  @_noLocks private static func applyScheduled(
    _ slice: borrowing RenderSlice, _ parameter: ParameterIndex, _ glide: inout ParameterGlide
  ) -> Bool {
    guard slice.parameterIsScheduled(parameter) else { return false }
    glide.jump(to: slice[parameter])
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
    let expands = curve.expands
    // Levels only rise within a run: below the threshold to the end, nothing is to be compressed.
    let compresses = unsafe levels[count - 1] > curve.silentLevel
    let isStill = !compresses && compression == 0 && !expands && expansion == 0
    if isStill {
      unsafe SampleRun.clear(reductions, count)
    } else if compresses {
      unsafe AuricleCompression(levels, reductions, count, curve.threshold, curve.headroom)
      unsafe smoothCompression(reductions, count)
    } else {
      unsafe releaseCompression(reductions, count)
    }
    if expands || expansion != 0 {
      if expands { unsafe expand(levels, expansions, count) }
      unsafe addExpansion(reductions, expansions, count, expands)
    }
    if isStill, overallGain.start == 0, overallGain.slope == 0 { return }
    unsafe AuricleReducedGains(
      reductions, levels, count, overallGain.start, overallGain.slope, clock.phase)
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      for index in 0..<count { unsafe audio[index] *= levels[index] }
    }
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

  /// Follows the reductions with attack and release.
  @_noLocks private mutating func smoothCompression(
    _ reductions: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var value = compression
    let (attack, release) = (self.attack, self.release)
    let (attackKeeps, releaseKeeps) = (1 - attack, 1 - release)
    // The rate is the attack's while the reduction rises, else the release's. The faster one goes
    // further: the larger result is the right one where the attack is the shorter time, both ways.
    if attack >= release {
      for index in 0..<count {
        let wanted = unsafe reductions[index]
        let up = value * attackKeeps + wanted * attack
        let down = value * releaseKeeps + wanted * release
        value = up > down ? up : down
        unsafe reductions[index] = value
      }
    } else {
      for index in 0..<count {
        let wanted = unsafe reductions[index]
        let up = value * attackKeeps + wanted * attack
        let down = value * releaseKeeps + wanted * release
        value = up < down ? up : down
        unsafe reductions[index] = value
      }
    }
    compression = settled(value, count)
  }

  /// The same where nothing is to be compressed.
  @_noLocks private mutating func releaseCompression(
    _ reductions: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var value = compression
    let keeps = 1 - release
    for index in 0..<count {
      value *= keeps
      unsafe reductions[index] = value
    }
    compression = settled(value, count)
  }

  /// Follows the expansions, which open with the attack and close with the release; adds them.
  @_noLocks private mutating func addExpansion(
    _ reductions: UnsafeMutablePointer<Float>, _ expansions: UnsafePointer<Float>, _ count: Int,
    _ expands: Bool
  ) {
    var value = expansion
    let (attack, release) = (self.attack, self.release)
    for index in 0..<count {
      let distance = (expands ? unsafe expansions[index] : 0) - value
      let opens = value + distance * attack
      let closes = value + distance * release
      value = distance < 0 ? opens : closes
      unsafe reductions[index] += value
    }
    expansion = settled(value, count)
  }

  /// What is far below hearing is nothing, so that the gain comes back to exactly 1.
  @_noLocks private func settled(_ reduction: Float, _ count: Int) -> Float {
    reduction < 1e-6 && clock.phase + count == ControlClock.interval ? 0 : reduction
  }

  @_noLocks private func updateMeters(_ slice: borrowing RenderSlice) {
    let level = max(Self.decibels(SIMD4(repeating: detector.level))[0], -120)
    slice.setMeter(.compressionAmount, compression)
    slice.setMeter(.inputAmplitude, min(level, 40))
    let output = level + overallGain.value - compression - expansion
    slice.setMeter(.outputAmplitude, level <= -120 ? -120 : min(max(output, -120), 40))
  }
}
