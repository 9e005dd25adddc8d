// Ticks, nanoseconds and threads, by architecture.
// SPDX-License-Identifier: Apache-2.0

#include "RenderClock.h"

#include <pthread.h>
#include <time.h>

uint64_t AuricleNanoseconds(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#if defined(__x86_64__)

uint64_t AuricleTickCount(void) { return __builtin_ia32_rdtsc(); }

#elif defined(__aarch64__)

uint64_t AuricleTickCount(void) {
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}

#else

uint64_t AuricleTickCount(void) { return AuricleNanoseconds(); }

#endif

uintptr_t AuricleThreadNumber(void) { return (uintptr_t)pthread_self(); }
