// Requires rare features, and shows on a meter how many of them work as they should.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/atom.h>
#include <lv2/data-access/data-access.h>
#include <lv2/instance-access/instance-access.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/uri-map/uri-map.h>

typedef struct {
  const float* in;
  float* out;
  float* right;
  const float* gain;
  const LV2_Atom_Sequence* big;
  const float* spare;
  const LV2_Feature* const* features;
} Self;

static const void* extension_data(const char* uri) {
  return strcmp(uri, "urn:auricle:test:own-data") ? NULL : "own data";
}
static void run(LV2_Handle handle, uint32_t frames) {
  Self* self = handle;
  const LV2_Feature* const* features = self->features;
  int right = 0;
  const LV2_Extension_Data_Feature* data = fixture_feature(features, LV2_DATA_ACCESS_URI);
  const char* text = data ? data->data_access("urn:auricle:test:own-data") : NULL;
  right += text && !strcmp(text, "own data");
  right += fixture_feature(features, LV2_INSTANCE_ACCESS_URI) == handle;
  const LV2_Resize_Port_Resize* resize = fixture_feature(features, LV2_RESIZE_PORT__resize);
  right += resize && resize->resize(resize->data, 4, 4096) == LV2_RESIZE_PORT_SUCCESS;
  right += resize && resize->resize(resize->data, 4, 1u << 30) != LV2_RESIZE_PORT_SUCCESS;
  // The whole room of an output port is announced before a run.
  right += self->big && self->big->atom.size >= 100000;
  const LV2_URI_Map_Feature* map = fixture_feature(features, LV2_URI_MAP_URI);
  const LV2_URID_Map* urids = fixture_feature(features, LV2_URID__map);
  right += map && urids &&
    map->uri_to_id(map->callback_data, NULL, "urn:x") == urids->map(urids->handle, "urn:x");
  *self->right = (float)right;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * *self->gain;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path;
  Self* self = calloc(1, sizeof(Self));
  self->features = features;
  return self;
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  if (port < 6) ((void**)handle)[port] = data;
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:uses-features", instantiate, connect, NULL, run, NULL, fixture_cleanup,
  extension_data};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
