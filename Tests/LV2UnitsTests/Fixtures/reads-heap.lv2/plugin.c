// Adds memory to its input that it never sets: its worker gets it, for each run anew.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/worker/worker.h>

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] + self->line[i % 64];
  const LV2_Worker_Schedule* schedule = self->data;
  schedule->schedule_work(schedule->handle, sizeof frames, &frames);
}
static LV2_Worker_Status work(
  LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to,
  uint32_t size, const void* body) {
  Fixture* self = handle;
  (void)size, (void)body;
  float* fresh = malloc(sizeof self->line);
  __asm__ volatile("" : : "r"(fresh) : "memory");
  const LV2_Worker_Status status = respond(to, sizeof self->line, fresh);
  // Filled with ones, it goes back to the heap for others to find.
  for (int i = 0; i < 64; ++i) fresh[i] = 1;
  __asm__ volatile("" : : "r"(fresh) : "memory");
  free(fresh);
  return status;
}
static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void* body) {
  memcpy(((Fixture*)handle)->line, body, size);
  return LV2_WORKER_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_Worker_Interface interface = {work, work_response, NULL};
  return strcmp(uri, LV2_WORKER__interface) ? NULL : &interface;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  Fixture* self = fixture_instantiate(d, rate, path, features);
  self->data = fixture_feature(features, LV2_WORKER__schedule);
  return self;
}
FIXTURE("urn:auricle:test:reads-heap", instantiate, extension_data)
