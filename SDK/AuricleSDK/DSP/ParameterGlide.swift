// A parameter that moves to each new value in a straight line, on the grid of a ControlClock.
// SPDX-License-Identifier: Apache-2.0

/// One smoothed control value.
///
/// `advance(toward:)` is called at grid points. The value then lies on a line from the old value to the
/// target, which it reaches exactly after the glide time; a new target starts a new line. The first target
/// after `reset()` is reached at once.
///
/// Context: render.
@frozen public struct ParameterGlide: Sendable {
  /// Value at the end of the current interval.
  public private(set) var value: Float = 0
  /// Value at the beginning of the current interval.
  public private(set) var start: Float = 0
  /// Change per frame during the current interval; zero when settled.
  public private(set) var slope: Float = 0
  private var target: Float = 0
  private var stepsLeft: Int32 = 0
  private let stepCount: Int32
  private var isFresh = true

  /// Makes a value that reaches a new target in `seconds`.
  public init(sampleRate: Double, seconds: Double = 0.02) {
    let steps = (seconds * sampleRate / Double(ControlClock.interval)).rounded()
    stepCount = Int32(max(1, min(steps, 100_000)))
  }

  /// Whether the value was at its target during the whole interval.
  public var isSettled: Bool {
    @_noLocks get { stepsLeft == 0 && slope == 0 && !isFresh }
  }

  /// Returns the value some frames into the current interval.
  @inlinable @_noLocks public func value(at phase: Int) -> Float {
    // Through 32 bits, so that loops over frames vectorise.
    start + slope * Float(Int32(truncatingIfNeeded: phase))
  }

  /// Jumps to the next target.
  @_noLocks public mutating func reset() { isFresh = true }

  /// Sets the value at rest.
  @_noLocks public mutating func jump(to newValue: Float) {
    value = newValue
    start = newValue
    target = newValue
    stepsLeft = 0
    slope = 0
    isFresh = false
  }

  /// Begins the next interval.
  ///
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
