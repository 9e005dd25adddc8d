// Declares more ports than memory has bytes.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

const Descriptor* ladspa_descriptor(unsigned long index) {
  static Descriptor plugin = PASS("many-ports");
  plugin.port_count = ~0ul;
  return index == 0 ? &plugin : NULL;
}
