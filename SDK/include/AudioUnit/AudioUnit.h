// All a unit's maker needs, under the folder sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUDIOUNIT_H
#define AURICLE_AUDIOUNIT_AUDIOUNIT_H

#include "AUComponent.h"
#include "AudioComponent.h"
#include "AudioOutputUnit.h"
#include "AudioUnitParameters.h"
#include "AudioUnitProperties.h"
#include "MusicDevice.h"

#endif
