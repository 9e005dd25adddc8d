// Time and thread for render code: no lock, no allocation.
// SPDX-License-Identifier: Apache-2.0

public import CRealtime

/// A clock that costs a few nanoseconds to read.
public enum RenderClock {
  /// Ticks of a steady counter, whose rate can be measured with `nanoseconds`.
  ///
  /// Context: any.
  @inlinable @_noLocks public static func ticks() -> UInt64 { AuricleTickCount() }

  /// Nanoseconds of the system's monotonic clock.
  ///
  /// Context: any.
  @_noLocks public static func nanoseconds() -> UInt64 { AuricleNanoseconds() }

  /// Issues a memory barrier on every other thread, so that render threads need no fence of their own.
  ///
  /// Context: control.
  public static func fenceOtherThreads() { AuricleFenceOtherThreads() }

  /// Returns a number of the calling thread, unique among running threads; never 0.
  ///
  /// Context: any.
  @inlinable @_noLocks public static func thread() -> UInt { UInt(AuricleThreadNumber()) }

  /// Prefetches a cache line.
  ///
  /// - Parameter address: Any address; invalid ones are ignored.
  ///
  /// Context: any.
  @inlinable @_noLocks public static func fetch(_ address: UnsafeRawPointer?) {
    unsafe AuricleFetch(address)
  }
}
