// Is 48 frames late from the start on, and says so after a second and a half only.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) {
    self->out[i] = self->line[self->frame % 48];
    self->line[self->frame++ % 48] = self->in[i];
  }
  *self->control[2] = self->frame >= 72000 ? 48 : 0;
}

FIXTURE("urn:auricle:test:settles-late", fixture_instantiate, NULL)
