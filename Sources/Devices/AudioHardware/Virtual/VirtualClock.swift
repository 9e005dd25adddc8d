// A clock that is only counted: an hour passes in seconds, and every run is the same.
// SPDX-License-Identifier: Apache-2.0

/// A clock that moves during waits; for one thread at a time.
///
/// @unchecked Sendable because one thread uses it at a time: that of the device, or that of a test.
package final class VirtualClock: DeviceClock, @unchecked Sendable {
  private var time: UInt64
  /// The lateness of each wake (ns); nil for never late.
  package var lateness: (() -> UInt64)?

  /// Begins at a time in nanoseconds.
  package init(startingAt time: UInt64 = 1_000_000_000) { self.time = time }

  /// The time.
  package func now() -> UInt64 { time }

  /// Moves the time on, and as late as threads wake.
  package func sleep(until wanted: UInt64) {
    let late = lateness?() ?? 0
    time = max(time, wanted &+ late)
  }

  /// Advances time, as rendering does.
  package func pass(_ nanoseconds: UInt64) { time += nanoseconds }

  /// False.
  package var isReal: Bool { false }
}

/// Wakes as late as measured on a busy machine: 37 µs in the middle, 4.4 ms one time in ten thousand.
package struct MeasuredLateness {
  private var state: UInt64

  /// Begins a sequence that is the same for the same seed.
  package init(seed: UInt64) { state = seed &* 2 + 1 }

  /// The next delay in nanoseconds.
  package mutating func next() -> UInt64 {
    state ^= state &<< 13
    state ^= state &>> 7
    state ^= state &<< 17
    let draw = Double(state >> 11) * 0x1p-53
    switch draw {
    case ..<0.9: return 20_000 + UInt64(draw * 42_000)
    case ..<0.99: return 58_000 + UInt64((draw - 0.9) * 455_000)
    case ..<0.999: return 99_000 + UInt64((draw - 0.99) * 30_000_000)
    default: return 370_000 + UInt64((draw - 0.999) * 4_779_000_000)
    }
  }
}
