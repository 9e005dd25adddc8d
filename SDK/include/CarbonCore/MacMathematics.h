// Numbers that older sources find in the system's mathematics.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACMATHEMATICS_H
#define AURICLE_MACMATHEMATICS_H

#include <math.h>

#include "../MacTypes.h"

#if !defined(__swift__)
AURICLE_BEGIN_DECLS

// 3.14159...; a source that defines its own `pi` as the same type keeps it.
extern const double pi __asm__("AuricleConstantPi");

AURICLE_END_DECLS
#endif

#endif
