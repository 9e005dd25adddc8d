// The helper for units in C as one source: compile this file with your unit (see Auricle/AuricleUnit.h).
// SPDX-License-Identifier: Apache-2.0

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L  // for clock_gettime
#endif

#include "Unit/UnitRecord.h"

#include "Unit/Samples.c"
#include "Unit/Listeners.c"
#include "Unit/Parameters.c"
#include "Unit/Sources.c"
#include "Unit/ClassInfo.c"
#include "Unit/HostProperties.c"
#include "Unit/UnitProperties.c"
#include "Unit/Properties.c"
#include "Unit/Notes.c"
#include "Unit/Slice.c"
#include "Unit/Buffers.c"
#include "Unit/Render.c"
#include "Unit/Life.c"
