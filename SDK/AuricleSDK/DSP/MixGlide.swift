// A smoothed equal-power crossfade between a dry and a wet signal.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// Gains of a crossfade, gliding in 20 ms: cosine and sine of a quarter turn.
///
/// The power of dry and wet together stays the same for signals that are not correlated.
///
/// ```swift
/// if clock.isAtGridPoint { mix.advance(toward: parameters.mix) }
/// for index in 0..<run {
///   let phase = clock.phase + index
///   unsafe audio[index] = audio[index] * mix.dry(at: phase) + wet[index] * mix.wet(at: phase)
/// }
/// ```
///
/// The parameter for it has the unit `.equalPowerCrossfade` and the range `0...100`.
///
/// Context: render.
@frozen public struct MixGlide: Sendable {
  private var mix: ParameterGlide
  @usableFromInline var dryStart: Float = 1
  @usableFromInline var drySlope: Float = 0
  @usableFromInline var wetStart: Float = 0
  @usableFromInline var wetSlope: Float = 0

  /// Makes a crossfade that jumps to its first target. Context: control.
  ///
  /// - Parameter sampleRate: Hz.
  public init(sampleRate: Double) { mix = ParameterGlide(sampleRate: sampleRate) }

  /// Whether the gains have reached their targets; they are then the same for every phase.
  public var isSettled: Bool {
    @_noLocks get { mix.isSettled }
  }

  /// Jumps to the next value, as the unit's `reset()` needs it. Context: control or render.
  @_noLocks public mutating func reset() { mix.reset() }

  /// Jumps to a wet part in percent, anywhere in an interval: for a value that the host scheduled.
  ///
  /// - Parameter percent: 0 (dry) to 100 (wet).
  @_noLocks public mutating func jump(to percent: Float) {
    mix.jump(to: percent)
    let gains = Self.gains(percent)
    dryStart = gains.dry
    wetStart = gains.wet
    drySlope = 0
    wetSlope = 0
  }

  /// Begins the next interval of the clock, toward a wet part in percent.
  ///
  /// - Parameter percent: 0 (dry) to 100 (wet). A new one is reached in 20 ms.
  @_noLocks public mutating func advance(toward percent: Float) {
    let wasSettled = mix.isSettled
    mix.advance(toward: percent)
    if wasSettled && mix.isSettled { return }
    let start = Self.gains(mix.start)
    let end = Self.gains(mix.value)
    dryStart = start.dry
    wetStart = start.wet
    let interval = Float(ControlClock.interval)
    drySlope = (end.dry - start.dry) / interval
    wetSlope = (end.wet - start.wet) / interval
  }

  /// Returns the gain of the dry signal some frames into the interval, from 0 to 1.
  ///
  /// - Parameter phase: From 0 to `ControlClock.interval` − 1.
  @inlinable @_noLocks public func dry(at phase: Int) -> Float {
    dryStart + drySlope * Float(Int32(truncatingIfNeeded: phase))
  }

  /// Returns the gain of the wet signal some frames into the interval, from 0 to 1.
  ///
  /// - Parameter phase: From 0 to `ControlClock.interval` − 1.
  @inlinable @_noLocks public func wet(at phase: Int) -> Float {
    wetStart + wetSlope * Float(Int32(truncatingIfNeeded: phase))
  }

  /// Returns the gains of a wet part in percent; exactly 0 and 1 at the ends, both 0.707 at 50. Context: any.
  @_noLocks public static func gains(_ percent: Float) -> (dry: Float, wet: Float) {
    if percent <= 0 { return (1, 0) }
    if percent >= 100 { return (0, 1) }
    let angle = Double(percent) * 0.01 * Double.pi / 2
    return (Float(RealtimeMath.cos(angle)), Float(RealtimeMath.sin(angle)))
  }
}
