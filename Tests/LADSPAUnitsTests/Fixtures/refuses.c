// Refuses to be instantiated.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

static void* refuse(const Descriptor* descriptor, unsigned long rate) {
  (void)descriptor;
  (void)rate;
  return NULL;
}

const Descriptor* ladspa_descriptor(unsigned long index) {
  static Descriptor plugin = PASS("refuses");
  plugin.instantiate = refuse;
  return index == 0 ? &plugin : NULL;
}
