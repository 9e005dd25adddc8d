// Multiplies by a control and by a gain that only a preset or the default state sets.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/atom.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * self->value * *self->control[2];
}
static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
  const LV2_Feature* const* features) {
  (void)flags, (void)features;
  Fixture* self = handle;
  const LV2_URID_Map* map = self->data;
  size_t size = 0;
  uint32_t type = 0, value_flags = 0;
  const float* gain = retrieve(
    from, map->map(map->handle, "urn:auricle:test:gain"), &size, &type, &value_flags);
  if (gain && size == sizeof *gain && type == map->map(map->handle, LV2_ATOM__Float))
    self->value = *gain;
  return LV2_STATE_SUCCESS;
}
static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
  const LV2_Feature* const* features) {
  (void)handle, (void)store, (void)to, (void)flags, (void)features;
  return LV2_STATE_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_State_Interface interface = {save, restore};
  return strcmp(uri, LV2_STATE__interface) ? NULL : &interface;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  Fixture* self = fixture_instantiate(d, rate, path, features);
  self->data = fixture_feature(features, LV2_URID__map);
  return self;
}
FIXTURE("urn:auricle:test:preset-with-state", instantiate, extension_data)
