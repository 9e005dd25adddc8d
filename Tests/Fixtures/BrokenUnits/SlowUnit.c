// A unit that needs 20 ms for every sample above 0.9.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <time.h>

static float slowly(float sample) {
  const struct timespec pause = {0, 20000000};
  nanosleep(&pause, 0);
  return sample;
}

#define GAIN_UNIT_FACTORY SlowUnitFactory
#define GAIN_UNIT_OUTPUT(sample, gain) ((sample) > 0.9f ? slowly(sample) : (sample) * (gain))
#include "../GainUnit/GainUnit.c"
