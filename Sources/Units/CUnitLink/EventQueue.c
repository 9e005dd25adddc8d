// Events from any thread for the next slice of a unit in another process.
// SPDX-License-Identifier: Apache-2.0
#include "EventQueue.h"

#include <stdatomic.h>
#include <stdlib.h>

/// A place, whose number says for which round of adding or removing it is ready.
typedef struct {
  atomic_uint number;
  AuricleLinkEvent event;
} Place;

struct AuricleEventQueue {
  _Alignas(64) atomic_uint added;
  _Alignas(64) atomic_uint removed;
  _Alignas(64) uint32_t mask;
  Place places[];
};

AuricleEventQueue *AuricleEventQueueMake(uint32_t capacity) {
  uint32_t count = 16;
  while (count < capacity && count < 1 << 20) count *= 2;
  const size_t size = (sizeof(AuricleEventQueue) + count * sizeof(Place) + 63) / 64 * 64;
  AuricleEventQueue *queue = aligned_alloc(64, size);
  if (!queue) return NULL;
  atomic_init(&queue->added, 0);
  atomic_init(&queue->removed, 0);
  queue->mask = count - 1;
  for (uint32_t index = 0; index < count; index++) atomic_init(&queue->places[index].number, index);
  return queue;
}

void AuricleEventQueueFree(AuricleEventQueue *queue) { free(queue); }

/// The place of a turn that this thread has won; NULL where there is none.
static Place *win(AuricleEventQueue *queue, atomic_uint *counter, uint32_t ahead, uint32_t *turn) {
  uint32_t mine = atomic_load_explicit(counter, memory_order_relaxed);
  for (;;) {
    Place *place = &queue->places[mine & queue->mask];
    const int32_t lead = (int32_t)(atomic_load_explicit(&place->number, memory_order_acquire) - (mine + ahead));
    if (lead < 0) return NULL;
    if (lead > 0) {
      mine = atomic_load_explicit(counter, memory_order_relaxed);
    } else if (atomic_compare_exchange_weak_explicit(counter, &mine, mine + 1, memory_order_relaxed,
                                                     memory_order_relaxed)) {
      *turn = mine;
      return place;
    }
  }
}

bool AuricleEventQueueAdd(AuricleEventQueue *queue, const AuricleLinkEvent *event) {
  uint32_t turn;
  Place *place = win(queue, &queue->added, 0, &turn);
  if (!place) return false;
  place->event = *event;
  atomic_store_explicit(&place->number, turn + 1, memory_order_release);
  return true;
}

bool AuricleEventQueueRemoveKind(AuricleEventQueue *queue, uint32_t kind, AuricleLinkEvent *event) {
  for (;;) {
    uint32_t turn = atomic_load_explicit(&queue->removed, memory_order_relaxed);
    Place *place = &queue->places[turn & queue->mask];
    if (atomic_load_explicit(&place->number, memory_order_acquire) != turn + 1) return false;
    // Another thread may remove it meanwhile: then this one does not win its turn.
    if (*(volatile uint32_t *)&place->event.kind != kind) return false;
    if (!atomic_compare_exchange_strong(&queue->removed, &turn, turn + 1)) continue;
    *event = place->event;
    atomic_store_explicit(&place->number, turn + queue->mask + 1, memory_order_release);
    return true;
  }
}

bool AuricleEventQueueRemove(AuricleEventQueue *queue, AuricleLinkEvent *event) {
  uint32_t turn;
  Place *place = win(queue, &queue->removed, 1, &turn);
  if (!place) return false;
  *event = place->event;
  atomic_store_explicit(&place->number, turn + queue->mask + 1, memory_order_release);
  return true;
}
