// Halves its input from the first sample above 0.9 on, and sends state:StateChanged then; that is its state.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/forge.h>
#include <lv2/state/state.h>

typedef struct {
  const float* in;
  float* out;
  LV2_Atom_Sequence* notify;
  LV2_Atom_Forge forge;
  LV2_URID changed, key;
  int32_t has_learnt;
} Self;

static void run(LV2_Handle handle, uint32_t frames) {
  Self* self = handle;
  const int32_t before = self->has_learnt;
  for (uint32_t i = 0; i < frames; ++i) {
    if (self->in[i] > 0.9f) self->has_learnt = 1;
    self->out[i] = self->in[i] * (self->has_learnt ? 0.5f : 1);
  }
  lv2_atom_forge_set_buffer(&self->forge, (uint8_t*)self->notify, self->notify->atom.size + 8);
  LV2_Atom_Forge_Frame sequence, message;
  lv2_atom_forge_sequence_head(&self->forge, &sequence, 0);
  if (self->has_learnt != before) {
    lv2_atom_forge_frame_time(&self->forge, 0);
    lv2_atom_forge_object(&self->forge, &message, 0, self->changed);
    lv2_atom_forge_pop(&self->forge, &message);
  }
  lv2_atom_forge_pop(&self->forge, &sequence);
}

static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
  const LV2_Feature* const* features) {
  Self* self = handle;
  (void)flags, (void)features;
  return store(
    to, self->key, &self->has_learnt, 4, self->forge.Int, LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
}
static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
  const LV2_Feature* const* features) {
  Self* self = handle;
  (void)features;
  size_t size = 0;
  uint32_t type = 0;
  const int32_t* found = retrieve(from, self->key, &size, &type, &flags);
  if (found) self->has_learnt = *found;
  return LV2_STATE_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_State_Interface states = {save, restore};
  return strcmp(uri, LV2_STATE__interface) ? NULL : &states;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path;
  Self* self = calloc(1, sizeof(Self));
  LV2_URID_Map* map = (LV2_URID_Map*)fixture_feature(features, LV2_URID__map);
  lv2_atom_forge_init(&self->forge, map);
  self->changed = map->map(map->handle, LV2_STATE__StateChanged);
  self->key = map->map(map->handle, "urn:auricle:test:tells-changes#learnt");
  return self;
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  ((void**)handle)[port] = data;
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:tells-changes", instantiate, connect, NULL, run, NULL, fixture_cleanup,
  extension_data};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
