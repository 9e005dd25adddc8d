// Doubles unless it is switched off; reports whether it is free-wheeling.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  const float gain = *self->control[2] > 0 ? 2 : 1;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * gain;
  *self->control[4] = *self->control[3];
}
FIXTURE("urn:auricle:test:switches-off", fixture_instantiate, NULL)
