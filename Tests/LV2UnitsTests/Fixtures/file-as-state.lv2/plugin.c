// Accepts a file in a state alone: its worker fails with the path that a message brings.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/util.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/worker/worker.h>
#include <stdio.h>

typedef struct {
  const float* in;
  float* out;
  const LV2_Atom_Sequence* control;
  const LV2_Worker_Schedule* schedule;
  LV2_URID file, set;
  float factor;
} Self;

static void run(LV2_Handle handle, uint32_t frames) {
  Self* self = handle;
  LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
    const LV2_Atom_Object* object = (const LV2_Atom_Object*)&event->body;
    if (object->body.otype == self->set)
      self->schedule->schedule_work(self->schedule->handle, 4, "path");
  }
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * self->factor;
}
static LV2_Worker_Status work(
  LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to,
  uint32_t size, const void* body) {
  (void)handle, (void)respond, (void)to, (void)size, (void)body;
  return LV2_WORKER_ERR_UNKNOWN;
}
static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
  const LV2_Feature* const* features) {
  (void)handle, (void)store, (void)to, (void)flags, (void)features;
  return LV2_STATE_SUCCESS;
}
static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
  const LV2_Feature* const* features) {
  (void)features;
  size_t size = 0;
  uint32_t type = 0;
  const char* path = retrieve(from, ((Self*)handle)->file, &size, &type, &flags);
  FILE* file = path ? fopen(path, "r") : NULL;
  if (!file) return LV2_STATE_ERR_NO_PROPERTY;
  ((Self*)handle)->factor = (float)(fgetc(file) - '0');
  fclose(file);
  return LV2_STATE_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_State_Interface states = {save, restore};
  static const LV2_Worker_Interface worker = {work, NULL, NULL};
  if (!strcmp(uri, LV2_STATE__interface)) return &states;
  return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path;
  Self* self = calloc(1, sizeof(Self));
  const LV2_URID_Map* map = fixture_feature(features, LV2_URID__map);
  self->schedule = fixture_feature(features, LV2_WORKER__schedule);
  self->file = map->map(map->handle, "urn:auricle:test:file-as-state#file");
  self->set = map->map(map->handle, LV2_PATCH__Set);
  self->factor = 1;
  return self;
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  if (port < 3) ((void**)handle)[port] = data;
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:file-as-state", instantiate, connect, NULL, run, NULL, fixture_cleanup,
  extension_data};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
