// The losses of a network's lines in a pass, and the way to other losses.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime

/// A low-pass of one pole for each line, whose poles and gains move in straight lines.
///
/// Context: made and freed on a control thread, otherwise render.
@safe struct LineLosses: ~Copyable {
  private static var count: Int {
    @_noLocks get { FeedbackDelayNetwork.maximumLineCount }
  }

  /// States; poles and gains now, where they move to, and their changes in a frame: a row of lines each.
  private let memory: UnsafeMutablePointer<Float>
  private var stepsLeft = 0
  private var isFresh = true

  /// Makes losses of everything. Context: control.
  init() {
    unsafe memory = .allocate(capacity: 7 * Self.count)
    unsafe memory.initialize(repeating: 0, count: 7 * Self.count)
  }

  deinit { unsafe memory.deallocate() }

  @inline(__always) @_noLocks private func row(_ number: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + number &* Self.count
  }

  /// Jumps to the next losses.
  @_noLocks mutating func reset() {
    clear()
    isFresh = true
  }

  /// Forgets the past of the lines.
  @_noLocks mutating func clear() {
    for line in 0..<Self.count { unsafe memory[line] = 0 }
  }

  /// Sets where a line's pole and gain move to.
  @_noLocks mutating func set(_ line: Int, pole: Float, gain: Float) {
    unsafe row(3)[line] = pole
    unsafe row(4)[line] = gain
  }

  /// Moves to the set losses in so many intervals.
  @_noLocks mutating func move(intervals: Int) { stepsLeft = max(intervals, 1) }

  /// Begins an interval.
  @_noLocks mutating func beginInterval() {
    guard stepsLeft > 0 else { return }
    if isFresh {
      isFresh = false
      stepsLeft = 0
      for index in 0..<(2 * Self.count) { unsafe row(1)[index] = row(3)[index] }
      return
    }
    let part = 1 / Float(stepsLeft * ControlClock.interval)
    for index in 0..<(2 * Self.count) {
      unsafe row(5)[index] = (row(3)[index] - row(1)[index]) * part
    }
  }

  /// Ends an interval.
  @_noLocks mutating func endInterval() {
    guard stepsLeft > 0 else { return }
    stepsLeft -= 1
    for index in 0..<(2 * Self.count) {
      let moved = unsafe row(1)[index] + row(5)[index] * Float(ControlClock.interval)
      unsafe row(1)[index] = stepsLeft == 0 ? row(3)[index] : moved
      unsafe row(5)[index] = 0
    }
  }

  /// Whether poles and gains change in this interval.
  var isMoving: Bool {
    @_noLocks get { stepsLeft > 0 }
  }

  /// The lines in the form of the loops; the caller passes whether any network's losses change.
  @_noLocks func lines(
    from sources: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    to outputs: UnsafeMutablePointer<Float>, changing: Bool
  ) -> AuricleDampedLines {
    unsafe AuricleDampedLines(
      sources: sources, outputs: outputs, states: memory, poles: row(1), gains: row(2),
      poleChanges: changing ? row(5) : nil, gainChanges: changing ? row(6) : nil)
  }
}
