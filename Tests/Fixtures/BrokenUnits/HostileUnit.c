// A unit that misbehaves, at the moment and in the way that the environment names.
// SPDX-License-Identifier: Apache-2.0
//
// AURICLE_TEST_HOSTILE is "PHASE DEED". While it renders it is hostile to samples above 0.9 only.
#include "Deeds.h"

#define GAIN_UNIT_FACTORY MakeGain
#define GAIN_UNIT_OPENED() hostile("open")
#define GAIN_UNIT_INITIALIZED() hostile("initialize")
#define GAIN_UNIT_RESET() hostile("reset")
#define GAIN_UNIT_UNINITIALIZED() hostile("uninitialize")
#define GAIN_UNIT_CLOSED() hostile("close")
#define GAIN_UNIT_OUTPUT(sample, gain) \
  ((sample) > 0.9f ? hostileSample(sample) : (sample) * (gain))
#include "../GainUnit/GainUnit.c"

__attribute__((constructor)) static void load(void) { hostile("load"); }

AudioComponentPlugInInterface *HostileUnitFactory(const AudioComponentDescription *description) {
  hostile("instantiate");
  return MakeGain(description);
}
