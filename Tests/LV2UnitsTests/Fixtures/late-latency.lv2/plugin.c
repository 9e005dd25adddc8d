// Delays by 48 frames and says so only once it has run.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i, ++self->frame) {
    self->out[i] = self->line[self->frame % 48];
    self->line[self->frame % 48] = self->in[i];
  }
  *self->control[2] = 48;
}
FIXTURE("urn:auricle:test:late-latency", fixture_instantiate, NULL)
