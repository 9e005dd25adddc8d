// AudioToolbox/AudioOutputUnit.h, under the folder sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUDIOOUTPUTUNIT_H
#define AURICLE_AUDIOUNIT_AUDIOOUTPUTUNIT_H

#include "../AudioToolbox/AudioOutputUnit.h"

#endif
