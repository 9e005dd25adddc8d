// A parameter that moves to each new value in a straight line, on the grid of a ControlClock.
// SPDX-License-Identifier: Apache-2.0

/// One smoothed control value.
///
/// `advance(toward:)` is called at grid points. The value then lies on a line from the old value to the
/// target, which it reaches exactly after the glide time; a new target starts a new line. The first target
/// after `reset()` is reached at once. Frequencies glide best as logarithms, gains as factors or decibels:
///
/// ```swift
/// if clock.isAtGridPoint {
///   level.advance(toward: RealtimeMath.gain(decibels: parameters.level))
/// }
/// let run = clock.run(of: slice.frameCount - frame, isMoving: true)
/// for index in 0..<run {
///   unsafe audio[index] *= level.value(at: clock.phase + index)
/// }
/// ```
///
/// A parameter of type `Ramp` does the same without a clock; a glide is for values that other work,
/// such as a filter's coefficients, follows. Context: render.
@frozen public struct ParameterGlide: Sendable {
  /// Value at the end of the current interval, in the unit of its targets.
  public private(set) var value: Float = 0
  /// Value at the beginning of the current interval.
  public private(set) var start: Float = 0
  /// Change per frame during the current interval; zero when settled.
  public private(set) var slope: Float = 0
  private var target: Float = 0
  private var stepsLeft: Int32 = 0
  private let stepCount: Int32
  private var isFresh = true

  /// Makes a value that reaches a new target in `seconds`. Context: any.
  ///
  /// - Parameters:
  ///   - sampleRate: Hz.
  ///   - seconds: Time of a glide, 0.02 by default; at 0 it lasts one interval of the clock.
  public init(sampleRate: Double, seconds: Double = 0.02) {
    let steps = (seconds * sampleRate / Double(ControlClock.interval)).rounded()
    stepCount = Int32(max(1, min(steps, 100_000)))
  }

  /// Whether the value was at its target during the whole interval, so that `value` alone describes it.
  public var isSettled: Bool {
    @_noLocks get { stepsLeft == 0 && slope == 0 && !isFresh }
  }

  /// Returns the value some frames into the current interval.
  ///
  /// - Parameter phase: From 0 to `ControlClock.interval` − 1, usually `clock.phase` and an index of the run.
  @inlinable @_noLocks public func value(at phase: Int) -> Float {
    // Through 32 bits, so that loops over frames vectorise.
    start + slope * Float(Int32(truncatingIfNeeded: phase))
  }

  /// Makes the value jump to its next target, as the unit's `reset()` needs it. Context: control or render.
  @_noLocks public mutating func reset() { isFresh = true }

  /// Sets the value at rest, anywhere in an interval: for a value that the host scheduled.
  ///
  /// ```swift
  /// if parameters.$level.isScheduled(in: slice) {
  ///   level.jump(to: RealtimeMath.gain(decibels: parameters.level))
  /// }
  /// ```
  @_noLocks public mutating func jump(to newValue: Float) {
    value = newValue
    start = newValue
    target = newValue
    stepsLeft = 0
    slope = 0
    isFresh = false
  }

  /// Begins the next interval, at a grid point.
  ///
  /// - Parameter newTarget: The wanted value; the same as before continues the line.
  /// - Returns: Whether the value differs from that of the previous interval.
  @_noLocks @discardableResult public mutating func advance(toward newTarget: Float) -> Bool {
    if isFresh {
      isFresh = false
      value = newTarget
      start = newTarget
      target = newTarget
      stepsLeft = 0
      slope = 0
      return true
    }
    start = value
    if newTarget != target {
      target = newTarget
      stepsLeft = stepCount
    }
    guard stepsLeft > 0 else {
      slope = 0
      return false
    }
    value = stepsLeft == 1 ? target : value + (target - value) / Float(stepsLeft)
    stepsLeft -= 1
    slope = (value - start) / Float(ControlClock.interval)
    return true
  }
}
