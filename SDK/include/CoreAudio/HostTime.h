// The host clock, in ticks and nanoseconds.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_HOSTTIME_H
#define AURICLE_HOSTTIME_H

#include "../MacTypes.h"

AURICLE_BEGIN_DECLS

// Now, in the ticks of mHostTime of an AudioTimeStamp.
extern UInt64 AudioGetCurrentHostTime(void);
// Ticks a second.
extern Float64 AudioGetHostClockFrequency(void);
// By how many ticks the clock moves at least.
extern UInt32 AudioGetHostClockMinimumTimeDelta(void);
extern UInt64 AudioConvertHostTimeToNanos(UInt64 hostTime);
extern UInt64 AudioConvertNanosToHostTime(UInt64 nanoseconds);

AURICLE_END_DECLS

#endif
