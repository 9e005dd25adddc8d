// Leaves the rounding changed when it has run, and reports how it found it.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <fenv.h>
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  const float mode = (float)(fegetround() == FE_TONEAREST);
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = mode;
  fesetround(FE_UPWARD);
}
FIXTURE("urn:auricle:test:changes-rounding", fixture_instantiate, NULL)
