// Rings of samples that move on by one interval of the control clock at a time.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Delay lines of one size, read and written in runs that never cross an interval.
///
/// The first frames are kept twice, at the start and behind the end, so that a run of an interval
/// and a few frames more may be read anywhere without a look at the wrap.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct IntervalRings: ~Copyable {
  /// Frames kept twice.
  private static var pad: Int {
    @_noLocks get { 64 }
  }

  private let memory: UnsafeMutablePointer<Float>
  private let count: Int
  private let size: Int
  private let stride: Int
  private var base = 0

  /// Allocates silent rings. Context: control.
  init(count: Int, maximumDelay: Int) {
    self.count = count
    size = (maximumDelay + 160) / ControlClock.interval * ControlClock.interval
    // An odd number of cache lines, so that the rings do not compete for the same ones.
    stride = ((size + Self.pad + 15) / 16 | 1) * 16
    unsafe memory = .allocate(capacity: count * stride)
    unsafe memory.initialize(repeating: 0, count: count * stride)
  }

  deinit { unsafe memory.deallocate() }

  /// Fills the rings with silence.
  @_noLocks mutating func reset() {
    unsafe SampleRun.clear(memory, count * stride)
    base = 0
  }

  /// Frames of a ring, `delay` before those of this interval that begin at `phase`.
  @inline(__always) @_noLocks func read(_ ring: Int, delay: Int, phase: Int)
    -> UnsafeMutablePointer<Float>
  {
    var index = base + phase - delay
    if index < 0 { index += size }
    return unsafe memory + (ring * stride + index)
  }

  /// Where the frames of this interval that begin at `phase` go.
  @inline(__always) @_noLocks func write(_ ring: Int, phase: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (ring * stride + base + phase)
  }

  /// Keeps the second copy of what was written; to be called after each run.
  @_noLocks mutating func finishRun(phase: Int, count frames: Int) {
    guard base < Self.pad else { return }
    for ring in 0..<count {
      let first = unsafe write(ring, phase: phase)
      unsafe SampleRun.copy(first, to: first + size, frames)
    }
  }

  /// Moves on to the next interval.
  @_noLocks mutating func advance() {
    base += ControlClock.interval
    if base >= size { base = 0 }
  }
}
