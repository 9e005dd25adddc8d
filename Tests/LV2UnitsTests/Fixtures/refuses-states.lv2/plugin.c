// Multiplies by a control, and refuses every state.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/state/state.h>
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] * *self->control[2];
}
static LV2_State_Status restore(
  LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
  const LV2_Feature* const* features) {
  (void)handle, (void)retrieve, (void)from, (void)flags, (void)features;
  return LV2_STATE_ERR_BAD_TYPE;
}
static LV2_State_Status save(
  LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
  const LV2_Feature* const* features) {
  (void)handle, (void)store, (void)to, (void)flags, (void)features;
  return LV2_STATE_SUCCESS;
}
static const void* extension_data(const char* uri) {
  static const LV2_State_Interface interface = {save, restore};
  return strcmp(uri, LV2_STATE__interface) ? NULL : &interface;
}
FIXTURE("urn:auricle:test:refuses-states", fixture_instantiate, extension_data)
