// Notes forbidden calls of render code: memory, locks, waiting, files.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_RENDER_WATCH_H
#define AURICLE_RENDER_WATCH_H

#include <stdint.h>

/// The kinds of noted calls.
enum {
  kAuricleRenderWatch_Memory = 0,
  kAuricleRenderWatch_Locks = 1,
  kAuricleRenderWatch_Files = 2,
  kAuricleRenderWatch_KindCount = 3,
};

/// Ties the functions that all libraries of this process import to ones that note their callers, except for
/// the C library's own calls. Libraries that are loaded later need another call. Not to be undone: for
/// processes that check units and do nothing else.
void AuricleRenderWatchInstall(void);

/// Notes calls of this thread from now on, until `AuricleRenderWatchEnd`; forgets earlier ones.
void AuricleRenderWatchBegin(void);
void AuricleRenderWatchEnd(void);

/// Notes nothing between these two: the host's own calls in its callbacks are not the unit's.
void AuricleRenderWatchSuspend(void);
void AuricleRenderWatchResume(void);

/// The number of calls of a kind.
uint32_t AuricleRenderWatchCount(int kind);

/// The name of the first function of a kind that was called; "" for none.
const char *AuricleRenderWatchName(int kind);

/// Bytes that `malloc` has handed out and not got back.
uint64_t AuricleUsedMemory(void);

#endif
