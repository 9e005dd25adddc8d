// The fill bytes of memory that glibc's allocator returns.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ZEROED_MEMORY_H
#define AURICLE_ZEROED_MEMORY_H

#include <malloc.h>
#include <stdbool.h>

/// Makes the allocator fill new memory with zeros and freed memory with ones, or leave both as they are.
static inline void AuricleZeroMemory(bool zeroes) { mallopt(M_PERTURB, zeroes ? 0xFF : 0); }

#endif
