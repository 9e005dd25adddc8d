// Keeping the machine awake, which is not the C library's here: no assertion is made.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_IOKIT_IOPMLIB_H
#define AURICLE_IOKIT_IOPMLIB_H

#include "../../CoreFoundation/CFString.h"
#include "../IOReturn.h"

typedef UInt32 IOPMAssertionID;
typedef UInt32 IOPMAssertionLevel;
#define kIOPMNullAssertionID ((IOPMAssertionID)0)
#define kIOPMAssertionLevelOff 0
#define kIOPMAssertionLevelOn 255
#define kIOPMAssertionTypeNoIdleSleep CFSTR("NoIdleSleepAssertion")
#define kIOPMAssertionTypeNoDisplaySleep CFSTR("NoDisplaySleepAssertion")
#define kIOPMAssertionTypePreventUserIdleSystemSleep CFSTR("PreventUserIdleSystemSleep")
#define kIOPMAssertionTypePreventUserIdleDisplaySleep CFSTR("PreventUserIdleDisplaySleep")

// kIOReturnUnsupported: run the program under systemd-inhibit where it has to keep the machine awake.
static inline IOReturn IOPMAssertionCreateWithName(
    CFStringRef type, IOPMAssertionLevel level, CFStringRef name, IOPMAssertionID *assertion) {
  (void)type;
  (void)level;
  (void)name;
  if (assertion) *assertion = kIOPMNullAssertionID;
  return kIOReturnUnsupported;
}
static inline IOReturn IOPMAssertionRelease(IOPMAssertionID assertion) {
  (void)assertion;
  return kIOReturnBadArgument;
}

#endif
