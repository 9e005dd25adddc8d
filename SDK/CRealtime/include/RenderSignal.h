// A count that threads wait for, and that render code may raise: a futex.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_RENDER_SIGNAL_H
#define AURICLE_RENDER_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "RealtimeMark.h"

/// The two words of a signal; zero is a fresh one.
typedef struct AuricleSignal {
  /// Posts so far.
  uint32_t count;
  /// Threads that wait.
  uint32_t waiters;
} AuricleSignal;

/// The posts so far; read before a check, it shows whether something was posted since.
uint32_t AuricleSignalMark(const AuricleSignal *signal) AURICLE_REALTIME;

/// Counts a post and wakes all threads that wait. It never waits itself.
void AuricleSignalPost(AuricleSignal *signal) AURICLE_REALTIME;

/// Waits for a post after a mark, at most so many nanoseconds; false at the end of that time.
///
/// Render code calls it only for a device that waits for its clients.
bool AuricleSignalWait(AuricleSignal *signal, uint32_t mark, uint64_t nanoseconds) AURICLE_REALTIME;

#endif
