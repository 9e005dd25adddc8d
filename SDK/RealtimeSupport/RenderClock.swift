// Time and thread as render code may ask for them: no lock, no allocation.
// SPDX-License-Identifier: Apache-2.0

public import CRealtime

/// A clock that costs a few nanoseconds to read.
public enum RenderClock {
  /// Ticks of an even counter, of a rate that `nanoseconds` tells over time.
  ///
  /// Context: any.
  @inlinable @_noLocks public static func ticks() -> UInt64 { AuricleTickCount() }

  /// Nanoseconds of the system's monotonic clock.
  ///
  /// Context: any.
  @_noLocks public static func nanoseconds() -> UInt64 { AuricleNanoseconds() }

  /// Has every other thread show what it stored so far, and see what this one stored: then render
  /// threads need no fence of their own.
  ///
  /// Context: control.
  public static func fenceOtherThreads() { AuricleFenceOtherThreads() }

  /// A number of the calling thread, which no other living thread has; never 0.
  ///
  /// Context: any.
  @inlinable @_noLocks public static func thread() -> UInt { UInt(AuricleThreadNumber()) }

  /// Begins to fetch a cache line that will be needed soon.
  ///
  /// - Parameter address: Anything; nothing happens where there is no memory.
  ///
  /// Context: any.
  @inlinable @_noLocks public static func fetch(_ address: UnsafeRawPointer?) {
    unsafe AuricleFetch(address)
  }
}
