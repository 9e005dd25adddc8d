// Is 48 frames late from the start on, and says so in its fourth run only.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) {
    self->out[i] = self->line[self->frame % 48];
    self->line[self->frame++ % 48] = self->in[i];
  }
  self->value += 1;
  *self->control[2] = self->value >= 4 ? 48 : 0;
}

FIXTURE("urn:auricle:test:settles", fixture_instantiate, NULL)
