// A port that is audio and control at once.
// SPDX-License-Identifier: Apache-2.0
#include "plugin.h"

const Descriptor* ladspa_descriptor(unsigned long index) {
  static const int ports[] = {INPUT | AUDIO, OUTPUT | AUDIO | CONTROL};
  static Descriptor plugin = PASS("odd-port");
  plugin.ports = ports;
  return index == 0 ? &plugin : NULL;
}
