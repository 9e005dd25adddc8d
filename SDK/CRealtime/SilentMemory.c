// Memory for samples that is zero, and there before it is first written.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "SilentMemory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Linux 5.14 and later; headers may be older.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

float *AuricleAllocateSilence(size_t count) {
  char *memory = calloc(count, sizeof(float));
  if (!memory) abort();
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = count * sizeof(float);
  const size_t before = (uintptr_t)memory % page;
  // A few pages are sooner touched than asked for.
  if (bytes >= 8 * page && madvise(memory - before, before + bytes, MADV_POPULATE_WRITE) == 0) {
    return (float *)memory;
  }
  for (size_t place = 0; place < bytes; place += page) *(volatile char *)(memory + place) = 0;
  if (bytes) *(volatile char *)(memory + bytes - 1) = 0;
  return (float *)memory;
}
