// Makes 1 from the moment on that its state is restored while it runs.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/atom.h>
#include <lv2/state/state.h>
typedef struct {
  const float* in;
  float* out;
  int running;
  int fault;
} Self;
static void run(LV2_Handle handle, uint32_t frames) {
  Self* self = handle;
  __atomic_store_n(&self->running, 1, __ATOMIC_SEQ_CST);
  for (int wait = 0; wait < 2000; ++wait) __asm__ volatile("");
  for (uint32_t i = 0; i < frames; ++i)
    self->out[i] = (float)__atomic_load_n(&self->fault, __ATOMIC_SEQ_CST);
  __atomic_store_n(&self->running, 0, __ATOMIC_SEQ_CST);
}
static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
  const LV2_Feature* const* features) {
  (void)handle, (void)store, (void)to, (void)flags, (void)features;
  return LV2_STATE_SUCCESS;
}
static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
  const LV2_Feature* const* features) {
  Self* self = handle;
  (void)retrieve, (void)from, (void)flags, (void)features;
  for (int wait = 0; wait < 20000; ++wait)
    if (__atomic_load_n(&self->running, __ATOMIC_SEQ_CST))
      __atomic_store_n(&self->fault, 1, __ATOMIC_SEQ_CST);
  return LV2_STATE_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_State_Interface interface = {save, restore};
  return strcmp(uri, LV2_STATE__interface) ? NULL : &interface;
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  ((void**)handle)[port] = data;
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path, (void)features;
  return calloc(1, sizeof(Self));
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:checks-threads", instantiate, connect, NULL, run, NULL, fixture_cleanup,
  extension_data};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
