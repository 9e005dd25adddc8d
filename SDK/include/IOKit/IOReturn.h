// Results of calls of the kit for input and output.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_IOKIT_IORETURN_H
#define AURICLE_IOKIT_IORETURN_H

#include "../mach/kern_return.h"

typedef kern_return_t IOReturn;

#define kIOReturnSuccess ((IOReturn)0)
#define kIOReturnError ((IOReturn)0xe00002bc)
#define kIOReturnNoMemory ((IOReturn)0xe00002bd)
#define kIOReturnNoResources ((IOReturn)0xe00002be)
#define kIOReturnNoDevice ((IOReturn)0xe00002c0)
#define kIOReturnNotPrivileged ((IOReturn)0xe00002c1)
#define kIOReturnBadArgument ((IOReturn)0xe00002c2)
#define kIOReturnExclusiveAccess ((IOReturn)0xe00002c5)
#define kIOReturnUnsupported ((IOReturn)0xe00002c7)
#define kIOReturnNotOpen ((IOReturn)0xe00002cd)
#define kIOReturnBusy ((IOReturn)0xe00002d5)
#define kIOReturnTimeout ((IOReturn)0xe00002d6)
#define kIOReturnNotPermitted ((IOReturn)0xe00002e2)
#define kIOReturnUnderrun ((IOReturn)0xe00002e7)
#define kIOReturnOverrun ((IOReturn)0xe00002e8)

#endif
