// Instantiate returns nothing.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
}

static LV2_Handle refuse(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path, (void)features;
  return NULL;
}
FIXTURE("urn:auricle:test:refuses", refuse, NULL)
