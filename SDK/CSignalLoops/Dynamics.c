// The loops of the filters and of the compressor for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#include "SignalLoops.h"
#include "Vectors.h"

#define NAME(name) name##Any
#include "VectorOperations.h"
#include "DynamicsLoops.h"
#undef NAME
#undef INLINE

#if AURICLE_HAS_WIDE
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define NAME(name) name##Wide
#include "VectorOperations.h"
#include "DynamicsLoops.h"
#undef NAME
#pragma clang attribute pop
#define CHOOSE(name, ...)                                                                          \
  if (AuricleLoopsAreWide())                                                                       \
    name##Wide(__VA_ARGS__);                                                                       \
  else                                                                                             \
    name##Any(__VA_ARGS__)
#else
#define CHOOSE(name, ...) name##Any(__VA_ARGS__)
#endif

void AuricleFilter(
    float *left, float *right, intptr_t count, const AuricleFilterStep *step,
    AuricleFilterState *state) {
  CHOOSE(filter, left, right, count, step, state);
}

void AuricleCompression(
    const float *levels, float *reductions, intptr_t count, float threshold, float headroom) {
  CHOOSE(compression, levels, reductions, count, threshold, headroom);
}

void AuricleReducedGains(
    const float *reductions, float *gains, intptr_t count, float start, float slope,
    intptr_t phase) {
  CHOOSE(reducedGains, reductions, gains, count, start, slope, phase);
}
