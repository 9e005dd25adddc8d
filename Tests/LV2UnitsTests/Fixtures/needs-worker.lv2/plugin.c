// Works only through its worker: each run asks for the next gain.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/worker/worker.h>
// The first run has gain 0; each job answers with the number of jobs done, over 16.
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * self->value;
  const LV2_Worker_Schedule* schedule = self->data;
  const uint32_t job = ++self->frame;
  schedule->schedule_work(schedule->handle, sizeof job, &job);
}
static LV2_Worker_Status work(
  LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to,
  uint32_t size, const void* body) {
  (void)handle;
  if (size != sizeof(uint32_t)) return LV2_WORKER_ERR_UNKNOWN;
  const float gain = *(const uint32_t*)body / 16.0f;
  return respond(to, sizeof gain, &gain);
}
static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void* body) {
  if (size == sizeof(float)) ((Fixture*)handle)->pending = *(const float*)body;
  return LV2_WORKER_SUCCESS;
}
static LV2_Worker_Status end_run(LV2_Handle handle) {
  ((Fixture*)handle)->value = ((Fixture*)handle)->pending;
  return LV2_WORKER_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_Worker_Interface interface = {work, work_response, end_run};
  return strcmp(uri, LV2_WORKER__interface) ? NULL : &interface;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  Fixture* self = fixture_instantiate(d, rate, path, features);
  self->data = fixture_feature(features, LV2_WORKER__schedule);
  if (self->data) return self;
  free(self);
  return NULL;
}
FIXTURE("urn:auricle:test:needs-worker", instantiate, extension_data)
