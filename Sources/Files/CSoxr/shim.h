// The one door to libsoxr.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <soxr.h>
