// Keeps its gain in a file that it makes when it is saved.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/atom.h>
#include <lv2/state/state.h>
#include <stdio.h>
#define KEY "urn:auricle:test:makes-files#file"
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  const float gain = *self->control[2];
  if (gain != 1) self->value = gain;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * self->value;
}
static LV2_URID urid(Fixture* self, const char* uri) {
  const LV2_URID_Map* map = self->data;
  return map->map(map->handle, uri);
}
static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
  const LV2_Feature* const* features) {
  Fixture* self = handle;
  (void)flags;
  const LV2_State_Make_Path* maker = fixture_feature(features, LV2_STATE__makePath);
  const LV2_State_Map_Path* mapper = fixture_feature(features, LV2_STATE__mapPath);
  const LV2_State_Free_Path* owner = fixture_feature(features, LV2_STATE__freePath);
  char* path = maker->path(maker->handle, "inner/gain.txt");
  FILE* file = path ? fopen(path, "w") : NULL;
  if (!file) return LV2_STATE_ERR_UNKNOWN;
  fprintf(file, "%d", (int)self->value);
  fclose(file);
  char* stored = mapper->abstract_path(mapper->handle, path);
  store(to, urid(self, KEY), stored, strlen(stored) + 1, urid(self, LV2_ATOM__Path),
    LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
  owner->free_path(owner->handle, stored);
  owner->free_path(owner->handle, path);
  return LV2_STATE_SUCCESS;
}
static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
  const LV2_Feature* const* features) {
  Fixture* self = handle;
  size_t size = 0;
  uint32_t type = 0;
  const char* stored = retrieve(from, urid(self, KEY), &size, &type, &flags);
  if (!stored) return LV2_STATE_SUCCESS;
  const LV2_State_Map_Path* mapper = fixture_feature(features, LV2_STATE__mapPath);
  char* path = mapper->absolute_path(mapper->handle, stored);
  FILE* file = path ? fopen(path, "r") : NULL;
  int gain = 1;
  if (file && fscanf(file, "%d", &gain) == 1) self->value = (float)gain;
  if (file) fclose(file);
  free(path);
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
  self->value = 1;
  return self;
}
FIXTURE("urn:auricle:test:makes-files", instantiate, extension_data)
