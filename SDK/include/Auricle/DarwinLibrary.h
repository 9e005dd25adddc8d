// The parts of macOS's C library that sources use and C libraries here lack.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_DARWINLIBRARY_H
#define AURICLE_DARWINLIBRARY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// <sys/cdefs.h> of macOS has them, and sources mark arguments and functions with them.
#ifndef __unused
#define __unused __attribute__((__unused__))
#endif
#ifndef __deprecated
#define __deprecated __attribute__((__deprecated__))
#endif
#ifndef __deprecated_msg
#define __deprecated_msg(message) __attribute__((__deprecated__(message)))
#endif
#ifndef __dead2
#define __dead2 __attribute__((__noreturn__))
#endif
#ifndef __pure2
#define __pure2 __attribute__((__const__))
#endif
#ifndef __printflike
#define __printflike(format, first) __attribute__((__format__(__printf__, format, first)))
#endif

// Marks of pointers that may be null, under the name that came first; gcc knows neither.
#if defined(__clang__)
#ifndef __nullable
#define __nullable _Nullable
#endif
#else
#ifndef __nullable
#define __nullable
#endif
#ifndef _Nullable
#define _Nullable
#define _Nonnull
#define _Null_unspecified
#endif
#endif

#if defined(__cplusplus)
#define AURICLE_BEGIN_DARWIN extern "C" {
#define AURICLE_END_DARWIN }
#else
#define AURICLE_BEGIN_DARWIN
#define AURICLE_END_DARWIN
#endif

// In C, a source may define its own function under one of these names.
#if defined(__cplusplus)
#define AURICLE_DARWIN static inline
#else
#define AURICLE_DARWIN extern inline __attribute__((__gnu_inline__, __always_inline__))
#endif

AURICLE_BEGIN_DARWIN

// The name of the program without its folder. The C library has it under a name of GNU's.
extern char *program_invocation_short_name;
AURICLE_DARWIN const char *getprogname(void) { return program_invocation_short_name; }

// glibc has them from 2.38 on.
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 38)

// Copies as much as fits, always with a 0 at the end where there is room for one. Returns the length
// of the source: not less than `size` when it did not fit.
AURICLE_DARWIN size_t strlcpy(char *destination, const char *source, size_t size) {
  size_t length = strlen(source);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(destination, source, copied);
    destination[copied] = 0;
  }
  return length;
}

// Appends as much as fits into `size` bytes altogether. Returns the length it would have needed.
AURICLE_DARWIN size_t strlcat(char *destination, const char *source, size_t size) {
  const char *end = (const char *)memchr(destination, 0, size);
  size_t present = end ? (size_t)(end - destination) : size;
  return present + strlcpy(destination + present, source, size - present);
}

#endif

// Like realloc, but frees the old memory when there is no new.
AURICLE_DARWIN void *reallocf(void *memory, size_t size) {
  void *grown = realloc(memory, size);
  if (!grown && size > 0) free(memory);
  return grown;
}

// Fills memory with a pattern of 4, 8 or 16 bytes, over and over; the rest is filled with its beginning.
AURICLE_DARWIN void AuricleFillPattern(
    void *memory, const void *pattern, size_t patternSize, size_t size) {
  size_t place;
  for (place = 0; place < size; place += patternSize)
    memcpy((char *)memory + place, pattern, size - place < patternSize ? size - place : patternSize);
}
AURICLE_DARWIN void memset_pattern4(void *memory, const void *pattern, size_t size) {
  AuricleFillPattern(memory, pattern, 4, size);
}
AURICLE_DARWIN void memset_pattern8(void *memory, const void *pattern, size_t size) {
  AuricleFillPattern(memory, pattern, 8, size);
}
AURICLE_DARWIN void memset_pattern16(void *memory, const void *pattern, size_t size) {
  AuricleFillPattern(memory, pattern, 16, size);
}

#if defined(CLOCK_MONOTONIC)

// Time that does not count sleep, as mach_absolute_time.
#ifndef CLOCK_UPTIME_RAW
#define CLOCK_UPTIME_RAW CLOCK_MONOTONIC
#define CLOCK_UPTIME_RAW_APPROX CLOCK_MONOTONIC_COARSE
#define CLOCK_MONOTONIC_RAW_APPROX CLOCK_MONOTONIC_COARSE
#endif

// A clock in nanoseconds; 0 for one that there is not.
AURICLE_DARWIN uint64_t clock_gettime_nsec_np(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif

AURICLE_END_DARWIN

#endif
