// AudioToolbox/AUComponent.h, under the folder sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUCOMPONENT_H
#define AURICLE_AUDIOUNIT_AUCOMPONENT_H

#include "../AudioToolbox/AUComponent.h"

#endif
