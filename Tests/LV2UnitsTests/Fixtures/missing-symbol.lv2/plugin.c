// The binary has no lv2_descriptor.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

int auricle_fixture_has_no_descriptor;
