// Returns a plug-in for any index.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

const Descriptor* ladspa_descriptor(unsigned long index) {
  static const Descriptor plugin = PASS("one");
  (void)index;
  return &plugin;
}
