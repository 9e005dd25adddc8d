// The clock that a device thread lives by: the system's, or one that is only counted.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc
import RealtimeSupport

/// A clock in nanoseconds.
package protocol DeviceClock: AnyObject, Sendable {
  /// Nanoseconds of the monotonic clock, or of a counted one.
  func now() -> UInt64
  /// Waits until a time.
  func sleep(until time: UInt64)
  /// Waits until the threads that the clock waits for have nothing left to do at this time.
  func settle()
  /// Whether its seconds are those of the world.
  var isReal: Bool { get }
}

extension DeviceClock {
  /// Returns at once: most clocks wait for no thread.
  package func settle() {}
}

/// The system's monotonic clock, which is that of `mach_absolute_time` too.
package final class SystemClock: DeviceClock {
  /// Makes one; all are the same.
  package init() {}
  /// The time.
  package func now() -> UInt64 { RenderClock.nanoseconds() }
  /// Sleeps.
  package func sleep(until time: UInt64) {
    var wanted = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    // The time is what a device waits for.
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nil) == EINTR {}
  }
  /// True.
  package var isReal: Bool { true }
}
