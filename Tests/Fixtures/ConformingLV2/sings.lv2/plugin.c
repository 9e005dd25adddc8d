// A stereo gain in decibels that adds the velocities of the notes that sound, from their very frame on. For tests.
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "../Notes.h"

typedef struct {
  const LV2_Atom_Sequence *control;
  const float *in[2], *gain, *mute;
  float *out[2];
  LV2_URID event;
  Notes notes;
} Sings;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *path,
    const LV2_Feature *const *features) {
  (void)descriptor, (void)path;
  if (rate > 384000) return NULL;  // refuses, so that its host has to
  Sings *self = calloc(1, sizeof *self);
  if (self != NULL) self->event = midiEventNumber(features);
  return self;
}

static void connect(LV2_Handle handle, uint32_t port, void *data) {
  Sings *self = handle;
  switch (port) {
    case 0:
    case 1: self->in[port] = data; break;
    case 2:
    case 3: self->out[port - 2] = data; break;
    case 4: self->gain = data; break;
    case 5: self->mute = data; break;
    default: self->control = data;
  }
}

static void fill(Sings *self, uint32_t first, uint32_t end) {
  const float gain = *self->mute >= 0.5f ? 0 : powf(10, *self->gain / 20);
  const float level = levelOf(&self->notes);
  for (int channel = 0; channel < 2; ++channel)
    for (uint32_t frame = first; frame < end; ++frame)
      self->out[channel][frame] = self->in[channel][frame] * gain + level;
}

static void run(LV2_Handle handle, uint32_t frames) {
  Sings *self = handle;
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
    "urn:auricle:test:sings", instantiate, connect, NULL, run, NULL, free, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
