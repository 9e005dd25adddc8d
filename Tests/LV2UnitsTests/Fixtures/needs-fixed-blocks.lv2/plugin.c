// Makes noise when a run has another length than promised.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/urid/urid.h>
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  const int is_right = frames == (uint32_t)self->value && (frames & (frames - 1)) == 0;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = is_right ? self->in[i] : 9.0f;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  const LV2_URID_Map* map = fixture_feature(features, LV2_URID__map);
  const LV2_Options_Option* option = fixture_feature(features, LV2_OPTIONS__options);
  if (!map || !option || !fixture_has(features, LV2_BUF_SIZE__fixedBlockLength)) return NULL;
  Fixture* self = fixture_instantiate(d, rate, path, features);
  const LV2_URID least = map->map(map->handle, LV2_BUF_SIZE__minBlockLength);
  const LV2_URID greatest = map->map(map->handle, LV2_BUF_SIZE__maxBlockLength);
  int32_t lengths[2] = {0, 1};
  for (; option->key; ++option) {
    if (option->key == least) lengths[0] = *(const int32_t*)option->value;
    if (option->key == greatest) lengths[1] = *(const int32_t*)option->value;
  }
  self->value = lengths[0] == lengths[1] ? (float)lengths[0] : -1;
  return self;
}
FIXTURE("urn:auricle:test:needs-fixed-blocks", instantiate, NULL)
