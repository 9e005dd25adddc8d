// The one door to libebur128.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ebur128.h>
