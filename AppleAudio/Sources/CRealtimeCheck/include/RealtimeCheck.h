// Notes what a program's render code may not do: allocations and locks.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_REALTIMECHECK_H
#define AURICLE_REALTIMECHECK_H

#include <stdint.h>

enum { kAuricleRealtimeFrames = 64 };

// A call of a function, and the return addresses above it, innermost first.
typedef struct AuricleRealtimeCall {
  const char *function;
  int32_t frameCount;
  void *frames[kAuricleRealtimeFrames];
} AuricleRealtimeCall;

// Has calls of allocating and locking functions noted from now on, also those of libraries loaded since the last time.
void AuricleRealtimeCheckStart(void);

// Bound the program's code. Context: any thread.
void AuricleRealtimeCheckEnter(void);
void AuricleRealtimeCheckLeave(void);

// Waits for a call. Context: one thread.
void AuricleRealtimeCheckWait(void);
// Copies the next call; 0 where there is none. Context: one thread at a time.
int AuricleRealtimeCheckTake(AuricleRealtimeCall *call);

// The path of the image of an address, and the address within it; NULL where there is none.
const char *AuricleImageOf(const void *address, uintptr_t *offset);

#endif
