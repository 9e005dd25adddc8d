// The application services that sources of audio need: speech, and the ones below it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_APPLICATIONSERVICES_H
#define AURICLE_APPLICATIONSERVICES_H

#include "../CoreServices/CoreServices.h"
#include "SpeechSynthesis.h"

#endif
