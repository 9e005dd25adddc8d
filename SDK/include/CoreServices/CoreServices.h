// The services below audio: Core Foundation, the Component Manager, byte order.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CORESERVICES_H
#define AURICLE_CORESERVICES_H

#include <assert.h>

#include "../AssertMacros.h"
#include "../CarbonCore/Components.h"
#include "../CarbonCore/DriverSynchronization.h"
#include "../CarbonCore/Endian.h"
#include "../CarbonCore/Files.h"
// The module for Swift has no folders: it would own types of the C library.
#ifndef __building_module
#include "../CarbonCore/Folders.h"
#elif !__building_module(CAudioToolbox)
#include "../CarbonCore/Folders.h"
#endif
#include "../CarbonCore/Gestalt.h"
#include "../CarbonCore/MacErrors.h"
#include "../CarbonCore/MacMathematics.h"
#include "../CoreFoundation/CoreFoundation.h"
#include "../libkern/OSByteOrder.h"

#endif
