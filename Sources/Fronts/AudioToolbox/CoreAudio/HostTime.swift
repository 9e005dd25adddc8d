// The functions of HostTime.h: the clock of mach_time.h under Core Audio's names.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Now, in ticks of the host clock, which are nanoseconds.
///
/// Context: any.
@c @implementation
public func AudioGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Ticks a second.
///
/// Context: any.
@c @implementation
public func AudioGetHostClockFrequency() -> Float64 { 1_000_000_000 }

/// By how many ticks the clock moves at least.
///
/// Context: any.
@c @implementation
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Ticks as nanoseconds.
///
/// Context: any.
@c @implementation
public func AudioConvertHostTimeToNanos(_ hostTime: UInt64) -> UInt64 { hostTime }

/// Nanoseconds as ticks.
///
/// Context: any.
@c @implementation
public func AudioConvertNanosToHostTime(_ nanoseconds: UInt64) -> UInt64 { nanoseconds }
