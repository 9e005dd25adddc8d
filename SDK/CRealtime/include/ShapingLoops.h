// Inner loops of oversampled distortion, for any vectors of the processor.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SHAPING_LOOPS_H
#define AURICLE_SHAPING_LOOPS_H

#include <stdint.h>

#include "SignalLoops.h"

// As in SignalLoops.h: the same bits on every machine, and runs of 1 to 32 frames, up to seven more of which are worked on.
//
// A signal of more samples than frames lies in rows, one for each sample of a frame: frames follow each other in a row.

#pragma clang assume_nonnull begin

/// A row of samples that is made of others: a weighted row, and the weighted sums of pairs of rows.
typedef struct {
  /// Places of the pairs from the place of the run on, and their weights.
  const int32_t *first, *second;
  const float *weights;
  int64_t pairCount;
  /// A row that is added by itself, and its weight.
  int32_t single;
  float singleWeight;
  /// Place of the sums.
  int32_t target;
} AuricleRowSum;

/// Makes rows of rows, one after the other, at a place in their memory.
void AuricleSumRows(
    float *place, const AuricleRowSum *rows, intptr_t rowCount, intptr_t count) AURICLE_LOOP;

/// A value that moves in a straight line during an interval: its value at the start, and the change in a frame.
typedef struct {
  float start, slope;
} AuricleLine;

/// The steps of a shaper: ring modulation by a part, polynomial by a part, gain, soft clip.
typedef struct {
  AuricleLine ring;
  AuricleLine linear, squared, cubic, polynomial;
  AuricleLine gain;
} AuricleShaping;

/// Shapes a row; `phase` is the place in the interval. The soft clip is the hyperbolic tangent within 1e-6.
///
/// \param carrier The factor of the row; null for none.
void AuricleShapeRow(
    float *row, const float *_Nullable carrier, const AuricleShaping *shaping, intptr_t phase,
    intptr_t count) AURICLE_LOOP;

#pragma clang assume_nonnull end

#endif
