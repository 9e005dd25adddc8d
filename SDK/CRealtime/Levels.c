// Loudness and true peaks, for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#include "LevelLoops.h"

#include <float.h>

#define LOOPS "LevelsLoops.h"
#include "BothKinds.h"

void AuricleWeigh(
    const float *const *rows, intptr_t offset, intptr_t count, const AuricleWeighting *weighting,
    AuricleWeightingState *state, AuricleWeighed *weighed) {
  CHOOSE(weigh, rows, offset, count, weighting, state, weighed);
}

void AuriclePlacePeaks(
    const float *weights, const float *bounds, const float *samples, float *peaks, intptr_t count,
    float floor) {
  CHOOSE(placePeaks, weights, bounds, samples, peaks, count, floor);
}

float AuricleTruePeaks(
    const AuriclePeakFilters *filters, const float *samples, float *peaks, intptr_t count,
    float floor) {
  float highest = floor;
  CHOOSE(truePeaks, filters, samples, peaks, count, floor, &highest);
  return highest;
}
