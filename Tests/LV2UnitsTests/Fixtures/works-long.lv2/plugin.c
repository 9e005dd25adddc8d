// A slow worker; counts the instances that are freed while it is at work.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/worker/worker.h>
#include <stdatomic.h>
#include <unistd.h>

// Jobs that were begun, and instances that were freed in the middle of one. For the test to read.
LV2_SYMBOL_EXPORT atomic_int works_long_begun;
LV2_SYMBOL_EXPORT atomic_int works_long_freed_at_work;
static atomic_int at_work;

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  memcpy(self->out, self->in, frames * sizeof(float));
  const LV2_Worker_Schedule* schedule = self->data;
  schedule->schedule_work(schedule->handle, sizeof frames, &frames);
}
static LV2_Worker_Status work(
  LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to,
  uint32_t size, const void* body) {
  (void)handle, (void)respond, (void)to, (void)size, (void)body;
  at_work++;
  works_long_begun++;
  // Long, on purpose: its instance would be freed meanwhile.
  usleep(100000);
  at_work--;
  return LV2_WORKER_SUCCESS;
}
static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void* body) {
  (void)handle, (void)size, (void)body;
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
static void cleanup(LV2_Handle handle) {
  if (at_work) works_long_freed_at_work++;
  free(handle);
}

LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  static const LV2_Descriptor descriptor = {
    "urn:auricle:test:works-long", instantiate, fixture_connect, NULL, run, NULL, cleanup,
    extension_data};
  return index ? NULL : &descriptor;
}
