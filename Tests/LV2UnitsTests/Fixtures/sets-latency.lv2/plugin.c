// Reports the latency that a control asks for.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
  *self->control[3] = *self->control[2];
}
FIXTURE("urn:auricle:test:sets-latency", fixture_instantiate, NULL)
