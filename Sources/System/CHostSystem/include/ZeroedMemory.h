// What glibc's allocator fills memory with when it hands it out.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ZEROED_MEMORY_H
#define AURICLE_ZEROED_MEMORY_H

#include <malloc.h>
#include <stdbool.h>

/// Has the allocator fill with zeros what it hands out, and with ones what it gets back; or leave it as it is.
static inline void AuricleZeroMemory(bool zeroes) { mallopt(M_PERTURB, zeroes ? 0xFF : 0); }

#endif
