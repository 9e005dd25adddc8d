// Crashes when it is read.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

const Descriptor* ladspa_descriptor(unsigned long index) {
  (void)index;
  abort();
}
