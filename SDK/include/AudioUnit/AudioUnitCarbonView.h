// The names for a unit's Carbon views. There are no views here.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITCARBONVIEW_H
#define AURICLE_AUDIOUNITCARBONVIEW_H

#include "../AudioToolbox/AudioUnit.h"

typedef AudioComponentInstance AudioUnitCarbonView;

AURICLE_ENUM(OSType) {
  kAudioUnitCarbonViewComponentType = 0x61757677,  // 'auvw'
  kAUCarbonViewSubType_Generic = 0x676e7263,       // 'gnrc'
};

#endif
