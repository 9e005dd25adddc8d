// The system's limits, under the name of their own header on macOS.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SYS_SYSLIMITS_H
#define AURICLE_SYS_SYSLIMITS_H

#include <limits.h>

// ISO C wants a declaration in every source, also in one that has this header alone.
struct AuricleSystemLimits;

#endif
