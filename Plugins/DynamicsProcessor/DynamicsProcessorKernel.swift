// The DSP of the dynamics processor.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

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
  /// Peaks, then levels, then gains of a run; expansions behind them.
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
    updateTimes(slice.parameter(4), slice.parameter(5))
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
    glides.0.advance(toward: slice.parameter(0))
    glides.1.advance(toward: slice.parameter(1))
    glides.2.advance(toward: slice.parameter(2))
    glides.3.advance(toward: slice.parameter(3))
    overallGain.advance(toward: slice.parameter(6))
    curve.threshold = glides.0.value
    curve.headroom = max(0.1, glides.1.value)
    curve.ratio = glides.2.value
    curve.expansionThreshold = glides.3.value
  }

  @_noLocks private mutating func process(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    let vectors = (count + 3) / 4
    let targets = unsafe scratch + ControlClock.interval / 4
    let expansions = unsafe targets + ControlClock.interval / 4
    let levels = unsafe UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: Float.self)
    unsafe gatherPeaks(slice, frame, count, levels)
    unsafe detector.process(levels, count)
    let expands = curve.expands
    for index in 0..<vectors {
      let level = unsafe Self.decibels(scratch[index])
      unsafe targets[index] = curve.compression(level)
      unsafe expansions[index] = expands ? curve.expansion(level) : .zero
    }
    unsafe smooth(
      UnsafeMutableRawPointer(targets).assumingMemoryBound(to: Float.self),
      UnsafeMutableRawPointer(expansions).assumingMemoryBound(to: Float.self), count)
    for index in 0..<vectors {
      let first = Float(clock.phase + 4 * index)
      let lane = SIMD4<Float>(first, first + 1, first + 2, first + 3)
      let gain =
        SIMD4(repeating: overallGain.start) + SIMD4(repeating: overallGain.slope) * lane
        - (unsafe targets[index])
      unsafe scratch[index] = VectorMath.exp2(gain * SIMD4(repeating: 1 / Self.octave))
    }
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      for index in 0..<count { unsafe audio[index] *= levels[index] }
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

  /// Follows the targets with attack and release; the sum of both reductions replaces the first.
  @_noLocks private mutating func smooth(
    _ compressions: UnsafeMutablePointer<Float>, _ expansions: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    var compression = self.compression
    var expansion = self.expansion
    for index in 0..<count {
      let wantsCompression = unsafe compressions[index]
      let wantsExpansion = unsafe expansions[index]
      compression +=
        (wantsCompression - compression) * (wantsCompression > compression ? attack : release)
      expansion += (wantsExpansion - expansion) * (wantsExpansion < expansion ? attack : release)
      unsafe compressions[index] = compression + expansion
    }
    // What is far below hearing is nothing, so that the gain comes back to exactly 1.
    self.compression =
      compression < 1e-6 && clock.phase + count == ControlClock.interval
      ? 0 : compression
    self.expansion =
      expansion < 1e-6 && clock.phase + count == ControlClock.interval
      ? 0 : expansion
  }

  @_noLocks private func updateMeters(_ slice: borrowing RenderSlice) {
    let level = max(Self.decibels(SIMD4(repeating: detector.level))[0], -120)
    slice.setMeter(7, compression)
    slice.setMeter(8, min(level, 40))
    let output = level + overallGain.value - compression - expansion
    slice.setMeter(9, level <= -120 ? -120 : min(max(output, -120), 40))
  }
}
