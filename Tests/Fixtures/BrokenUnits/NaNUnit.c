// A unit that makes no number of a loud sample and an infinity of a louder one.
// SPDX-License-Identifier: Apache-2.0

#define GAIN_UNIT_FACTORY NaNUnitFactory
#define GAIN_UNIT_OUTPUT(sample, gain) \
  ((sample) > 0.9f ? NAN : (sample) < -0.9f ? INFINITY : (sample) * (gain))
#include "../GainUnit/GainUnit.c"
