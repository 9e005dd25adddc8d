// Formats, buffers, time stamps and channel layouts.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREAUDIOBASETYPES_H
#define AURICLE_COREAUDIOBASETYPES_H

#include "AudioChannelLayouts.h"
#include "AudioFormats.h"
#include "AudioTime.h"

#endif
