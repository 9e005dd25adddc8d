// Parameters of the units known by name: ids, units, ranges, defaults.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITPARAMETERS_H
#define AURICLE_AUDIOUNITPARAMETERS_H

#include "AudioUnitEffectParameters.h"
#include "AudioUnitMixerParameters.h"
#include "AudioUnitOtherParameters.h"

#endif
