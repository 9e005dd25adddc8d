// The services below audio: Core Foundation, the Component Manager, byte order.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CORESERVICES_H
#define AURICLE_CORESERVICES_H

#include "../AssertMacros.h"
#include "../CarbonCore/Components.h"
#include "../CarbonCore/Endian.h"
#include "../CarbonCore/MacMathematics.h"
#include "../CoreFoundation/CoreFoundation.h"
#include "../libkern/OSByteOrder.h"

#endif
