// The loops of the reverb for both kinds of processors.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#define LOOPS "NetworkLoops.h"
#include "BothKinds.h"

void AuricleNetworksDamp(
    const AuricleDampedLines *sixteen, const AuricleDampedLines *eight, intptr_t stride,
    intptr_t count) {
  CHOOSE(damp, sixteen, eight, stride, count);
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

void AuricleMove(
    AuricleMovement *movement, double rate, double depth, int32_t isFresh, double frames) {
  CHOOSE(move, movement, rate, depth, isFresh, 1 / frames);
}

void AuricleDiffuse(
    const float *source, float *feed, float *const *past, float *const *next, intptr_t stages,
    float coefficient, intptr_t count) {
  CHOOSE(diffuse, source, feed, past, next, stages, coefficient, count);
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
