// The extensions of macOS, under another of their names.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OPENAL_MACOSX_OALEXTENSIONS_H
#define AURICLE_OPENAL_MACOSX_OALEXTENSIONS_H

#include "oalMacOSX_OALExtensions.h"

#endif
