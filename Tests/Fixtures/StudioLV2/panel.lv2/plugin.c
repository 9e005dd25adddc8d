// Sets a level, or silence: its other parameters are there to be shown.
// SPDX-License-Identifier: Apache-2.0

#include <lv2/core/lv2.h>
#include <math.h>
#include <stdlib.h>

enum { PORT_COUNT = 7 };

typedef struct {
  void *ports[PORT_COUNT];
} Panel;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
  (void)descriptor, (void)rate, (void)path, (void)features;
  return calloc(1, sizeof(Panel));
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
  if (port < PORT_COUNT) ((Panel *)handle)->ports[port] = data;
}

static void run(LV2_Handle handle, uint32_t count) {
  void **ports = ((Panel *)handle)->ports;
  const float *in = ports[0];
  float *out = ports[1];
  float gain = *(float *)ports[4] > 0.5f ? 0 : powf(10, *(float *)ports[2] / 20);
  for (uint32_t frame = 0; frame < count; frame++) out[frame] = in[frame] * gain;
}

static const LV2_Descriptor descriptor = {"urn:auricle:test:panel", instantiate, connect_port, NULL, run, NULL, free, NULL};

const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }
