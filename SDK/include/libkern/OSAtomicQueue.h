// A stack of blocks that any thread may push and pop without a lock.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBKERN_OSATOMICQUEUE_H
#define AURICLE_LIBKERN_OSATOMICQUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "OSSpinLock.h"

// The newest block, and a number that each change counts up. A block that was popped and pushed
// again in between is thus not confused with the one that was seen.
typedef struct {
  void *opaque1;
  long opaque2;
} __attribute__((aligned(16))) OSQueueHead;

#define OS_ATOMIC_QUEUE_INIT {NULL, 0}

static inline void **AuricleQueueLink(void *block, size_t offset) {
  return (void **)(void *)((char *)block + offset);
}

#if defined(__x86_64__)

// Word by word: if a change falls between them, the swap that follows fails and reads both.
static inline OSQueueHead AuricleQueueRead(const OSQueueHead *head) {
  OSQueueHead seen;
  seen.opaque1 = __atomic_load_n(&head->opaque1, __ATOMIC_ACQUIRE);
  seen.opaque2 = __atomic_load_n(&head->opaque2, __ATOMIC_ACQUIRE);
  return seen;
}

// Changes both words at once, if they are the expected ones; else reads them into it.
static inline bool AuricleQueueSwap(OSQueueHead *head, OSQueueHead *expected, OSQueueHead wanted) {
  bool isSwapped;
  __asm__ __volatile__("lock cmpxchg16b %1\n\tsete %0"
                       : "=q"(isSwapped), "+m"(*head), "+a"(expected->opaque1),
                         "+d"(expected->opaque2)
                       : "b"(wanted.opaque1), "c"(wanted.opaque2)
                       : "memory", "cc");
  return isSwapped;
}

// Pushes a block; its link, a pointer, is `offset` bytes into it.
static inline void OSAtomicEnqueue(OSQueueHead *list, void *block, size_t offset) {
  OSQueueHead seen = AuricleQueueRead(list), wanted;
  do {
    *AuricleQueueLink(block, offset) = seen.opaque1;
    wanted.opaque1 = block;
    wanted.opaque2 = seen.opaque2 + 1;
  } while (!AuricleQueueSwap(list, &seen, wanted));
}

// Pops the newest block; NULL when there is none. Memory of popped blocks must stay readable.
static inline void *OSAtomicDequeue(OSQueueHead *list, size_t offset) {
  OSQueueHead seen = AuricleQueueRead(list), wanted;
  do {
    if (!seen.opaque1) return NULL;
    wanted.opaque1 = *(void *volatile *)AuricleQueueLink(seen.opaque1, offset);
    wanted.opaque2 = seen.opaque2 + 1;
  } while (!AuricleQueueSwap(list, &seen, wanted));
  return seen.opaque1;
}

#else

// Elsewhere the second word is a spin lock, held for a few instructions.
static inline void OSAtomicEnqueue(OSQueueHead *list, void *block, size_t offset) {
  while (__atomic_exchange_n(&list->opaque2, 1, __ATOMIC_ACQUIRE) != 0) {
  }
  *AuricleQueueLink(block, offset) = list->opaque1;
  list->opaque1 = block;
  __atomic_store_n(&list->opaque2, 0, __ATOMIC_RELEASE);
}

static inline void *OSAtomicDequeue(OSQueueHead *list, size_t offset) {
  void *block;
  while (__atomic_exchange_n(&list->opaque2, 1, __ATOMIC_ACQUIRE) != 0) {
  }
  block = list->opaque1;
  if (block) list->opaque1 = *AuricleQueueLink(block, offset);
  __atomic_store_n(&list->opaque2, 0, __ATOMIC_RELEASE);
  return block;
}

#endif

#endif
