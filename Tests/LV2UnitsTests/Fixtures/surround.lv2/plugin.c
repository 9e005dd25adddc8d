// 5.1 in the order of the vocabulary; each channel is multiplied by its port number plus one.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  float** ports = handle;
  for (int port = 0; port < 6; ++port)
    for (uint32_t i = 0; i < frames; ++i) ports[6 + port][i] = ports[port][i] * (float)(port + 1);
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  ((void**)handle)[port] = data;
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:surround", fixture_instantiate, connect, NULL, run, NULL, fixture_cleanup, NULL};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
