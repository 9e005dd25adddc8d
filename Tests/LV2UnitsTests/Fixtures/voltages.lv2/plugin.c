// Multiplies by a control voltage, and outputs twice that voltage.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) {
    self->out[i] = self->in[i] * self->control[2][i];
    self->control[3][i] = self->control[2][i] * 2;
  }
}
FIXTURE("urn:auricle:test:voltages", fixture_instantiate, NULL)
