// Writes the values of its control ports, one a frame: every hint, and ranges with defects.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

#include <math.h>

#define BOTH (BELOW | ABOVE)
static const Range ranges[] = {
  {0},
  {0},
  {BOTH, 2, 10},
  {BOTH | AT_MINIMUM, 2, 10},
  {BOTH | LOW, 2, 10},
  {BOTH | MIDDLE, 2, 10},
  {BOTH | HIGH, 2, 10},
  {BOTH | AT_MAXIMUM, 2, 10},
  {BOTH | LOW | LOGARITHMIC, 20, 20000},
  {BOTH | MIDDLE | LOGARITHMIC, 20, 20000},
  {BOTH | HIGH | LOGARITHMIC, 20, 20000},
  {BOTH | MIDDLE | LOGARITHMIC, 0, 10},
  {ZERO, 0, 0},
  {ONE, 0, 0},
  {HUNDRED, 0, 0},
  {CONCERT_A, 0, 0},
  {BOTH | SAMPLE_RATE | LOW | LOGARITHMIC, 0.0001f, 0.4f},
  {BOTH | SAMPLE_RATE | CONCERT_A, 0.0001f, 0.4f},
  {BOTH | INTEGER | MIDDLE, 0, 3},
  {TOGGLED | ONE, 0, 0},
  {BOTH | MIDDLE, 5, 1},
  {BELOW | ZERO, NAN, 0},
  {BOTH | ZERO, 2, 10},
  {BOTH | MIDDLE, 3, 3},
};
enum { COUNT = sizeof ranges / sizeof *ranges };
static int ports[COUNT] = {INPUT | AUDIO, OUTPUT | AUDIO};
static const char* names[COUNT] = {"Input", "Output"};

static void write_controls(void* handle, unsigned long frames) {
  const Instance* self = handle;
  for (unsigned long f = 0; f < frames; ++f) self->ports[1][f] = f + 2 < COUNT ? *self->ports[f + 2] : 0;
}

const Descriptor* ladspa_descriptor(unsigned long index) {
  static Descriptor plugin = PASS("defaults");
  static char texts[COUNT][16];
  for (int p = 2; p < COUNT; ++p) {
    ports[p] = INPUT | CONTROL;
    texts[p][0] = 'P';
    texts[p][1] = (char)('0' + p / 10);
    texts[p][2] = (char)('0' + p % 10);
    names[p] = texts[p];
  }
  plugin.port_count = COUNT;
  plugin.ports = ports;
  plugin.names = names;
  plugin.ranges = ranges;
  plugin.run = write_controls;
  return index == 0 ? &plugin : NULL;
}
