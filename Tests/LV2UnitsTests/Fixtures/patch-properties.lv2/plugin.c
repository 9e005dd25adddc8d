// A gain and a file that messages set; the file is read by the worker, and both are state.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/worker/worker.h>
#include <stdio.h>

#define BASE "urn:auricle:test:patch-properties#"
typedef struct {
  const float* in;
  float* out;
  const LV2_Atom_Sequence* control;
  LV2_Atom_Sequence* notify;
  const LV2_Worker_Schedule* schedule;
  const LV2_URID_Map* map;
  LV2_Atom_Forge forge;
  LV2_URID gain_key, file_key, steps_key, level_key, get, set, put, body, property, value;
  float gain, factor;
  int32_t steps;
  char path[1024];
} Self;

static LV2_URID urid(Self* self, const char* uri) { return self->map->map(self->map->handle, uri); }

static void set_value(Self* self, LV2_URID key, const LV2_Atom* value) {
  if (key == self->gain_key && value->type == self->forge.Float)
    self->gain = ((const LV2_Atom_Float*)value)->body;
  else if (key == self->steps_key && value->type == self->forge.Int)
    self->steps = ((const LV2_Atom_Int*)value)->body;
  else if (key == self->file_key && value->type == self->forge.Path)
    self->schedule->schedule_work(self->schedule->handle, value->size, LV2_ATOM_BODY_CONST(value));
}

static void run(LV2_Handle handle, uint32_t frames) {
  Self* self = handle;
  uint32_t frame = 0;
  int asked = 0;
  LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
    for (; frame < event->time.frames && frame < frames; ++frame)
      self->out[frame] = self->in[frame] * self->gain * self->factor;
    const LV2_Atom_Object* object = (const LV2_Atom_Object*)&event->body;
    if (event->body.type != self->forge.Object) continue;
    if (object->body.otype == self->get) asked = 1;
    if (object->body.otype != self->set) continue;
    const LV2_Atom *key = NULL, *value = NULL;
    lv2_atom_object_get(object, self->property, &key, self->value, &value, 0);
    if (key && value) set_value(self, ((const LV2_Atom_URID*)key)->body, value);
  }
  for (; frame < frames; ++frame) self->out[frame] = self->in[frame] * self->gain * self->factor;

  lv2_atom_forge_set_buffer(&self->forge, (uint8_t*)self->notify, self->notify->atom.size + 8);
  LV2_Atom_Forge_Frame sequence, message, properties;
  lv2_atom_forge_sequence_head(&self->forge, &sequence, 0);
  if (asked) {
    lv2_atom_forge_frame_time(&self->forge, 0);
    lv2_atom_forge_object(&self->forge, &message, 0, self->put);
    lv2_atom_forge_key(&self->forge, self->body);
    lv2_atom_forge_object(&self->forge, &properties, 0, 0);
    lv2_atom_forge_key(&self->forge, self->gain_key);
    lv2_atom_forge_float(&self->forge, self->gain);
    lv2_atom_forge_key(&self->forge, self->file_key);
    lv2_atom_forge_path(&self->forge, self->path, (uint32_t)strlen(self->path) + 1);
    lv2_atom_forge_pop(&self->forge, &properties);
    lv2_atom_forge_pop(&self->forge, &message);
  }
  lv2_atom_forge_frame_time(&self->forge, 0);
  lv2_atom_forge_object(&self->forge, &message, 0, self->set);
  lv2_atom_forge_key(&self->forge, self->property);
  lv2_atom_forge_urid(&self->forge, self->level_key);
  lv2_atom_forge_key(&self->forge, self->value);
  lv2_atom_forge_float(&self->forge, self->gain * 10 + (float)self->steps);
  lv2_atom_forge_pop(&self->forge, &message);
  lv2_atom_forge_pop(&self->forge, &sequence);
}

// The first byte of the file, as a digit, is a factor.
static float read_factor(const char* path) {
  FILE* file = fopen(path, "r");
  const int c = file ? fgetc(file) : EOF;
  if (file) fclose(file);
  return c >= '0' && c <= '9' ? (float)(c - '0') : 1;
}
static LV2_Worker_Status work(
  LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to,
  uint32_t size, const void* body) {
  Self* self = handle;
  if (size > sizeof self->path) return LV2_WORKER_ERR_NO_SPACE;
  memcpy(self->path, body, size);
  const float factor = read_factor(self->path);
  return respond(to, sizeof factor, &factor);
}
static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void* body) {
  if (size == sizeof(float)) ((Self*)handle)->factor = *(const float*)body;
  return LV2_WORKER_SUCCESS;
}

static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
  const LV2_Feature* const* features) {
  Self* self = handle;
  (void)flags;
  const uint32_t plain = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
  store(to, self->gain_key, &self->gain, 4, self->forge.Float, plain);
  const LV2_State_Map_Path* paths = fixture_feature(features, LV2_STATE__mapPath);
  const LV2_State_Free_Path* owner = fixture_feature(features, LV2_STATE__freePath);
  if (!self->path[0]) return LV2_STATE_SUCCESS;
  if (!paths || !owner) return LV2_STATE_ERR_NO_FEATURE;
  char* path = paths->abstract_path(paths->handle, self->path);
  store(to, self->file_key, path, strlen(path) + 1, self->forge.Path, plain);
  owner->free_path(owner->handle, path);
  return LV2_STATE_SUCCESS;
}
static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
  const LV2_Feature* const* features) {
  Self* self = handle;
  size_t size = 0;
  uint32_t type = 0;
  const float* gain = retrieve(from, self->gain_key, &size, &type, &flags);
  if (gain) self->gain = *gain;
  const char* stored = retrieve(from, self->file_key, &size, &type, &flags);
  if (!stored) return LV2_STATE_SUCCESS;
  const LV2_State_Map_Path* paths = fixture_feature(features, LV2_STATE__mapPath);
  const LV2_State_Free_Path* owner = fixture_feature(features, LV2_STATE__freePath);
  const LV2_Worker_Schedule* schedule = fixture_feature(features, LV2_WORKER__schedule);
  if (!paths || !owner || !schedule) return LV2_STATE_ERR_NO_FEATURE;
  char* path = paths->absolute_path(paths->handle, stored);
  if (path) schedule->schedule_work(schedule->handle, (uint32_t)strlen(path) + 1, path);
  if (path) owner->free_path(owner->handle, path);
  return LV2_STATE_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_State_Interface states = {save, restore};
  static const LV2_Worker_Interface worker = {work, work_response, NULL};
  if (!strcmp(uri, LV2_STATE__interface)) return &states;
  return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path;
  Self* self = calloc(1, sizeof(Self));
  self->map = fixture_feature(features, LV2_URID__map);
  self->schedule = fixture_feature(features, LV2_WORKER__schedule);
  lv2_atom_forge_init(&self->forge, (LV2_URID_Map*)self->map);
  self->gain = self->factor = 1;
  self->gain_key = urid(self, BASE "gain");
  self->file_key = urid(self, BASE "file");
  self->steps_key = urid(self, BASE "steps");
  self->level_key = urid(self, BASE "level");
  self->get = urid(self, LV2_PATCH__Get);
  self->set = urid(self, LV2_PATCH__Set);
  self->put = urid(self, LV2_PATCH__Put);
  self->body = urid(self, LV2_PATCH__body);
  self->property = urid(self, LV2_PATCH__property);
  self->value = urid(self, LV2_PATCH__value);
  return self;
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  ((void**)handle)[port] = data;
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:patch-properties", instantiate, connect, NULL, run, NULL, fixture_cleanup,
  extension_data};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
