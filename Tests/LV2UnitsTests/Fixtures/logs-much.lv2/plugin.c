// Logs an error in every run, and a note, which nobody asked for.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/log/log.h>

typedef struct {
  const float* in;
  float* out;
  const LV2_Log_Log* log;
  LV2_URID error, note;
  int count;
} Self;

static void run(LV2_Handle handle, uint32_t frames) {
  Self* self = handle;
  self->log->printf(self->log->handle, self->note, "a note nobody asked for\n");
  self->log->printf(self->log->handle, self->error, "error %d\n", ++self->count);
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path;
  Self* self = calloc(1, sizeof(Self));
  const LV2_URID_Map* map = fixture_feature(features, LV2_URID__map);
  self->log = fixture_feature(features, LV2_LOG__log);
  self->error = map->map(map->handle, LV2_LOG__Error);
  self->note = map->map(map->handle, LV2_LOG__Note);
  return self;
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  if (port < 2) ((void**)handle)[port] = data;
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:logs-much", instantiate, connect, NULL, run, NULL, fixture_cleanup, NULL};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
