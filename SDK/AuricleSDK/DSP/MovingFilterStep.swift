// The step of a two-pole filter whose coefficients move during an interval of the control clock.
// SPDX-License-Identifier: Apache-2.0

/// Coefficients that go in a straight line from those of one grid point to those of the next.
///
/// Between two sets that keep the filter bounded lie only such sets.
///
/// Context: render.
public struct MovingFilterStep: Sendable {
  private var start = StateVariableCoefficients()
  private var end = StateVariableCoefficients()
  /// The step at the end of the interval.
  private var last = StateVariableStep(StateVariableCoefficients())
  private var isMoving = false

  /// Passes everything.
  @_noLocks public init() {}

  /// Takes coefficients at once.
  @_noLocks public mutating func jump(to coefficients: StateVariableCoefficients) {
    start = coefficients
    end = coefficients
    last = StateVariableStep(coefficients)
    isMoving = false
  }

  /// Begins an interval that ends with other coefficients.
  @_noLocks public mutating func advance(to coefficients: StateVariableCoefficients) {
    start = end
    end = coefficients
    last = StateVariableStep(coefficients)
    isMoving = true
  }

  /// Begins an interval in which nothing moves.
  @_noLocks public mutating func rest() { isMoving = false }

  /// The frames in which one step holds.
  private static var group: Int { @_noLocks get { 4 } }

  /// How many frames one step holds for from a place in the interval on, and that step.
  @_noLocks func step(at phase: Int, of count: Int) -> (frames: Int, step: StateVariableStep) {
    let done = (phase / Self.group + 1) * Self.group
    guard isMoving, done < ControlClock.interval else { return (count, last) }
    let part = Double(done) / Double(ControlClock.interval)
    return (min(count, done - phase), StateVariableStep(start.moved(part, to: end)))
  }
}

extension StateVariableBank {
  /// Filters frames of every channel of a slice in place; where the step moves they are frames of one interval, from
  /// `phase` on.
  @_noLocks public mutating func process(
    _ slice: borrowing RenderSlice, from frame: Int, count: Int, phase: Int,
    _ moving: borrowing MovingFilterStep
  ) {
    var done = 0
    while done < count {
      let (frames, step) = moving.step(at: phase + done, of: count - done)
      process(slice, from: frame + done, count: frames, step)
      done += frames
    }
  }
}

extension StateVariableCoefficients {
  /// What lies between these and others; a part of 1 is the others.
  @_noLocks func moved(_ part: Double, to other: StateVariableCoefficients)
    -> StateVariableCoefficients
  {
    func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * part }
    var result = self
    result.a11 = between(a11, other.a11)
    result.a12 = between(a12, other.a12)
    result.b1 = between(b1, other.b1)
    result.a21 = between(a21, other.a21)
    result.a22 = between(a22, other.a22)
    result.b2 = between(b2, other.b2)
    result.c1 = between(c1, other.c1)
    result.c2 = between(c2, other.c2)
    result.d = between(d, other.d)
    return result
  }
}
