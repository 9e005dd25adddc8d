// Outputs NaN from frame 100 on.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i, ++self->frame)
    self->out[i] = self->frame < 100 ? self->in[i] : NAN;
}
FIXTURE("urn:auricle:test:makes-nan", fixture_instantiate, NULL)
