// A stereo gain in decibels: the LV2 unit that the table of the contract is run against.
// SPDX-License-Identifier: Apache-2.0

#include <lv2/core/lv2.h>
#include <math.h>
#include <stdlib.h>

enum { kPortCount = 6 };

typedef struct {
  float *ports[kPortCount];
} Gain;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *path,
    const LV2_Feature *const *features) {
  (void)descriptor, (void)path, (void)features;
  if (rate > 384000) return NULL;  // refuses, so that its host has to
  return calloc(1, sizeof(Gain));
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
  if (port < kPortCount) ((Gain *)handle)->ports[port] = data;
}

static void run(LV2_Handle handle, uint32_t frames) {
  Gain *self = handle;
  float gain = *self->ports[5] >= 0.5f ? 0 : powf(10, *self->ports[4] / 20);
  for (int channel = 0; channel < 2; ++channel)
    for (uint32_t frame = 0; frame < frames; ++frame)
      self->ports[2 + channel][frame] = self->ports[channel][frame] * gain;
}

static const LV2_Descriptor kDescriptor = {
    "urn:auricle:test:conforms", instantiate, connect_port, NULL, run, NULL, free, NULL};

__attribute__((visibility("default"))) const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &kDescriptor : NULL;
}
