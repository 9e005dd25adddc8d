// Writes the value of its first control into the sound.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = *self->control[2];
}

FIXTURE("urn:auricle:test:open-ranges", fixture_instantiate, NULL)
