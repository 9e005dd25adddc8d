// All that a unit's maker needs.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOTOOLBOX_AUDIOUNIT_H
#define AURICLE_AUDIOTOOLBOX_AUDIOUNIT_H

#include "../CoreAudio/CoreAudio.h"
#include "../CoreMIDI/MIDIServices.h"
#include "../CoreServices/CoreServices.h"
#include "AUComponent.h"
#include "AudioComponent.h"
#include "AudioOutputUnit.h"
#include "AudioUnitParameters.h"
#include "AudioUnitProperties.h"
#include "MusicDevice.h"

#endif
