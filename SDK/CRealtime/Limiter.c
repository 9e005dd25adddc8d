// The gain of a limiter from the true peaks that come.
// SPDX-License-Identifier: Apache-2.0
#include "LevelLoops.h"

#include <float.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

/// What is nearer to 1 than this makes no difference to a sample.
static const double nearlyOne = 1 - 1e-8;

void AuricleLimiterBegin(AuricleLimiter *limiter) {
  limiter->head = limiter->length = limiter->position = 0;
  limiter->last = 1;
  limiter->envelope = limiter->lowest = 1;
  limiter->calm = 1 << 30;
  for (int index = 0; index < 2; index++) {
    limiter->averagePlaces[index] = 0;
    limiter->sums[index] = 0;
    // As a block of ones leaves it.
    for (intptr_t place = 0; place < limiter->half; place++)
      limiter->averages[index][place] = (double)(limiter->half - place);
  }
}

/// The mean of the last `half` values; before the first all were 1.
///
/// Values are added up in blocks of that length: what is left of the block before, and what has come of the present
/// one. Nothing is ever taken away from a sum, which would leave behind of 1 what a gain of 1e-16 drowns in.
static inline double average(AuricleLimiter *limiter, int index, double value) {
  const intptr_t half = limiter->half;
  double *values = limiter->averages[index];
  intptr_t place = limiter->averagePlaces[index];
  double sum = limiter->sums[index] + value;
  double mean;
  values[place++] = value;
  if (place < half) {
    mean = (values[place] + sum) / (double)half;
  } else {
    mean = sum / (double)half;
    double left = 0;
    for (intptr_t at = half; at-- > 0;) values[at] = left += values[at];
    place = 0;
    sum = 0;
  }
  limiter->averagePlaces[index] = place;
  limiter->sums[index] = sum;
  return mean < 1 ? mean : 1;
}

/// The least of the last `window` values with this one.
static inline float leastWith(AuricleLimiter *limiter, float value) {
  const intptr_t size = limiter->window + 1;
  float *minima = limiter->minima;
  intptr_t *places = limiter->places, head = limiter->head, length = limiter->length;
  while (length > 0) {
    intptr_t last = head + length - 1;
    if (last >= size) last -= size;
    if (minima[last] < value) break;
    length--;
  }
  intptr_t place = head + length;
  if (place >= size) place -= size;
  minima[place] = value;
  places[place] = limiter->position;
  length++;
  while (places[head] <= limiter->position - limiter->window) {
    head = head + 1 == size ? 0 : head + 1;
    length--;
  }
  limiter->position++;
  limiter->head = head;
  limiter->length = length;
  return minima[head];
}

/// Whether all that a limiter remembers is 1.
static int isAtRest(const AuricleLimiter *limiter) {
  return limiter->calm > limiter->window + 4 * limiter->half;
}

int32_t AuricleLimiterGains(AuricleLimiter *limiter, float *peaks, intptr_t count) {
  const float ceiling = limiter->ceiling;
  intptr_t start = 0;
  if (isAtRest(limiter)) {
    while (start < count && !(peaks[start] > ceiling)) peaks[start++] = 1;
    if (start == count) return 0;
    limiter->head = limiter->length = 0;
  }
  AuricleLimiter state = *limiter;
  for (intptr_t frame = start; frame < count; frame++) {
    const float peak = peaks[frame];
    float wanted = 1;
    if (peak > ceiling) {
      wanted = ceiling / peak;
      if (wanted < FLT_TRUE_MIN) wanted = FLT_TRUE_MIN;
    }
    // A peak lies between two frames: both are turned down.
    const double least = leastWith(&state, wanted < state.last ? wanted : state.last);
    state.last = wanted;
    const double risen = state.envelope + (least - state.envelope) * state.release;
    double envelope = least < risen ? least : risen;
    if (envelope > nearlyOne) envelope = 1;
    state.calm = envelope == 1 ? state.calm + 1 : 0;
    state.envelope = envelope;
    const double gain = average(&state, 1, average(&state, 0, envelope));
    if (gain < state.lowest) state.lowest = gain;
    peaks[frame] = (float)gain;
  }
  *limiter = state;
  return 1;
}

void AuricleDelayAndScale(
    const float *source, float *target, const float *gains, intptr_t count, float *ring,
    intptr_t ringLength, intptr_t ringPlace) {
  while (count > 0) {
    const intptr_t left = ringLength - ringPlace, part = count < left ? count : left;
    if (gains) {
      for (intptr_t index = 0; index < part; index++)
        target[index] = ring[ringPlace + index] * gains[index];
      gains += part;
    } else {
      memcpy(target, ring + ringPlace, (size_t)part * sizeof(float));
    }
    memcpy(ring + ringPlace, source, (size_t)part * sizeof(float));
    source += part, target += part, count -= part;
    ringPlace = ringPlace + part == ringLength ? 0 : ringPlace + part;
  }
}
