// All of Core Audio that lies below units: types, the names of audio objects, the host clock.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREAUDIO_H
#define AURICLE_COREAUDIO_H

#include "../CoreFoundation/CoreFoundation.h"
#include "AudioHardware.h"
#include "AudioHardwareBase.h"
#include "CoreAudioTypes.h"
#include "HostTime.h"

#endif
