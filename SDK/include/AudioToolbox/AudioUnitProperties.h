// Scopes, properties, and the types of their values.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITPROPERTIES_H
#define AURICLE_AUDIOUNITPROPERTIES_H

#include "AudioUnitBusProperties.h"
#include "AudioUnitMixerProperties.h"
#include "AudioUnitParameterProperties.h"
#include "AudioUnitPlayerProperties.h"
#include "AudioUnitPropertyIDs.h"

#endif
