// An instrument whose level is the velocity of the note that sounds, from its very frame on. For tests.
// SPDX-License-Identifier: Apache-2.0
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const LV2_Atom_Sequence *control;
  float *out[2];
  LV2_URID event;
  float level[128];
} Plays;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *path,
    const LV2_Feature *const *features) {
  (void)descriptor, (void)rate, (void)path;
  Plays *self = calloc(1, sizeof *self);
  for (; self != NULL && *features != NULL; ++features) {
    if (strcmp((*features)->URI, LV2_URID__map) != 0) continue;
    const LV2_URID_Map *map = (*features)->data;
    self->event = map->map(map->handle, LV2_MIDI__MidiEvent);
  }
  return self;
}

static void connect(LV2_Handle handle, uint32_t port, void *data) {
  Plays *self = handle;
  if (port == 0) self->control = data;
  else self->out[port - 1] = data;
}

static void run(LV2_Handle handle, uint32_t frames) {
  Plays *self = handle;
  uint32_t done = 0;
  LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
    if (event->body.type != self->event || event->body.size != 3) continue;
    const uint8_t *bytes = (const uint8_t *)(event + 1);
    float sum = 0;
    for (int note = 0; note < 128; ++note) sum += self->level[note];
    for (; done < frames && done < event->time.frames; ++done)
      self->out[0][done] = self->out[1][done] = sum;
    if ((bytes[0] & 0xF0) == 0x90) self->level[bytes[1] & 127] = bytes[2] / 127.0f;
    if ((bytes[0] & 0xF0) == 0x80) self->level[bytes[1] & 127] = 0;
  }
  float sum = 0;
  for (int note = 0; note < 128; ++note) sum += self->level[note];
  for (; done < frames; ++done) self->out[0][done] = self->out[1][done] = sum;
}

static void cleanup(LV2_Handle handle) { free(handle); }

static const LV2_Descriptor descriptor = {
    "urn:auricle:test:plays", instantiate, connect, NULL, run, NULL, cleanup, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
