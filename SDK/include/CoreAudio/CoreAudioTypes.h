// The audio types, under the name sources of the older kind include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREAUDIO_COREAUDIOTYPES_H
#define AURICLE_COREAUDIO_COREAUDIOTYPES_H

#include "../CoreAudioTypes/CoreAudioTypes.h"

#endif
