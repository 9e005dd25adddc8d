// The one door to this library.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <kissfft/kiss_fft.h>
