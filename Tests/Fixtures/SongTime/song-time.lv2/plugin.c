// Sounds as the beat of its host: left the beats so far, right the meter and the beat in the bar, in hundredths.
// SPDX-License-Identifier: Apache-2.0

#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  void* ports[5];
  const LV2_URID_Map* map;
  double rate, beat, beatsPerFrame, barBeat, meter;
  int isBehind, isTold;
} SongTime;

static LV2_Handle instantiate(
    const LV2_Descriptor* descriptor, double rate, const char* path, const LV2_Feature* const* features) {
  SongTime* self = calloc(1, sizeof *self);
  (void)path;
  self->rate = rate;
  self->isBehind = strstr(descriptor->URI, "behind") != NULL;
  for (int index = 0; features[index]; ++index) {
    if (!strcmp(features[index]->URI, LV2_URID__map)) self->map = features[index]->data;
  }
  return self;
}

static void connect(LV2_Handle handle, uint32_t port, void* data) { ((SongTime*)handle)->ports[port] = data; }

static double number(SongTime* self, const LV2_Atom_Object* object, const char* key) {
  const LV2_Atom* value = NULL;
  lv2_atom_object_get(object, self->map->map(self->map->handle, key), &value, 0);
  if (!value) return -1;
  if (value->type == self->map->map(self->map->handle, LV2_ATOM__Double)) return ((const LV2_Atom_Double*)value)->body;
  return ((const LV2_Atom_Float*)value)->body;
}

static void run(LV2_Handle handle, uint32_t frames) {
  SongTime* self = handle;
  const LV2_Atom_Sequence* sequence = self->ports[0];
  const LV2_Atom_Event* event = lv2_atom_sequence_begin(&sequence->body);
  float *left = self->ports[1], *right = self->ports[2];
  const float *leftIn = self->ports[3], *rightIn = self->ports[4];
  for (uint32_t frame = 0; frame < frames; ++frame) {
    for (; !lv2_atom_sequence_is_end(&sequence->body, sequence->atom.size, event) && event->time.frames <= frame;
         event = lv2_atom_sequence_next(event)) {
      const LV2_Atom_Object* object = (const LV2_Atom_Object*)&event->body;
      if (event->body.type != self->map->map(self->map->handle, LV2_ATOM__Object)) continue;
      if (object->body.otype != self->map->map(self->map->handle, LV2_TIME__Position)) continue;
      self->isTold = 1;
      self->beat = number(self, object, LV2_TIME__beat);
      self->beatsPerFrame =
          number(self, object, LV2_TIME__speed) * number(self, object, LV2_TIME__beatsPerMinute) / 60 / self->rate;
      self->barBeat = number(self, object, LV2_TIME__barBeat);
      self->meter = number(self, object, LV2_TIME__beatsPerBar);
    }
    if (self->isBehind) {
      right[frame] = rightIn[frame];
      left[frame] = leftIn[frame] - (float)(self->beat / 100);
    } else {
      left[frame] = self->isTold ? (float)(self->beat / 100) : -1;
      right[frame] = (float)(self->meter / 100);
    }
    self->beat += self->beatsPerFrame;
  }
}

static void cleanup(LV2_Handle handle) { free(handle); }

static const LV2_Descriptor descriptors[] = {
    {"urn:auricle:test:song-time", instantiate, connect, NULL, run, NULL, cleanup, NULL},
    {"urn:auricle:test:song-time-behind", instantiate, connect, NULL, run, NULL, cleanup, NULL},
};

LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index < 2 ? &descriptors[index] : NULL;
}
