// Measures its input, and makes no audio: a control output has the sum of a run.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

static const int ports[] = {INPUT | AUDIO, OUTPUT | CONTROL};
static const char* const names[] = {"Input", "Sum"};
static const Range ranges[2];

static void sum(void* handle, unsigned long frames) {
  const Instance* self = handle;
  *self->ports[1] = 0;
  for (unsigned long f = 0; f < frames; ++f) *self->ports[1] += self->ports[0][f];
}

const Descriptor* ladspa_descriptor(unsigned long index) {
  static Descriptor plugin = PASS("analyses");
  plugin.ports = ports;
  plugin.names = names;
  plugin.ranges = ranges;
  plugin.run = sum;
  return index == 0 ? &plugin : NULL;
}
