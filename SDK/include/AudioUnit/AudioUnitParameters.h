// AudioToolbox/AudioUnitParameters.h, under the folder sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUDIOUNITPARAMETERS_H
#define AURICLE_AUDIOUNIT_AUDIOUNITPARAMETERS_H

#include "../AudioToolbox/AudioUnitParameters.h"

#endif
