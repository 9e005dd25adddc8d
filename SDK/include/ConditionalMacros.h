// The same as TargetConditionals.h, under its older name.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CONDITIONALMACROS_H
#define AURICLE_CONDITIONALMACROS_H

#include "TargetConditionals.h"

#endif
