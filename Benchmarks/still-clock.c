// A clock that never advances, to be preloaded: noise seeded with the time is the same in every run.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -shared -fPIC -o still-clock.so still-clock.c
//   LD_PRELOAD=…/still-clock.so PROGRAM …
//
// The monotonic clocks go on: time limits and waiting hang on them.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { STANDSTILL = 1700000000 };

time_t time(time_t* result) {
  if (result) *result = STANDSTILL;
  return STANDSTILL;
}

int gettimeofday(struct timeval* restrict result, void* restrict zone) {
  (void)zone;
  *result = (struct timeval){STANDSTILL, 0};
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec* result) {
  if (clock != CLOCK_REALTIME) return (int)syscall(SYS_clock_gettime, clock, result);
  *result = (struct timespec){STANDSTILL, 0};
  return 0;
}
