// The step of a two-pole filter whose coefficients move during an interval of the control clock.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// Coefficients that go in a straight line, frame by frame, from those of one grid point to those of the next.
///
/// Between two sets that keep the filter bounded lie only such sets. With a `StateVariableBank` and a clock:
///
/// ```swift
/// if clock.isAtGridPoint {
///   if cutoff.advance(toward: parameters.cutoff) {
///     step.advance(
///       to: .lowPass(frequency: Double(cutoff.value), q: 0.7071, sampleRate: sampleRate))
///   } else {
///     step.rest()
///   }
/// }
/// let run = clock.run(of: slice.frameCount - frame, isMoving: true)
/// bank.process(slice, from: frame, count: run, phase: clock.phase, step)
/// ```
///
/// Context: render.
public struct MovingFilterStep: Sendable {
  private var end = StateVariableCoefficients()
  /// The way of the interval.
  private var way = AuricleMovingFilter()
  /// The step at the end of the interval.
  private var last = StateVariableStep(StateVariableCoefficients())
  private var isMoving = false

  /// Makes coefficients that pass everything, at rest. Context: any.
  @_noLocks public init() {}

  /// Jumps to coefficients: after a reset, and for values that the host scheduled.
  @_noLocks public mutating func jump(to coefficients: StateVariableCoefficients) {
    end = coefficients
    last = StateVariableStep(coefficients)
    isMoving = false
  }

  /// Begins an interval that ends with other coefficients, at a grid point.
  ///
  /// - Parameter coefficients: Those at the end of the interval, 32 frames from now.
  @_noLocks public mutating func advance(to coefficients: StateVariableCoefficients) {
    way = AuricleMovingFilter(
      start: end.plain, end: coefficients.plain, slope: 1 / Double(ControlClock.interval))
    end = coefficients
    last = StateVariableStep(coefficients)
    isMoving = true
  }

  /// Begins an interval in which nothing moves; it costs less than an `advance(to:)` to the same coefficients.
  @_noLocks public mutating func rest() { isMoving = false }

  /// Returns the number of frames until free ringing has fallen by `decibels`, at the end of the interval.
  @_noLocks func decayFrames(decibels: Double) -> Double { end.decayFrames(decibels: decibels) }

  /// Filters rows in place.
  @_noLocks func run(
    _ bank: inout StateVariableBank, _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ rowCount: Int, from frame: Int, count: Int, phase: Int
  ) {
    let moving = isMoving ? min(count, ControlClock.interval - phase) : 0
    if moving > 0 {
      unsafe bank.process(rows, rowCount, from: frame, count: moving, phase: phase, way)
    }
    if moving < count {
      unsafe bank.process(rows, rowCount, from: frame + moving, count: count - moving, last)
    }
  }
}

extension StateVariableBank {
  /// Filters frames of every channel of a slice in place; where the step moves they are frames of one interval, from
  /// `phase` on.
  ///
  /// - Parameters:
  ///   - slice: The slice, with as many channels as the bank.
  ///   - frame: First frame.
  ///   - count: Frames; at most up to the next grid point where the step moves.
  ///   - phase: Frames into the interval, `ControlClock.phase`.
  ///   - moving: The coefficients.
  @_noLocks public mutating func process(
    _ slice: borrowing RenderSlice, from frame: Int, count: Int, phase: Int,
    _ moving: borrowing MovingFilterStep
  ) {
    unsafe process(
      slice.outputs, slice.channelCount, from: slice.frameOffset + frame, count: count,
      phase: phase, moving)
  }

  /// Filters frames of rows in place, one a channel of the bank; otherwise the same.
  @_noLocks public mutating func process(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ rowCount: Int,
    from frame: Int, count: Int, phase: Int, _ moving: borrowing MovingFilterStep
  ) {
    unsafe moving.run(&self, rows, rowCount, from: frame, count: count, phase: phase)
  }
}

extension StateVariableCoefficients {
  /// The coefficients as the loops have them.
  fileprivate var plain: AuricleFilterCoefficients {
    @_noLocks get {
      AuricleFilterCoefficients(
        a11: a11, a12: a12, b1: b1, a21: a21, a22: a22, b2: b2, c1: c1, c2: c2, d: d)
    }
  }
}
