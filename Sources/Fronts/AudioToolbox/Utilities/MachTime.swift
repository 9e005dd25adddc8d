// The functions of mach_time.h: the host clock, in nanoseconds.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc

/// Nanoseconds of the system's monotonic clock.
///
/// Context: any.
@c @implementation
public func mach_absolute_time() -> UInt64 {
  var now = timespec()
  guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
  return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

/// Returns the length of a tick in nanoseconds: one.
///
/// - Returns: 0; 4 (invalid argument) for a null pointer.
///
/// Context: any.
@c @implementation
public func mach_timebase_info(_ info: mach_timebase_info_t?) -> Int32 {
  guard let info = unsafe info else { return 4 }
  unsafe info.pointee.numer = 1
  unsafe info.pointee.denom = 1
  return 0
}
