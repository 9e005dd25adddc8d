// Shows the values of its controls: whole numbers, switches, choices, pushes, bounds that hold.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
  self->value += *self->control[5];
  for (int i = 0; i < 5; ++i) *self->control[7 + i] = *self->control[2 + i];
  *self->control[10] = self->value;
}
FIXTURE("urn:auricle:test:takes-steps", fixture_instantiate, NULL)
