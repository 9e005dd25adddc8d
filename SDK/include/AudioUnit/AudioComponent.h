// AudioToolbox/AudioComponent.h, under the folder sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUDIOCOMPONENT_H
#define AURICLE_AUDIOUNIT_AUDIOCOMPONENT_H

#include "../AudioToolbox/AudioComponent.h"

#endif
