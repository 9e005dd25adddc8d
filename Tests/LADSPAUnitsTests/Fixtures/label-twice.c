// Two plug-ins of one label.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

static const Descriptor plugins[] = {PASS("one"), PASS("one")};

const Descriptor* ladspa_descriptor(unsigned long index) { return index < 2 ? &plugins[index] : NULL; }
