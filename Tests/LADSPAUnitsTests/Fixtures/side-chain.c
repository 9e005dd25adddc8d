// Adds its side chain, which comes first among the ports, to its input; the gain is a control.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

static const int ports[] = {INPUT | AUDIO, INPUT | AUDIO, OUTPUT | AUDIO, INPUT | CONTROL};
static const char* const names[] = {"Side-chain", "Input", "Output", "Gain (dB)"};
static const Range ranges[] = {{0}, {0}, {0}, {BELOW | ABOVE | ONE, 0, 4}};

static void add(void* handle, unsigned long frames) {
  const Instance* self = handle;
  for (unsigned long f = 0; f < frames; ++f)
    self->ports[2][f] = self->ports[1][f] * *self->ports[3] + self->ports[0][f];
}

const Descriptor* ladspa_descriptor(unsigned long index) {
  static Descriptor plugin = PASS("side-chain");
  plugin.id = 4242;
  plugin.port_count = 4;
  plugin.ports = ports;
  plugin.names = names;
  plugin.ranges = ranges;
  plugin.run = add;
  return index == 0 ? &plugin : NULL;
}
