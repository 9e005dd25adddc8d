// All of OpenAL: the standard, and macOS's extensions.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OPENAL_H
#define AURICLE_OPENAL_H

#include "al.h"
#include "alc.h"
#include "oalMacOSX_OALExtensions.h"

#endif
