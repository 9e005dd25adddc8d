// All of the audio types.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREAUDIOTYPES_UMBRELLA_H
#define AURICLE_COREAUDIOTYPES_UMBRELLA_H

#include "CoreAudioBaseTypes.h"

#endif
