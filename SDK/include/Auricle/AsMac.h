// For -include: makes a source believe that it is built for a Mac.
// SPDX-License-Identifier: Apache-2.0
//
// Reads the headers that would differ after the definition, and the ones that a source receives on
// a Mac from the C library; then defines __APPLE__. auricle-cc and auricle-c++ include it.
// __linux__ stays defined: the headers of the system need it.
#ifndef AURICLE_ASMAC_H
#define AURICLE_ASMAC_H

// There all of the C library is visible, with any -std. The name is undefined again, so that a
// source may define it.
#if !defined(__ASSEMBLER__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#include <sys/types.h>
#undef _GNU_SOURCE
#endif

#ifndef AURICLE_LONG_LONG
#define AURICLE_LONG_LONG 1
#endif

#include "../AvailabilityMacros.h"
#include "../TargetConditionals.h"

#ifndef __ASSEMBLER__

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__cplusplus)
// The headers that macOS's C++ library includes with its others.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#endif

#include "DarwinLibrary.h"

#if defined(__clang__)
#include "../dispatch/dispatch.h"
#endif
#include "../pthread/qos.h"

AURICLE_BEGIN_DARWIN

// For a source in which another header was read first and hid them.
#if !defined(__cplusplus)
int pthread_setname_np(pthread_t thread, const char *name);
#if defined(CLOCK_REALTIME)
int pthread_getcpuclockid(pthread_t thread, clockid_t *clock);
#endif
long syscall(long number, ...);
#endif

// The one of POSIX, whose answer is a number.
int __xpg_strerror_r(int number, char *text, size_t size);
#define strerror_r __xpg_strerror_r

// A thread names itself alone. Longer names are cut to the 15 characters there are.
static inline int AuricleNameThread(const char *name) {
  char shortened[16] = "";
  size_t length;
  for (length = 0; name && name[length] && length < sizeof(shortened) - 1; ++length)
    shortened[length] = name[length];
  return pthread_setname_np(pthread_self(), shortened);
}
#define pthread_setname_np(name) AuricleNameThread(name)

// Mathematics that macOS has under separate names.
#define __sincos sincos
#define __sincosf sincosf
#define __exp10 exp10
#define __exp10f exp10f

// Whether this is the thread that main runs on.
static inline int pthread_main_np(void) { return syscall(SYS_gettid) == getpid(); }

// Returns the kernel's name of a thread: the system's number of it, as mach_thread_self answers. It is
// computed from the thread's clock, whose number contains it inverted above three bits.
static inline unsigned int pthread_mach_thread_np(pthread_t thread) {
  if (pthread_equal(thread, pthread_self())) return (unsigned int)syscall(SYS_gettid);
#if defined(CLOCK_REALTIME)
  clockid_t clock;
  if (pthread_getcpuclockid(thread, &clock) == 0) return ~(unsigned int)(clock >> 3);
#endif
  return 0;
}

// The system's number of a thread; NULL names the calling one.
static inline int pthread_threadid_np(pthread_t thread, uint64_t *number) {
  if (!number) return 22;  // EINVAL
  *number = pthread_mach_thread_np(thread ? thread : pthread_self());
  return *number ? 0 : 3;  // ESRCH
}

#if defined(CLOCK_REALTIME)
// Waits for so long, not until a moment.
static inline int pthread_cond_timedwait_relative_np(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *wait) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += wait->tv_sec;
  deadline.tv_nsec += wait->tv_nsec;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec += 1;
    deadline.tv_nsec -= 1000000000;
  }
  return pthread_cond_timedwait(condition, mutex, &deadline);
}
#endif

AURICLE_END_DARWIN

#endif

#ifndef __APPLE__
#define __APPLE__ 1
#endif
#ifndef __MACH__
#define __MACH__ 1
#endif
#ifndef __APPLE_CC__
#define __APPLE_CC__ 6000
#endif

#endif
