// A unit that was built for hosts of the generation GAIN_UNIT_CONTRACT, a definition for the compiler.
// SPDX-License-Identifier: Apache-2.0

#define GAIN_UNIT_FACTORY LaterUnitFactory
#include "../GainUnit/GainUnit.c"
