// The one door to libebur128, which judges loudness in tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ebur128.h>
