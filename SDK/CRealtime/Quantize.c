// Rounding samples to whole numbers, for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#define LOOPS "QuantizeLoops.h"
#include "BothKinds.h"

int32_t AuricleQuantizePairs(
    const float *left, const float *right, int16_t *frames, intptr_t count,
    const AuricleQuantizer *quantizer) {
  int32_t clipped;
  CHOOSE(quantize, left, right, frames, count, quantizer, &clipped);
  return clipped;
}
