// The gain of a limiter from the true peaks that come.
// SPDX-License-Identifier: Apache-2.0
#include "LevelLoops.h"

#include <float.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

/// A gain nearer to 1 than this does not change a sample.
static const double nearlyOne = 1 - 1e-8;

void AuricleLimiterBegin(AuricleLimiter *limiter) {
  limiter->position = limiter->averagePlace = 0;
  limiter->present = 1;
  limiter->last = 1;
  limiter->envelope = limiter->lowest = 1;
  limiter->calm = 1 << 30;
  for (int index = 0; index < 2; index++) {
    limiter->sums[index] = 0;
    // As a block of ones leaves it.
    for (intptr_t place = 0; place < limiter->half; place++)
      limiter->averages[index][place] = (double)(limiter->half - place);
  }
}

/// The least of the last `window` values with this one.
///
/// As for the means: the least of the rest of the block before, and of the part of the present one that has come.
static inline float leastWith(AuricleLimiter *limiter, float value) {
  const intptr_t place = limiter->position;
  float *values = limiter->minima;
  const float present = value < limiter->present ? value : limiter->present;
  values[place] = value;
  if (place + 1 < limiter->window) {
    limiter->position = place + 1;
    limiter->present = present;
    return values[place + 1] < present ? values[place + 1] : present;
  }
  float least = 1;
  for (intptr_t at = limiter->window; at-- > 0;)
    values[at] = least = values[at] < least ? values[at] : least;
  limiter->position = 0;
  limiter->present = 1;
  return present;
}

/// Makes the sums of a block from each of its places to its end.
static void sumToEnd(double *values, intptr_t count) {
  double left = 0;
  while (count-- > 0) values[count] = left += values[count];
}

/// The mean of the last `half` means of the last `half` values; before the first all were 1.
///
/// Values are added up in blocks of that length: the rest of the block before, and the part of the present one that
/// has come. Nothing is ever subtracted from a sum: an error of rounding of 1 would hide a gain of 1e-16.
static inline double averageTwice(AuricleLimiter *limiter, double value) {
  const intptr_t half = limiter->half, place = limiter->averagePlace;
  double *first = limiter->averages[0], *second = limiter->averages[1];
  const int isEnd = place + 1 == half;
  double sum = limiter->sums[0] + value;
  first[place] = value;
  double mean = ((isEnd ? 0 : first[place + 1]) + sum) / (double)half;
  mean = mean < 1 ? mean : 1;
  limiter->sums[0] = sum;
  sum = limiter->sums[1] + mean;
  second[place] = mean;
  mean = ((isEnd ? 0 : second[place + 1]) + sum) / (double)half;
  limiter->sums[1] = sum;
  limiter->averagePlace = place + 1;
  if (isEnd) {
    sumToEnd(first, half);
    sumToEnd(second, half);
    limiter->sums[0] = limiter->sums[1] = 0;
    limiter->averagePlace = 0;
  }
  return mean < 1 ? mean : 1;
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
    for (intptr_t place = 0; place < limiter->window; place++) limiter->minima[place] = 1;
    limiter->present = 1;
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
    const double gain = averageTwice(&state, envelope);
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
