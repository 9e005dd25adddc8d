// Locks of one word that wait in the kernel, and lend the waiter's priority to the owner.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OS_LOCK_H
#define AURICLE_OS_LOCK_H

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The number of the thread that owns it; the kernel adds a mark while others wait.
typedef struct os_unfair_lock_s {
  uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

#if defined(__cplusplus)
#define OS_UNFAIR_LOCK_INIT (os_unfair_lock{0})
extern "C" {
#else
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
// For a source in which another header was read first and hid it.
long syscall(long number, ...);
#endif

static inline uint32_t AuricleLockOwner(void) { return (uint32_t)syscall(SYS_gettid); }

// False where another thread has it, or this one.
static inline bool os_unfair_lock_trylock(os_unfair_lock_t lock) {
  uint32_t none = 0;
  return __atomic_compare_exchange_n(
      &lock->_os_unfair_lock_opaque, &none, AuricleLockOwner(), false, __ATOMIC_ACQUIRE,
      __ATOMIC_RELAXED);
}

// Ends the process where the thread has it already.
static inline void os_unfair_lock_lock(os_unfair_lock_t lock) {
  while (!os_unfair_lock_trylock(lock)) {
    if (syscall(SYS_futex, &lock->_os_unfair_lock_opaque, FUTEX_LOCK_PI_PRIVATE, 0, 0, 0, 0) == 0) {
      // The compiler, and a sanitizer of threads, see no order in what the kernel does.
      (void)__atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_ACQUIRE);
      return;
    }
    if (errno == EDEADLK) __builtin_trap();
  }
}

// Ends the process where the thread does not have it.
static inline void os_unfair_lock_unlock(os_unfair_lock_t lock) {
  uint32_t owner = AuricleLockOwner();
  if (__atomic_compare_exchange_n(
          &lock->_os_unfair_lock_opaque, &owner, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    return;
  // Orders what was done under the lock before the kernel passes it on.
  (void)__atomic_fetch_or(&lock->_os_unfair_lock_opaque, 0, __ATOMIC_RELEASE);
  if (syscall(SYS_futex, &lock->_os_unfair_lock_opaque, FUTEX_UNLOCK_PI_PRIVATE, 0, 0, 0, 0) != 0)
    __builtin_trap();
}

// End the process where the thread does not have it, or has it.
static inline void os_unfair_lock_assert_owner(const os_unfair_lock *lock) {
  uint32_t word = __atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED);
  if ((word & FUTEX_TID_MASK) != AuricleLockOwner()) __builtin_trap();
}
static inline void os_unfair_lock_assert_not_owner(const os_unfair_lock *lock) {
  uint32_t word = __atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED);
  if ((word & FUTEX_TID_MASK) == AuricleLockOwner()) __builtin_trap();
}

#if defined(__cplusplus)
}
#endif

#endif
