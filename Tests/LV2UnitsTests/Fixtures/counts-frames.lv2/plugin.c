// Makes the number of frames of each run, times a gain.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = (float)frames * *self->control[2];
}

FIXTURE("urn:auricle:test:counts-frames", fixture_instantiate, NULL)
