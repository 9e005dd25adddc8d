// Run loops, as far as listeners and examples need them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFRUNLOOP_H
#define AURICLE_CFRUNLOOP_H

#include "CFBase.h"
#include "CFDate.h"
#include "CFString.h"

typedef CFStringRef CFRunLoopMode;
typedef SInt32 CFRunLoopRunResult;
AURICLE_ENUM(CFRunLoopRunResult) {
  kCFRunLoopRunFinished = 1,
  kCFRunLoopRunStopped = 2,
  kCFRunLoopRunTimedOut = 3,
  kCFRunLoopRunHandledSource = 4,
};

AURICLE_BEGIN_DECLS

extern const CFRunLoopMode kCFRunLoopDefaultMode AURICLE_SWIFT_CONSTANT;
extern const CFRunLoopMode kCFRunLoopCommonModes AURICLE_SWIFT_CONSTANT;

extern CFTypeID CFRunLoopGetTypeID(void);
extern CFRunLoopRef CFRunLoopGetCurrent(void);
extern CFRunLoopRef CFRunLoopGetMain(void);
extern void CFRunLoopRun(void);
extern CFRunLoopRunResult CFRunLoopRunInMode(
    CFRunLoopMode mode, CFTimeInterval seconds, Boolean returnsAfterSourceHandled);
extern Boolean CFRunLoopIsWaiting(CFRunLoopRef loop);
extern void CFRunLoopWakeUp(CFRunLoopRef loop);
extern void CFRunLoopStop(CFRunLoopRef loop);

AURICLE_END_DECLS

#endif
