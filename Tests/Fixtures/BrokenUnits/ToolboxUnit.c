// A unit whose factory calls Core Audio's C functions, which a library of the host provides.
// SPDX-License-Identifier: Apache-2.0

#define GAIN_UNIT_FACTORY MakeGain
#include "../GainUnit/GainUnit.c"

AudioComponentPlugInInterface *ToolboxUnitFactory(const AudioComponentDescription *description) {
  // No unit: the library answers with kAudio_ParamError, if it is there.
  return AudioUnitInitialize(NULL) == kAudio_ParamError ? MakeGain(description) : NULL;
}
