// Nanoseconds, threads, and a fence for the threads that must not pay for one.
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "RenderClock.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t AuricleNanoseconds(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void AuricleFenceOtherThreads(void) {
  static atomic_int isRegistered;
  atomic_thread_fence(memory_order_seq_cst);
  if (!atomic_load(&isRegistered) &&
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0) {
    atomic_store(&isRegistered, 1);
  }
  if (atomic_load(&isRegistered) &&
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) {
    return;
  }
  // Longer than any processor keeps a store to itself.
  const struct timespec moment = {0, 1000000};
  nanosleep(&moment, NULL);
  atomic_thread_fence(memory_order_seq_cst);
}
