// A property of each type, set and reported by messages. Output: the sum of the numbers and of the lengths of
// the texts. A value of a wrong type is ignored.
// SPDX-License-Identifier: Apache-2.0
#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include "../fixture.h"

#define BASE "urn:auricle:test:every-property#"
enum { INT, LONG, FLOAT, DOUBLE, BOOL, STRING, PATH, URI, COUNT };
static const char* const names[COUNT] = {
  BASE "int", BASE "long", BASE "float", BASE "double", BASE "bool", BASE "string", BASE "path", BASE "uri"};

typedef struct {
  Fixture base;
  const LV2_Atom_Sequence* control;
  LV2_Atom_Sequence* notify;
  LV2_Atom_Forge forge;
  LV2_URID keys[COUNT], types[COUNT], asked_key, set, get, put, body, property, value;
  double numbers[STRING];
  char texts[COUNT - STRING][256];
  int asked;
} Every;

static void connect(LV2_Handle handle, uint32_t port, void* data) {
  Every* self = handle;
  if (port == 2) self->control = data;
  else if (port == 3) self->notify = data;
  else fixture_connect(handle, port, data);
}

static void take(Every* self, LV2_URID key, LV2_URID type, const void* body, size_t size) {
  for (int i = 0; i < COUNT; ++i) {
    if (self->keys[i] != key || self->types[i] != type) continue;
    if (i >= STRING) {
      if (size > 256) return;
      memcpy(self->texts[i - STRING], body, size);
    } else if (i == LONG) self->numbers[i] = (double)*(const int64_t*)body;
    else if (i == FLOAT) self->numbers[i] = *(const float*)body;
    else if (i == DOUBLE) self->numbers[i] = *(const double*)body;
    else self->numbers[i] = *(const int32_t*)body;
  }
}

static void tell(Every* self) {
  LV2_Atom_Forge* forge = &self->forge;
  LV2_Atom_Forge_Frame message, body;
  lv2_atom_forge_frame_time(forge, 0);
  lv2_atom_forge_object(forge, &message, 0, self->put);
  lv2_atom_forge_key(forge, self->body);
  lv2_atom_forge_object(forge, &body, 0, 0);
  lv2_atom_forge_key(forge, self->asked_key);
  lv2_atom_forge_float(forge, (float)++self->asked);
  lv2_atom_forge_key(forge, self->keys[INT]);
  lv2_atom_forge_int(forge, (int32_t)self->numbers[INT]);
  lv2_atom_forge_key(forge, self->keys[URI]);
  lv2_atom_forge_uri(forge, self->texts[URI - STRING], (uint32_t)strlen(self->texts[URI - STRING]));
  lv2_atom_forge_pop(forge, &body);
  lv2_atom_forge_pop(forge, &message);
}

static void run(LV2_Handle handle, uint32_t frames) {
  Every* self = handle;
  LV2_Atom_Forge_Frame sequence;
  lv2_atom_forge_set_buffer(&self->forge, (uint8_t*)self->notify, self->notify->atom.size);
  lv2_atom_forge_sequence_head(&self->forge, &sequence, 0);
  LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
    const LV2_Atom_Object* object = (const LV2_Atom_Object*)&event->body;
    if (!lv2_atom_forge_is_object_type(&self->forge, event->body.type)) continue;
    if (object->body.otype == self->get) tell(self);
    if (object->body.otype != self->set) continue;
    const LV2_Atom *property = NULL, *value = NULL;
    lv2_atom_object_get(object, self->property, &property, self->value, &value, 0);
    if (property && value)
      take(self, ((const LV2_Atom_URID*)property)->body, value->type, value + 1, value->size);
  }
  lv2_atom_forge_pop(&self->forge, &sequence);
  double sum = 0;
  for (int i = 0; i < STRING; ++i) sum += self->numbers[i];
  for (int i = 0; i < COUNT - STRING; ++i) sum += (double)strlen(self->texts[i]);
  for (uint32_t i = 0; i < frames; ++i) self->base.out[i] = (float)sum;
}

static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state, uint32_t flags,
  const LV2_Feature* const* features) {
  const Every* self = handle;
  (void)flags, (void)features;
  const uint32_t kind = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
  const int32_t whole[] = {(int32_t)self->numbers[INT], (int32_t)self->numbers[BOOL]};
  const int64_t wide = (int64_t)self->numbers[LONG];
  const float single = (float)self->numbers[FLOAT];
  store(state, self->keys[INT], &whole[0], 4, self->types[INT], kind);
  store(state, self->keys[BOOL], &whole[1], 4, self->types[BOOL], kind);
  store(state, self->keys[LONG], &wide, 8, self->types[LONG], kind);
  store(state, self->keys[FLOAT], &single, 4, self->types[FLOAT], kind);
  store(state, self->keys[DOUBLE], &self->numbers[DOUBLE], 8, self->types[DOUBLE], kind);
  for (int i = STRING; i < COUNT; ++i) {
    const char* text = self->texts[i - STRING];
    if (*text && i != PATH) store(state, self->keys[i], text, strlen(text) + 1, self->types[i], kind);
  }
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle state, uint32_t flags,
  const LV2_Feature* const* features) {
  Every* self = handle;
  (void)flags, (void)features;
  for (int i = 0; i < COUNT; ++i) {
    size_t size = 0;
    uint32_t type = 0, kind = 0;
    const void* body = retrieve(state, self->keys[i], &size, &type, &kind);
    if (body) take(self, self->keys[i], type, body, size);
  }
  return LV2_STATE_SUCCESS;
}

static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path;
  LV2_URID_Map* map = (LV2_URID_Map*)fixture_feature(features, LV2_URID__map);
  Every* self = calloc(1, sizeof(Every));
  lv2_atom_forge_init(&self->forge, map);
  const LV2_Atom_Forge* forge = &self->forge;
  const LV2_URID types[COUNT] = {forge->Int, forge->Long, forge->Float, forge->Double,
                                 forge->Bool, forge->String, forge->Path, forge->URI};
  memcpy(self->types, types, sizeof types);
  for (int i = 0; i < COUNT; ++i) self->keys[i] = map->map(map->handle, names[i]);
  self->asked_key = map->map(map->handle, BASE "asked");
  self->set = map->map(map->handle, LV2_PATCH__Set);
  self->get = map->map(map->handle, LV2_PATCH__Get);
  self->put = map->map(map->handle, LV2_PATCH__Put);
  self->body = map->map(map->handle, LV2_PATCH__body);
  self->property = map->map(map->handle, LV2_PATCH__property);
  self->value = map->map(map->handle, LV2_PATCH__value);
  return self;
}

static const void* extension_data(const char* uri) {
  static const LV2_State_Interface states = {save, restore};
  return strcmp(uri, LV2_STATE__interface) ? NULL : &states;
}

LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  static const LV2_Descriptor descriptor = {
    "urn:auricle:test:every-property", instantiate, connect, NULL, run, NULL, fixture_cleanup,
    extension_data};
  return index ? NULL : &descriptor;
}
