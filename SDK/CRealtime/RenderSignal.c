// A count that threads wait for, and that render code may raise: a futex.
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "RenderSignal.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((weak)) extern void __rtsan_disable(void);
__attribute__((weak)) extern void __rtsan_enable(void);

/// One system call that a sanitizer does not report: the wake never waits, and a wait is meant to.
static long callFutex(uint32_t *word, int operation, uint32_t value, const struct timespec *end) {
  if (__rtsan_disable) __rtsan_disable();
  long result = syscall(SYS_futex, word, operation, value, end, NULL, FUTEX_BITSET_MATCH_ANY);
  int failure = errno;
  if (__rtsan_enable) __rtsan_enable();
  return result < 0 ? -failure : result;
}

uint32_t AuricleSignalMark(const AuricleSignal *signal) {
  return __atomic_load_n(&signal->count, __ATOMIC_SEQ_CST);
}

void AuricleSignalPost(AuricleSignal *signal) {
  __atomic_fetch_add(&signal->count, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&signal->waiters, __ATOMIC_SEQ_CST) == 0) return;
  callFutex(&signal->count, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL);
}

bool AuricleSignalWait(AuricleSignal *signal, uint32_t mark, uint64_t nanoseconds) {
  struct timespec end = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &end);
  uint64_t sum = (uint64_t)end.tv_nsec + nanoseconds % UINT64_C(1000000000);
  end.tv_sec += (time_t)(nanoseconds / UINT64_C(1000000000) + sum / UINT64_C(1000000000));
  end.tv_nsec = (long)(sum % UINT64_C(1000000000));
  __atomic_fetch_add(&signal->waiters, 1, __ATOMIC_SEQ_CST);
  bool isPosted = true;
  while (__atomic_load_n(&signal->count, __ATOMIC_SEQ_CST) == mark) {
    long result = callFutex(&signal->count, FUTEX_WAIT_BITSET_PRIVATE, mark, &end);
    if (result == -ETIMEDOUT) {
      isPosted = __atomic_load_n(&signal->count, __ATOMIC_SEQ_CST) != mark;
      break;
    }
  }
  __atomic_fetch_sub(&signal->waiters, 1, __ATOMIC_SEQ_CST);
  return isPosted;
}
