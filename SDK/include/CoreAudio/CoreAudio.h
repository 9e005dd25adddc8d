// All of Core Audio that lies below units: types, and the names of audio objects.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREAUDIO_H
#define AURICLE_COREAUDIO_H

#include "AudioHardwareBase.h"
#include "CoreAudioTypes.h"

#endif
