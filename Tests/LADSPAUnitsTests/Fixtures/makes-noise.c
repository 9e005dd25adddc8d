// Makes sound of nothing, from random numbers of the C library and memory that it never sets.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

static const int ports[] = {OUTPUT | AUDIO};
static const char* const names[] = {"Output"};
static const Range ranges[1];

typedef struct {
  float* output;
  float unset[1000];
} Noise;

static void* make_noise(const Descriptor* descriptor, unsigned long rate) {
  (void)descriptor;
  (void)rate;
  return malloc(sizeof(Noise));
}

static void connect_noise(void* handle, unsigned long port, float* memory) {
  (void)port;
  ((Noise*)handle)->output = memory;
}

static void run(void* handle, unsigned long frames) {
  Noise* self = handle;
  for (unsigned long f = 0; f < frames; ++f)
    self->output[f] = (float)rand() / (float)RAND_MAX + self->unset[f % 1000];
}

const Descriptor* ladspa_descriptor(unsigned long index) {
  static Descriptor plugin = PASS("makes-noise");
  plugin.port_count = 1;
  plugin.ports = ports;
  plugin.names = names;
  plugin.ranges = ranges;
  plugin.instantiate = make_noise;
  plugin.connect_port = connect_noise;
  plugin.run = run;
  return index == 0 ? &plugin : NULL;
}
