// The loops of the filters and of the compressor for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#define LOOPS "DynamicsLoops.h"
#include "BothKinds.h"

void AuricleFilter(
    float *left, float *right, intptr_t count, const AuricleFilterStep *step,
    AuricleFilterState *state) {
  CHOOSE(filter, left, right, count, step, state);
}

void AuricleFilterMoving(
    float *left, float *right, intptr_t count, intptr_t phase, const AuricleMovingFilter *moving,
    AuricleFilterState *state) {
  CHOOSE(movingFilter, left, right, count, phase, moving, state);
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
