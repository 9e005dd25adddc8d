// The host clock: nanoseconds of the system's monotonic clock.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_TIME_H
#define AURICLE_MACH_TIME_H

#include "../MacTypes.h"
#include "mach_types.h"

// Ticks times numer over denom are nanoseconds. Here both are 1.
struct mach_timebase_info {
  uint32_t numer;
  uint32_t denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

AURICLE_BEGIN_DECLS

extern uint64_t mach_absolute_time(void);
// The same, to a few milliseconds; and with the time that the system slept.
extern uint64_t mach_approximate_time(void);
extern uint64_t mach_continuous_time(void);
// Returns 0.
extern kern_return_t mach_timebase_info(mach_timebase_info_t info);
// Sleeps until a moment of mach_absolute_time. KERN_ABORTED when a signal was handled meanwhile.
extern kern_return_t mach_wait_until(uint64_t deadline);

AURICLE_END_DECLS

#endif
