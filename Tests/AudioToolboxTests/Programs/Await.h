// Waits of test programs for what their callbacks change: no time passes but until the change.
// SPDX-License-Identifier: Apache-2.0
#ifndef AWAIT_H
#define AWAIT_H
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Seconds after which a wait is given up: only a hang lasts so long.
enum { kAwaitLimit = 500 };

static uint32_t awaitPosts;

// RealtimeSanitizer's own, in programs that are built with it.
__attribute__((weak)) void __rtsan_disable(void);
__attribute__((weak)) void __rtsan_enable(void);

// Wakes the waits after a change. Callbacks on threads of devices may call it: the system call never waits, which
// RealtimeSanitizer cannot see.
static inline void post(void) {
  __atomic_add_fetch(&awaitPosts, 1, __ATOMIC_SEQ_CST);
  if (__rtsan_disable) __rtsan_disable();
  syscall(SYS_futex, &awaitPosts, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  if (__rtsan_enable) __rtsan_enable();
}

// Sleeps until something is posted after a mark; 0 when the time is up.
static inline int awaitPost(uint32_t mark, time_t end) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_sec >= end) return 0;
  const struct timespec left = {end - now.tv_sec, 0};
  syscall(SYS_futex, &awaitPosts, FUTEX_WAIT_PRIVATE, mark, &left, NULL, 0);
  return 1;
}

static inline time_t awaitEnd(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + kAwaitLimit;
}

// Waits until a condition holds, which is checked after each post.
#define AWAIT(condition)                                              \
  do {                                                                \
    const time_t end_ = awaitEnd();                                   \
    for (;;) {                                                        \
      const uint32_t mark_ = __atomic_load_n(&awaitPosts, __ATOMIC_SEQ_CST); \
      if ((condition) || !awaitPost(mark_, end_)) break;              \
    }                                                                 \
  } while (0)

#endif
