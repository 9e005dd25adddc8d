// Semaphores of the kernel: counters that threads wait for, and that a realtime thread may raise.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_SEMAPHORE_H
#define AURICLE_MACH_SEMAPHORE_H

#include "clock.h"
#include "mach_types.h"
#include "mach_time.h"
#include "sync_policy.h"

// A descriptor of the system and one more, so that 0 is none.
typedef mach_port_t semaphore_t;
typedef mach_port_t semaphore_port_t;
#define SEMAPHORE_NULL ((semaphore_t)0)

#if !defined(__swift__)

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

// KERN_RESOURCE_SHORTAGE when the process has no descriptor left. The policy is the system's own.
static inline kern_return_t semaphore_create(
    task_t task, semaphore_t *semaphore, int policy, int value) {
  int descriptor;
  (void)task;
  if (!semaphore || value < 0 || policy < SYNC_POLICY_FIFO || policy > SYNC_POLICY_FIXED_PRIORITY)
    return KERN_INVALID_ARGUMENT;
  descriptor = eventfd((unsigned)value, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
  if (descriptor < 0) return KERN_RESOURCE_SHORTAGE;
  *semaphore = (semaphore_t)descriptor + 1;
  return KERN_SUCCESS;
}

// Nobody may be waiting for it.
static inline kern_return_t semaphore_destroy(task_t task, semaphore_t semaphore) {
  (void)task;
  return semaphore && close((int)semaphore - 1) == 0 ? KERN_SUCCESS : KERN_INVALID_ARGUMENT;
}

// Raises it by one: one thread goes on. No lock is acquired.
static inline kern_return_t semaphore_signal(semaphore_t semaphore) {
  const uint64_t one = 1;
  return semaphore && write((int)semaphore - 1, &one, sizeof(one)) == (ssize_t)sizeof(one)
      ? KERN_SUCCESS
      : KERN_INVALID_ARGUMENT;
}

// Waits until a moment of mach_absolute_time, or for ever (0).
static inline kern_return_t AuricleAwaitSemaphore(semaphore_t semaphore, uint64_t deadline) {
  struct pollfd ready;
  uint64_t one;
  ready.fd = (int)semaphore - 1;
  ready.events = POLLIN;
  if (!semaphore) return KERN_INVALID_ARGUMENT;
  for (;;) {
    int milliseconds = -1, answer;
    if (read(ready.fd, &one, sizeof(one)) == (ssize_t)sizeof(one)) return KERN_SUCCESS;
    if (errno != EAGAIN) return KERN_INVALID_ARGUMENT;
    if (deadline) {
      uint64_t now = mach_absolute_time();
      if (now >= deadline) return KERN_OPERATION_TIMED_OUT;
      // As long as poll can, and then again.
      milliseconds = deadline - now > 2000000000000000u
          ? 2000000000
          : (int)((deadline - now + 999999) / 1000000);
    }
    ready.revents = 0;
    answer = poll(&ready, 1, milliseconds);
    if (answer < 0) return errno == EINTR ? KERN_ABORTED : KERN_INVALID_ARGUMENT;
    if (ready.revents & POLLNVAL) return KERN_INVALID_ARGUMENT;
  }
}

// Waits until it is above 0, and lowers it. KERN_ABORTED when a signal was handled meanwhile.
static inline kern_return_t semaphore_wait(semaphore_t semaphore) {
  return AuricleAwaitSemaphore(semaphore, 0);
}

// The same for so long, to the millisecond: KERN_OPERATION_TIMED_OUT.
static inline kern_return_t semaphore_timedwait(semaphore_t semaphore, mach_timespec_t wait) {
  uint64_t nanoseconds = (uint64_t)wait.tv_sec * 1000000000u + (uint64_t)wait.tv_nsec;
  return AuricleAwaitSemaphore(semaphore, mach_absolute_time() + nanoseconds);
}

// Raises one and waits for the other.
static inline kern_return_t semaphore_wait_signal(semaphore_t waited, semaphore_t raised) {
  kern_return_t status = semaphore_signal(raised);
  return status == KERN_SUCCESS ? semaphore_wait(waited) : status;
}

#endif

#endif
