// Counts allocations of render code: replaces malloc and the sanitizer's marks.
// SPDX-License-Identifier: Apache-2.0
//
// Scripts/check-realtime links this into realtime-check instead of RealtimeSanitizer. Render code calls
// __rtsan_realtime_enter and __rtsan_realtime_exit around each slice. A thread's allocations and frees
// between them are counted, and the first one is shown with its stack. At the end the numbers are
// printed.

#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static __thread int depth;
static _Atomic long sections;
static _Atomic long calls;

void __rtsan_realtime_enter(void);
void __rtsan_realtime_exit(void);

void __rtsan_realtime_enter(void) {
  if (depth++ == 0) atomic_fetch_add(&sections, 1);
}

void __rtsan_realtime_exit(void) { depth--; }

static void note(const char *name) {
  if (depth <= 0) return;
  int saved = depth;
  depth = 0;
  if (atomic_fetch_add(&calls, 1) == 0) {
    void *frames[48];
    int count = backtrace(frames, 48);
    fprintf(stderr, "AllocationCounter: %s in render code\n", name);
    backtrace_symbols_fd(frames, count, 2);
  }
  depth = saved;
}

void *malloc(size_t size) {
  note("malloc");
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note("calloc");
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  note("realloc");
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note("aligned_alloc");
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  note("memalign");
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note("posix_memalign");
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

void free(void *memory) {
  if (memory != NULL) note("free");
  __libc_free(memory);
}

/// Prints the numbers once; whether there was an allocation.
static bool report(void) {
  static _Atomic bool isDone;
  long found = atomic_load(&calls);
  if (!atomic_exchange(&isDone, true))
    fprintf(stderr, "AllocationCounter: %ld allocations in %ld slices\n", found, atomic_load(&sections));
  return found > 0;
}

/// Programs end by this as well, which calls no destructor.
void _exit(int code) {
  syscall(SYS_exit_group, report() ? 1 : code);
  __builtin_unreachable();
}

__attribute__((destructor)) static void end(void) {
  if (report()) _exit(1);
}
