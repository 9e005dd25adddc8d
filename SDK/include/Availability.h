// The same as AvailabilityMacros.h, under its newer name.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AVAILABILITY_H
#define AURICLE_AVAILABILITY_H

#include "AvailabilityMacros.h"

#endif
