// A cheap clock and the number of the calling thread, for render code.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_RENDER_CLOCK_H
#define AURICLE_RENDER_CLOCK_H

#include <pthread.h>
#include <stdint.h>

#include "RealtimeMark.h"

/// Ticks of a counter of the processor that runs evenly; nanoseconds where there is none.
static inline uint64_t AuricleTickCount(void) AURICLE_REALTIME;

/// Nanoseconds of the system's monotonic clock.
uint64_t AuricleNanoseconds(void) AURICLE_REALTIME;

/// A number of the calling thread that no other living thread has; never 0.
static inline uintptr_t AuricleThreadNumber(void) AURICLE_REALTIME;

/// Begins to fetch the memory at an address, which may be any, into the processor's cache.
static inline void AuricleFetch(const void *address) AURICLE_REALTIME;

/// Makes all earlier stores visible in every other thread of this process, and theirs here, without
/// their doing anything for it. It waits a moment where the system cannot. Not for render threads.
void AuricleFenceOtherThreads(void);

#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
static inline uintptr_t AuricleThreadNumber(void) { return (uintptr_t)__builtin_thread_pointer(); }
#else
static inline uintptr_t AuricleThreadNumber(void) { return (uintptr_t)pthread_self(); }
#endif
static inline void AuricleFetch(const void *address) { __builtin_prefetch(address, 1); }

#if defined(__x86_64__)
static inline uint64_t AuricleTickCount(void) { return __builtin_ia32_rdtsc(); }
#elif defined(__aarch64__)
static inline uint64_t AuricleTickCount(void) {
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
#else
static inline uint64_t AuricleTickCount(void) { return AuricleNanoseconds(); }
#endif

#endif
