// Never sets a part of its state, and so depends on the memory it gets.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] + self->value;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path, (void)features;
  return malloc(sizeof(Fixture));
}
FIXTURE("urn:auricle:test:never-sets", instantiate, NULL)
