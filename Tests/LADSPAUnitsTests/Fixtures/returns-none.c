// Returns no plug-in.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

const Descriptor* ladspa_descriptor(unsigned long index) {
  (void)index;
  return NULL;
}
