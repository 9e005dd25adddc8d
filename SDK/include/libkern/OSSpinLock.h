// A lock that waits by trying again: a number, 0 when it is free.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBKERN_OSSPINLOCK_H
#define AURICLE_LIBKERN_OSSPINLOCK_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

typedef int32_t OSSpinLock;
#define OS_SPINLOCK_INIT 0

static inline bool OSSpinLockTry(volatile OSSpinLock *lock) {
  return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0;
}

// An interrupted holder must be able to go on: after some tries the wait yields to other threads.
static inline void OSSpinLockLock(volatile OSSpinLock *lock) {
  int tries = 0;
  while (!OSSpinLockTry(lock)) {
    while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0) {
      if (++tries > 1000) sched_yield();
    }
  }
}

static inline void OSSpinLockUnlock(volatile OSSpinLock *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

#endif
