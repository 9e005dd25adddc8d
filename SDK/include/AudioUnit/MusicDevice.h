// AudioToolbox/MusicDevice.h, under the folder sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_MUSICDEVICE_H
#define AURICLE_AUDIOUNIT_MUSICDEVICE_H

#include "../AudioToolbox/MusicDevice.h"

#endif
