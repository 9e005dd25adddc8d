// AudioToolbox/AudioUnitProperties.h, under the folder sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUDIOUNITPROPERTIES_H
#define AURICLE_AUDIOUNIT_AUDIOUNITPROPERTIES_H

#include "../AudioToolbox/AudioUnitProperties.h"

#endif
