// Clocks as services: time in seconds and nanoseconds.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_CLOCK_H
#define AURICLE_MACH_CLOCK_H

#include "../MacTypes.h"
#include "mach_types.h"

typedef int clock_id_t;
typedef mach_port_t host_t;
typedef mach_port_t clock_serv_t;

#define SYSTEM_CLOCK 0    // since the system started
#define CALENDAR_CLOCK 1  // since 1970

typedef struct mach_timespec {
  unsigned int tv_sec;
  int tv_nsec;
} mach_timespec_t;

AURICLE_BEGIN_DECLS

extern host_t mach_host_self(void);
// KERN_INVALID_ARGUMENT for another clock than these two.
extern kern_return_t host_get_clock_service(host_t host, clock_id_t clock, clock_serv_t *service);
extern kern_return_t clock_get_time(clock_serv_t service, mach_timespec_t *time);

AURICLE_END_DECLS

#endif
