// Is made for blocks of a power of two alone, and silent in others.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/urid/urid.h>
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = frames == (uint32_t)self->value ? self->in[i] : 0;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  const LV2_URID_Map* map = fixture_feature(features, LV2_URID__map);
  const LV2_Options_Option* option = fixture_feature(features, LV2_OPTIONS__options);
  if (!map || !option) return NULL;
  const LV2_URID greatest = map->map(map->handle, LV2_BUF_SIZE__maxBlockLength);
  int32_t length = 0;
  for (; option->key; ++option)
    if (option->key == greatest) length = *(const int32_t*)option->value;
  if (length < 64 || length > 8192 || (length & (length - 1)) != 0) return NULL;
  Fixture* self = fixture_instantiate(d, rate, path, features);
  self->value = (float)length;
  return self;
}
FIXTURE("urn:auricle:test:minds-blocks", instantiate, NULL)
