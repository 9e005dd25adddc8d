// All that a unit's maker needs, under the folder that sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUDIOUNIT_H
#define AURICLE_AUDIOUNIT_AUDIOUNIT_H

#include "../AudioToolbox/AudioUnit.h"

#endif
