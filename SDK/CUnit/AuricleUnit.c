// The helper for units in C as one source: compile this file with your unit (see Auricle/AuricleUnit.h).
// SPDX-License-Identifier: Apache-2.0

#include "Unit/UnitRecord.h"
#include "Unit/FloatControl.h"

#include "Unit/Hooks.c"
#include "Unit/Parameters.c"
#include "Unit/State.c"
#include "Unit/Properties.c"
#include "Unit/Notes.c"
#include "Unit/Slice.c"
#include "Unit/Render.c"
#include "Unit/Life.c"
