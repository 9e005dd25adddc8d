// Searches through samples, for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#define LOOPS "ScanLoops.h"
#include "BothKinds.h"

int32_t AuricleSamplesAreFinite(const float *samples, intptr_t count) {
  int32_t result;
  CHOOSE(areFinite, samples, count, &result);
  return result;
}

int32_t AuricleSamplesMagnitude(const float *samples, intptr_t count) {
  int32_t result;
  CHOOSE(magnitude, samples, count, &result);
  return result;
}

void AuricleSamplesMeasure(
    const float *samples, intptr_t count, float *peak, double *squares) {
  CHOOSE(levels, samples, count, peak, squares);
}
