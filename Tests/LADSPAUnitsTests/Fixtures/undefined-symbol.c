// Needs a function that no library has.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

extern int auricle_fixture_undefined_function(void);

const Descriptor* ladspa_descriptor(unsigned long index) {
  static const Descriptor plugin = PASS("undefined");
  return index == 0 && auricle_fixture_undefined_function() ? &plugin : NULL;
}
