// Delays its input by 48 frames, and reports that when it has run; counts its runs in another control output.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

typedef struct {
  Instance instance;
  float line[48];
  unsigned place;
} Delay;

static const int ports[] = {INPUT | AUDIO, OUTPUT | AUDIO, OUTPUT | CONTROL, OUTPUT | CONTROL};
static const char* const names[] = {"Input", "Output", "runs", "_latency"};
static const Range ranges[4];

static void* make_delay(const Descriptor* descriptor, unsigned long rate) {
  (void)descriptor;
  (void)rate;
  return calloc(1, sizeof(Delay));
}

static void delay(void* handle, unsigned long frames) {
  Delay* self = handle;
  for (unsigned long f = 0; f < frames; ++f) {
    const float sample = self->instance.ports[0][f];
    self->instance.ports[1][f] = self->line[self->place];
    self->line[self->place] = sample;
    self->place = (self->place + 1) % 48;
  }
  *self->instance.ports[2] = (float)++self->instance.runs;
  *self->instance.ports[3] = 48;
}

const Descriptor* ladspa_descriptor(unsigned long index) {
  static Descriptor plugin = PASS("late-latency");
  plugin.port_count = 4;
  plugin.ports = ports;
  plugin.names = names;
  plugin.ranges = ranges;
  plugin.instantiate = make_delay;
  plugin.run = delay;
  return index == 0 ? &plugin : NULL;
}
