// Is late by one number of frames, from a frame on by another, and says so.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

enum { ROOM = 8192 };
typedef struct {
  Fixture base;
  float line[ROOM];
} Changing;

static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path, (void)features;
  return calloc(1, sizeof(Changing));
}

static void run(LV2_Handle handle, uint32_t frames) {
  Changing* self = handle;
  Fixture* base = &self->base;
  uint32_t late = 0;
  for (uint32_t i = 0; i < frames; ++i, ++base->frame) {
    late = (uint32_t)*base->control[base->frame < (uint32_t)*base->control[4] ? 2 : 3];
    self->line[base->frame % ROOM] = base->in[i];
    base->out[i] = self->line[(base->frame + ROOM - late) % ROOM];
  }
  *base->control[5] = (float)late;
}

FIXTURE("urn:auricle:test:changes-latency", instantiate, NULL)
