// The parts of Carbon that sources of audio need: its services. There are no windows and no controls.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CARBON_H
#define AURICLE_CARBON_H

#include "../CoreServices/CoreServices.h"

#endif
