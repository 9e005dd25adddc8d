// Events from any thread for the next slice of a unit in another process.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_EVENT_QUEUE_H
#define AURICLE_EVENT_QUEUE_H

#include "UnitLink.h"

#pragma clang assume_nonnull begin

/// A bounded queue of events without locks: any thread adds, and any thread removes.
typedef struct AuricleEventQueue AuricleEventQueue;

/// Makes a queue for at least so many events; NULL without memory.
AuricleEventQueue *_Nullable AuricleEventQueueMake(uint32_t capacity);

/// Frees a queue that nobody uses.
void AuricleEventQueueFree(AuricleEventQueue *queue);

/// Adds an event without bytes behind it; false where the queue is full.
bool AuricleEventQueueAdd(AuricleEventQueue *queue, const AuricleLinkEvent *event) AURICLE_REALTIME;

/// Removes the oldest event if it has a kind; false for another, and for none.
bool AuricleEventQueueRemoveKind(AuricleEventQueue *queue, uint32_t kind, AuricleLinkEvent *event) AURICLE_REALTIME;

/// Removes the oldest event; false for none.
bool AuricleEventQueueRemove(AuricleEventQueue *queue, AuricleLinkEvent *event) AURICLE_REALTIME;

#pragma clang assume_nonnull end

#endif
