// The host clock: nanoseconds of the system's monotonic clock.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_TIME_H
#define AURICLE_MACH_TIME_H

#include "../MacTypes.h"

// Ticks times numer over denom are nanoseconds. Here both are 1.
struct mach_timebase_info {
  uint32_t numer;
  uint32_t denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

AURICLE_BEGIN_DECLS

extern uint64_t mach_absolute_time(void);
// Returns 0.
extern int mach_timebase_info(mach_timebase_info_t info);

AURICLE_END_DECLS

#endif
