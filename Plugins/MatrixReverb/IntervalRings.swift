// Rings of samples that move on by one interval of the control clock at a time.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Delay lines of one size, read and written in runs that never cross an interval.
///
/// The first frames are kept twice, at the start and behind the end. So a run of an interval and a few
/// frames more is read anywhere without a check for the wrap.
///
/// A ring uses no more of its memory than its delays need, so that it stays in the processor's caches.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct IntervalRings: ~Copyable {
  /// Frames that a run may write behind its end.
  private static var spill: Int {
    @_noLocks get { 8 }
  }
  /// Frames kept twice.
  private static var pad: Int {
    @_noLocks get { 64 }
  }

  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let room: Int
  private let stride: Int
  /// Frames that are used of the room.
  private var size: Int
  private var base = 0
  private var isFresh = true

  /// Allocates silent rings. Context: control.
  init(count: Int, maximumDelay: Int) {
    self.count = count
    room = Self.frames(maximumDelay)
    size = room
    // An odd number of cache lines, so that the rings do not compete for the same ones.
    stride = ((room + Self.pad + 15) / 16 | 1) * 16
    unsafe memory = .allocateSilence(capacity: count * stride)
  }

  deinit { unsafe memory.deallocate() }

  /// Frames of a ring for delays up to one.
  @_noLocks private static func frames(_ maximumDelay: Int) -> Int {
    (maximumDelay + 160) / ControlClock.interval * ControlClock.interval
  }

  /// Fills the rings with silence.
  @_noLocks mutating func reset() {
    unsafe SampleRun.clear(memory, count * stride)
    base = 0
    isFresh = true
  }

  /// Makes the rings reach back as far as a delay: as far as that from a reset on, later all the way.
  @_noLocks mutating func reach(_ delay: Int) {
    let wanted = min(Self.frames(delay), room)
    if isFresh { size = wanted }
    guard wanted > size else { return }
    // Samples older than the present interval move to the end of the longer ring, without the last run's extra
    // samples over the oldest of it.
    let (kept, gained) = (size - base, room - size)
    for ring in 0..<count {
      let old = unsafe memory + (ring * stride + base)
      unsafe SampleRun.clear(old, Self.spill)
      unsafe SampleCopy.copy(from: old, to: old + gained, count: kept)
      unsafe SampleRun.clear(old, min(gained, kept + Self.pad))
      unsafe SampleRun.copy(memory + ring * stride, to: memory + (ring * stride + room), Self.pad)
    }
    size = room
  }

  /// Frames of a ring, `delay` before those of this interval that begin at `phase`.
  @inline(__always) @_noLocks func read(_ ring: Int, delay: Int, phase: Int)
    -> UnsafeMutablePointer<Float>
  {
    var index = base &+ phase &- delay
    if index < 0 { index &+= size }
    return unsafe memory + (ring &* stride &+ index)
  }

  /// Returns the place of this interval's frames that begin at `phase`.
  @inline(__always) @_noLocks func write(_ ring: Int, phase: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (ring &* stride &+ base &+ phase)
  }

  /// Updates the second copy of written samples; to be called after each run.
  @_noLocks mutating func finishRun(phase: Int, count frames: Int) {
    guard base < Self.pad else { return }
    for ring in 0..<count {
      let first = unsafe write(ring, phase: phase)
      unsafe SampleRun.copy(first, to: first + size, frames)
    }
  }

  /// Moves on to the next interval.
  @_noLocks mutating func advance() {
    isFresh = false
    base += ControlClock.interval
    if base >= size { base = 0 }
  }
}
