// Shows the host's time: frame, speed, tempo, beats a bar, beat in the bar, and the number of reports.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/time/time.h>
static const char* const keys[] = {
  LV2_TIME__frame, LV2_TIME__speed, LV2_TIME__beatsPerMinute, LV2_TIME__beatsPerBar,
  LV2_TIME__barBeat};
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  LV2_URID_Map* map = (LV2_URID_Map*)self->data;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
  const LV2_Atom_Sequence* sequence = (const LV2_Atom_Sequence*)self->control[2];
  LV2_ATOM_SEQUENCE_FOREACH(sequence, event) {
    const LV2_Atom_Object* object = (const LV2_Atom_Object*)&event->body;
    if (object->body.otype != map->map(map->handle, LV2_TIME__Position)) continue;
    self->value += 1;
    *self->control[9] = (float)event->time.frames;
    for (int key = 0; key < 5; ++key) {
      const LV2_Atom* value = NULL;
      lv2_atom_object_get(object, map->map(map->handle, keys[key]), &value, 0);
      if (!value) continue;
      if (value->type == map->map(map->handle, LV2_ATOM__Long))
        *self->control[3 + key] = (float)((const LV2_Atom_Long*)value)->body;
      else
        *self->control[3 + key] = ((const LV2_Atom_Float*)value)->body;
    }
  }
  *self->control[8] = self->value;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  Fixture* self = fixture_instantiate(d, rate, path, features);
  self->data = fixture_feature(features, LV2_URID__map);
  return self;
}
FIXTURE("urn:auricle:test:tells-time", instantiate, NULL)
