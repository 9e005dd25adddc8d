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

typedef void (*CFRunLoopTimerCallBack)(CFRunLoopTimerRef timer, void *info);
typedef struct CFRunLoopTimerContext {
  CFIndex version;
  void *info;
  const void *(*retain)(const void *info);
  void (*release)(const void *info);
  CFStringRef (*copyDescription)(const void *info);
} CFRunLoopTimerContext;

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

extern CFTypeID CFRunLoopTimerGetTypeID(void);
extern CFRunLoopTimerRef CFRunLoopTimerCreate(
    CFAllocatorRef allocator, CFAbsoluteTime fireDate, CFTimeInterval interval, CFOptionFlags flags,
    CFIndex order, CFRunLoopTimerCallBack callback, CFRunLoopTimerContext *context);
extern CFAbsoluteTime CFRunLoopTimerGetNextFireDate(CFRunLoopTimerRef timer);
extern void CFRunLoopTimerSetNextFireDate(CFRunLoopTimerRef timer, CFAbsoluteTime fireDate);
extern void CFRunLoopTimerInvalidate(CFRunLoopTimerRef timer);
extern Boolean CFRunLoopTimerIsValid(CFRunLoopTimerRef timer);
extern void CFRunLoopAddTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);
extern void CFRunLoopRemoveTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);

AURICLE_END_DECLS

#endif
