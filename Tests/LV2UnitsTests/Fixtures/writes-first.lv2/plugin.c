// Writes its whole output before it reads its input: both must be memory of their own.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = 7;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
}

FIXTURE("urn:auricle:test:writes-first", fixture_instantiate, NULL)
