// The loops of the reverb for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#define LOOPS "NetworkLoops.h"
#include "BothKinds.h"

void AuricleNetworksDamp(
    const AuricleDampedLines *sixteen, const AuricleDampedLines *eight, intptr_t stride,
    intptr_t phase, intptr_t count) {
  CHOOSE(damp, sixteen, eight, stride, phase, count);
}

void AuricleNetworkMix16(
    float *outputs, intptr_t stride, const float *first, const float *second, float *const *rings,
    intptr_t count) {
  CHOOSE(mix16, outputs, stride, first, second, rings, count);
}

void AuricleNetworkMix8(
    float *outputs, intptr_t stride, const float *first, const float *second, float *const *rings,
    intptr_t count) {
  CHOOSE(mix8, outputs, stride, first, second, rings, count);
}

void AuricleReadMovingLines(
    const AuricleMovingLine *lines, intptr_t lineCount, intptr_t phase, intptr_t count) {
  CHOOSE(readMoving, lines, lineCount, phase, count);
}

/// The Bessel function of order 0 that windows of Kaiser's are made of.
static double bessel(double x) {
  double term = 1, sum = 1;
  for (int k = 1; term > 1e-12 * sum; k++) {
    term *= x * x / (4.0 * k * k);
    sum += term;
  }
  return sum;
}

void AuricleFillMovingWeights(float *table) {
  const double shape = 6.5, reach = 6;
  for (int row = 0; row < AuricleMovingRows; row++) {
    const double behind = row / 64.0 - 1, part = fabs(behind);
    // Such a window lets some frequencies through louder by 9.6e-4, half a frame from the next ones most.
    const double scale = (1 - 9.8e-4 * 4 * part * (1 - part)) / bessel(shape);
    for (int tap = 0; tap < AuricleMovingRow; tap++) {
      const double away = tap - reach + behind, place = away / reach, inside = 1 - place * place;
      const double wave = M_PI * away;
      const double sinc = fabs(wave) < 1e-9 ? 1 : (part == 0 || part == 1) ? 0 : sin(wave) / wave;
      table[row * AuricleMovingRow + tap] =
          inside > 0 ? (float)(scale * sinc * bessel(shape * sqrt(inside))) : 0;
    }
  }
}

void AuricleMove(
    AuricleMovement *movement, double rate, double depth, int32_t isFresh, double frames,
    const float *table, float *weights) {
  CHOOSE(move, movement, rate, depth, isFresh, 1 / frames, table, weights);
}

void AuricleDiffuse(
    const float *source, float *feed, float *const *past, float *const *next, intptr_t stages,
    float coefficient, float change, intptr_t phase, intptr_t count) {
  CHOOSE(diffuse, source, feed, past, next, stages, coefficient, change, phase, count);
}

void AuricleMixRooms(
    float *samples, const float *early, const float *late, const float *gains, intptr_t count) {
  CHOOSE(mixRooms, samples, early, late, gains, count);
}

void AuricleTakeOutSlow(
    const float *first, const float *second, float *firstOutput, float *secondOutput,
    intptr_t phase, intptr_t count, AuricleFollower *follower) {
  CHOOSE(takeOutSlow, first, second, firstOutput, secondOutput, phase, count, follower);
}
