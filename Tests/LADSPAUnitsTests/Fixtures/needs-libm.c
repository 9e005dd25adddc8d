// Calls the library of mathematics without being linked with it.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

extern double cbrt(double);

const Descriptor* ladspa_descriptor(unsigned long index) {
  static const Descriptor plugin = PASS("needs-libm");
  return index == 0 && cbrt((double)index + 27) > 2 ? &plugin : NULL;
}
