// An integrator that no activation empties.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->value = self->value + self->in[i];
}
FIXTURE("urn:auricle:test:keeps-history", fixture_instantiate, NULL)
