// The loops of oversampled distortion for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#include "ShapingLoops.h"

#define LOOPS "ShapingRows.h"
#include "BothKinds.h"

void AuricleSumRows(
    float *place, const AuricleRowSum *rows, intptr_t rowCount, intptr_t count) {
  CHOOSE(sumRows, place, rows, rowCount, count);
}

void AuricleShapeRow(
    float *row, const float *carrier, const AuricleShaping *shaping, intptr_t phase,
    intptr_t count) {
  CHOOSE(shapeRow, row, carrier, shaping, phase, count);
}
