// The part of the sound's duration that a graph spends on rendering it.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport
import Synchronization

/// A meter of the busy time of cycles, in ticks a frame.
///
/// Reading the clock costs more than a light unit. Every cycle is measured for a while after the
/// start and after each question, and one of sixty-four when nobody has asked for long.
struct CycleMeter: ~Copyable {
  /// Cycles that are measured one by one after a question: a minute and a half of 1024 frames each.
  private static let attention = 4096
  private static let period = 64

  /// A moving mean, and the greatest since it was asked for.
  private let mean = Atomic<Double>(0)
  private let greatest = Atomic<Double>(0)
  private let wasAsked = Atomic<Bool>(true)
  // For the render thread alone.
  /// Cycles up to the next one that is measured, and how many follow it one by one.
  private var countdown = 0
  private var following = 0
  /// The slice size measured last, and one over it.
  private var measuredFrames = 0
  private var perFrame = 0.0

  init() {}

  /// Begins a cycle; its result, unless it is 0, goes to `end`. Context: render.
  @_noLocks @inline(__always) mutating func begin() -> UInt64 {
    if countdown > 0 {
      countdown &-= 1
      return 0
    }
    return beginMeasured()
  }

  @_noLocks @inline(never) private mutating func beginMeasured() -> UInt64 {
    if wasAsked.load(ordering: .relaxed) {
      wasAsked.store(false, ordering: .relaxed)
      following = Self.attention
    }
    if following > 0 {
      following &-= 1
    } else {
      countdown = Self.period - 1
    }
    return RenderClock.ticks()
  }

  /// Ends a cycle of so many frames. Context: render.
  @_noLocks @inline(never) mutating func end(_ start: UInt64, _ frameCount: Int) {
    let ticks = RenderClock.ticks() &- start
    guard frameCount > 0 else { return }
    // A division is slower than all the rest: one for each slice size will do.
    if measuredFrames != frameCount {
      measuredFrames = frameCount
      perFrame = 1 / Double(frameCount)
    }
    let load = Double(Int64(truncatingIfNeeded: ticks)) * perFrame
    let before = mean.load(ordering: .relaxed)
    mean.store(before == 0 ? load : before + (load - before) * 0.05, ordering: .relaxed)
    if load > greatest.load(ordering: .relaxed) { greatest.store(load, ordering: .relaxed) }
  }

  /// The moving mean. Context: control.
  func readMean() -> Double {
    wasAsked.store(true, ordering: .relaxed)
    return mean.load(ordering: .relaxed)
  }

  /// The greatest since it was asked for last. Context: control.
  func resetGreatest() -> Double {
    wasAsked.store(true, ordering: .relaxed)
    return greatest.exchange(0, ordering: .relaxed)
  }

  /// Forgets all. Context: control, while nothing renders.
  mutating func reset() {
    mean.store(0, ordering: .relaxed)
    greatest.store(0, ordering: .relaxed)
    wasAsked.store(true, ordering: .relaxed)
    countdown = 0
  }
}
