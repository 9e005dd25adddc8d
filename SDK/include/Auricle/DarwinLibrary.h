// What sources for macOS use of its C library, and C libraries here lack.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_DARWINLIBRARY_H
#define AURICLE_DARWINLIBRARY_H

#include <stdlib.h>
#include <string.h>

// <sys/cdefs.h> of macOS has it, and sources mark arguments with it.
#ifndef __unused
#define __unused __attribute__((__unused__))
#endif

// glibc has them from 2.38 on.
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 38)

// Copies as much as fits, always with a 0 at the end where there is room for one. Returns the length
// of the source: not less than `size` when it did not fit.
static inline size_t strlcpy(char *destination, const char *source, size_t size) {
  size_t length = strlen(source);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(destination, source, copied);
    destination[copied] = 0;
  }
  return length;
}

// Appends as much as fits into `size` bytes altogether. Returns the length it would have needed.
static inline size_t strlcat(char *destination, const char *source, size_t size) {
  const char *end = (const char *)memchr(destination, 0, size);
  size_t present = end ? (size_t)(end - destination) : size;
  return present + strlcpy(destination + present, source, size - present);
}

#endif

// Like realloc, but frees the old memory when there is no new.
static inline void *reallocf(void *memory, size_t size) {
  void *grown = realloc(memory, size);
  if (!grown && size > 0) free(memory);
  return grown;
}

#endif
