// The basic types, under the name that sources near the kernel include.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBKERN_OSTYPES_H
#define AURICLE_LIBKERN_OSTYPES_H

#include "../MacTypes.h"

#endif
