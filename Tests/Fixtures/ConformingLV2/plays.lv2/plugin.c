// An instrument whose level is the velocity of the note that sounds, from its very frame on. For tests.
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "../Notes.h"

typedef struct {
  const LV2_Atom_Sequence *control;
  float *out[2];
  LV2_URID event;
  Notes notes;
} Plays;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *path,
    const LV2_Feature *const *features) {
  (void)descriptor, (void)rate, (void)path;
  Plays *self = calloc(1, sizeof *self);
  if (self != NULL) self->event = midiEventNumber(features);
  return self;
}

static void connect(LV2_Handle handle, uint32_t port, void *data) {
  Plays *self = handle;
  if (port == 0) self->control = data;
  else self->out[port - 1] = data;
}

static void fill(Plays *self, uint32_t first, uint32_t end) {
  const float level = levelOf(&self->notes);
  for (uint32_t frame = first; frame < end; ++frame)
    self->out[0][frame] = self->out[1][frame] = level;
}

static void run(LV2_Handle handle, uint32_t frames) {
  Plays *self = handle;
  uint32_t done = 0;
  LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
    if (event->body.type != self->event || event->body.size != 3) continue;
    fill(self, done, (uint32_t)event->time.frames);
    done = (uint32_t)event->time.frames;
    takeMessage(&self->notes, (const uint8_t *)(event + 1));
  }
  fill(self, done, frames);
}

static const LV2_Descriptor descriptor = {
    "urn:auricle:test:plays", instantiate, connect, NULL, run, NULL, free, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
