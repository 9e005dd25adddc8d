// The functions of mach_time.h and clock.h: the host clock, in nanoseconds, and the system's clocks as services.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc

/// Nanoseconds of the system's monotonic clock.
///
/// Context: any.
@c @implementation
public func mach_absolute_time() -> UInt64 {
  nanoseconds(of: CLOCK_MONOTONIC)
}

/// Nanoseconds of the monotonic clock as of the system's last tick.
///
/// Context: any.
@c @implementation
public func mach_approximate_time() -> UInt64 {
  nanoseconds(of: CLOCK_MONOTONIC_COARSE)
}

/// Nanoseconds since the system started, with the time it slept.
///
/// Context: any.
@c @implementation
public func mach_continuous_time() -> UInt64 {
  nanoseconds(of: CLOCK_BOOTTIME)
}

/// Sleeps until a moment of the monotonic clock, in nanoseconds.
///
/// - Returns: 0; 14 (aborted) when a signal was handled meanwhile.
///
/// Context: control.
@c @implementation
public func mach_wait_until(_ deadline: UInt64) -> kern_return_t {
  var moment = timespec(
    tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
  return unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil) == 0
    ? KERN_SUCCESS : KERN_ABORTED
}

/// Returns the length of a tick in nanoseconds: one.
///
/// - Returns: 0; 4 (invalid argument) for a null pointer.
///
/// Context: any.
@c @implementation
public func mach_timebase_info(_ info: mach_timebase_info_t?) -> kern_return_t {
  guard let info = unsafe info else { return KERN_INVALID_ARGUMENT }
  unsafe info.pointee.numer = 1
  unsafe info.pointee.denom = 1
  return KERN_SUCCESS
}

/// The host, of which there is one.
///
/// Context: any.
@c @implementation
public func mach_host_self() -> host_t { 1 }

/// A clock as a service: `SYSTEM_CLOCK` or `CALENDAR_CLOCK`.
///
/// - Returns: 0; 4 (invalid argument) for another clock or a null pointer.
///
/// Context: any.
@c @implementation
public func host_get_clock_service(
  _ host: host_t, _ clock: clock_id_t, _ service: UnsafeMutablePointer<clock_serv_t>?
) -> kern_return_t {
  guard let service = unsafe service, clock == SYSTEM_CLOCK || clock == CALENDAR_CLOCK else {
    return KERN_INVALID_ARGUMENT
  }
  // No service is number 0, which is nobody's name.
  unsafe service.pointee = clock_serv_t(clock + 1)
  return KERN_SUCCESS
}

/// The time of a clock.
///
/// - Returns: 0; 4 (invalid argument) for another object than a clock, or a null pointer.
///
/// Context: any.
@c @implementation
public func clock_get_time(
  _ service: clock_serv_t, _ time: UnsafeMutablePointer<mach_timespec_t>?
) -> kern_return_t {
  guard let time = unsafe time, service == 1 || service == 2 else { return KERN_INVALID_ARGUMENT }
  let now = nanoseconds(of: service == 1 ? CLOCK_MONOTONIC : CLOCK_REALTIME)
  unsafe time.pointee = mach_timespec_t(
    tv_sec: UInt32(truncatingIfNeeded: now / 1_000_000_000), tv_nsec: Int32(now % 1_000_000_000))
  return KERN_SUCCESS
}

/// The time of a clock of the system; 0 where there is none.
private func nanoseconds(of clock: clockid_t) -> UInt64 {
  var now = timespec()
  guard unsafe clock_gettime(clock, &now) == 0 else { return 0 }
  return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
