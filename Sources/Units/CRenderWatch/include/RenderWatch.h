// Notes what render code calls that it should not: memory, locks, waiting, files.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_RENDER_WATCH_H
#define AURICLE_RENDER_WATCH_H

#include <stdint.h>

/// What is noted.
enum {
  kAuricleRenderWatch_Memory = 0,
  kAuricleRenderWatch_Locks = 1,
  kAuricleRenderWatch_Files = 2,
  kAuricleRenderWatch_KindCount = 3,
};

/// Ties the functions that all libraries of this process import, but for the C library's own calls, to ones
/// that note who calls them. Libraries that are loaded later need another call. Not to be undone: for
/// processes that check units and do nothing else.
void AuricleRenderWatchInstall(void);

/// Notes calls of this thread from now on, until `AuricleRenderWatchEnd`; forgets those that were noted before.
void AuricleRenderWatchBegin(void);
void AuricleRenderWatchEnd(void);

/// Notes nothing between these two: what the host does when it is called back is its own business.
void AuricleRenderWatchSuspend(void);
void AuricleRenderWatchResume(void);

/// How many calls of a kind there were.
uint32_t AuricleRenderWatchCount(int kind);

/// The name of the first function of a kind that was called; "" for none.
const char *AuricleRenderWatchName(int kind);

/// Bytes that `malloc` has handed out and not got back.
uint64_t AuricleUsedMemory(void);

#endif
