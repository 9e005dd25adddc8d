// Vectors of floats at any address, for the loops that are compiled twice.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_VECTORS_H
#define AURICLE_VECTORS_H

#include <stdint.h>
#include <string.h>

// The same bits on every machine.
#pragma STDC FP_CONTRACT OFF
// Vectors are only passed between functions that are compiled into one.
#pragma clang diagnostic ignored "-Wpsabi"

typedef double FourWide __attribute__((vector_size(32)));
typedef int64_t FourLongs __attribute__((vector_size(32)));
typedef int32_t FourInts __attribute__((vector_size(16)));
typedef float Four __attribute__((vector_size(16)));
typedef float Eight __attribute__((vector_size(32)));
typedef int32_t EightInts __attribute__((vector_size(32)));

/// Whether the wide loops are to be used; in Choice.c.
extern _Bool AuricleLoopsAreWide(void);

#if defined(__x86_64__)
#define AURICLE_HAS_WIDE 1
#else
#define AURICLE_HAS_WIDE 0
#endif

#endif
