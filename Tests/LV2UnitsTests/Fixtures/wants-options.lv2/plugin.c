// Refuses to live without its options; a gain can be set through the options interface.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
static LV2_URID_Map* map;
static LV2_URID urid(const char* uri) { return map->map(map->handle, uri); }
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * self->value;
  *self->control[2] = self->pending;
}
static uint32_t get(LV2_Handle handle, LV2_Options_Option* options) {
  Fixture* self = handle;
  for (; options->key; ++options) {
    if (options->key != urid("urn:auricle:test:option-gain")) return LV2_OPTIONS_ERR_BAD_KEY;
    options->size = sizeof(float);
    options->type = urid(LV2_ATOM__Float);
    options->value = &self->value;
  }
  return LV2_OPTIONS_SUCCESS;
}
static uint32_t set(LV2_Handle handle, const LV2_Options_Option* options) {
  Fixture* self = handle;
  for (; options->key; ++options) {
    // A whole number of tenths, in no other type.
    if (options->key == urid("urn:auricle:test:option-tenths")) {
      if (options->type != urid(LV2_ATOM__Long)) return LV2_OPTIONS_ERR_BAD_VALUE;
      self->value = (float)*(const int64_t*)options->value / 10;
      continue;
    }
    if (options->key != urid("urn:auricle:test:option-gain")) return LV2_OPTIONS_ERR_BAD_KEY;
    if (options->type != urid(LV2_ATOM__Float)) return LV2_OPTIONS_ERR_BAD_VALUE;
    self->value = *(const float*)options->value;
  }
  return LV2_OPTIONS_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_Options_Interface interface = {get, set};
  return strcmp(uri, LV2_OPTIONS__interface) ? NULL : &interface;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  const LV2_Options_Option* option = fixture_feature(features, LV2_OPTIONS__options);
  map = (LV2_URID_Map*)fixture_feature(features, LV2_URID__map);
  Fixture* self = fixture_instantiate(d, rate, path, features);
  self->value = 1;
  float told = 0;
  for (; option && (option->key || option->value); ++option) {
    if (option->key == urid(LV2_BUF_SIZE__maxBlockLength))
      self->pending = (float)*(const int32_t*)option->value;
    if (option->key == urid(LV2_PARAMETERS__sampleRate)) told = *(const float*)option->value;
  }
  return self->pending > 0 && told == (float)rate ? self : NULL;
}
FIXTURE("urn:auricle:test:wants-options", instantiate, extension_data)
