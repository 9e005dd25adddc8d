// Run loops: their inputs (sources, timers) and their observers.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFRUNLOOP_H
#define AURICLE_CFRUNLOOP_H

#include "CFArray.h"
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

// A source that is signalled: `perform` is called by the loop that it was added to. Version 0.
typedef struct CFRunLoopSourceContext {
  CFIndex version;
  void *info;
  const void *(*retain)(const void *info);
  void (*release)(const void *info);
  CFStringRef (*copyDescription)(const void *info);
  Boolean (*equal)(const void *info1, const void *info2);
  CFHashCode (*hash)(const void *info);
  void (*schedule)(void *info, CFRunLoopRef loop, CFRunLoopMode mode);
  void (*cancel)(void *info, CFRunLoopRef loop, CFRunLoopMode mode);
  void (*perform)(void *info);
} CFRunLoopSourceContext;

// The next activity of a loop, reported to observers.
typedef CFOptionFlags CFRunLoopActivity;
#define kCFRunLoopEntry ((CFRunLoopActivity)1)
#define kCFRunLoopBeforeTimers ((CFRunLoopActivity)2)
#define kCFRunLoopBeforeSources ((CFRunLoopActivity)4)
#define kCFRunLoopBeforeWaiting ((CFRunLoopActivity)32)
#define kCFRunLoopAfterWaiting ((CFRunLoopActivity)64)
#define kCFRunLoopExit ((CFRunLoopActivity)128)
#define kCFRunLoopAllActivities ((CFRunLoopActivity)0x0fffffff)

typedef void (*CFRunLoopObserverCallBack)(
    CFRunLoopObserverRef observer, CFRunLoopActivity activity, void *info);
typedef struct CFRunLoopObserverContext {
  CFIndex version;
  void *info;
  const void *(*retain)(const void *info);
  void (*release)(const void *info);
  CFStringRef (*copyDescription)(const void *info);
} CFRunLoopObserverContext;

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
extern void CFRunLoopAddCommonMode(CFRunLoopRef loop, CFRunLoopMode mode);
extern CFRunLoopMode CFRunLoopCopyCurrentMode(CFRunLoopRef loop);
extern CFArrayRef CFRunLoopCopyAllModes(CFRunLoopRef loop);
extern CFAbsoluteTime CFRunLoopGetNextTimerFireDate(CFRunLoopRef loop, CFRunLoopMode mode);
#if defined(__BLOCKS__) && !defined(__swift__)
// Calls a block once, from the loop.
extern void CFRunLoopPerformBlock(CFRunLoopRef loop, CFTypeRef mode, void (^block)(void));
#endif

// Sources. Of those added, the one with the lowest order is performed first.
extern CFTypeID CFRunLoopSourceGetTypeID(void);
extern CFRunLoopSourceRef CFRunLoopSourceCreate(
    CFAllocatorRef allocator, CFIndex order, CFRunLoopSourceContext *context);
extern CFIndex CFRunLoopSourceGetOrder(CFRunLoopSourceRef source);
extern void CFRunLoopSourceGetContext(CFRunLoopSourceRef source, CFRunLoopSourceContext *context);
extern void CFRunLoopSourceInvalidate(CFRunLoopSourceRef source);
extern Boolean CFRunLoopSourceIsValid(CFRunLoopSourceRef source);
// To be performed once; the loop is woken by CFRunLoopWakeUp.
extern void CFRunLoopSourceSignal(CFRunLoopSourceRef source);
extern Boolean CFRunLoopContainsSource(
    CFRunLoopRef loop, CFRunLoopSourceRef source, CFRunLoopMode mode);
extern void CFRunLoopAddSource(CFRunLoopRef loop, CFRunLoopSourceRef source, CFRunLoopMode mode);
extern void CFRunLoopRemoveSource(
    CFRunLoopRef loop, CFRunLoopSourceRef source, CFRunLoopMode mode);

extern CFTypeID CFRunLoopObserverGetTypeID(void);
extern CFRunLoopObserverRef CFRunLoopObserverCreate(
    CFAllocatorRef allocator, CFOptionFlags activities, Boolean repeats, CFIndex order,
    CFRunLoopObserverCallBack callback, CFRunLoopObserverContext *context);
extern void CFRunLoopObserverInvalidate(CFRunLoopObserverRef observer);
extern Boolean CFRunLoopObserverIsValid(CFRunLoopObserverRef observer);
extern Boolean CFRunLoopContainsObserver(
    CFRunLoopRef loop, CFRunLoopObserverRef observer, CFRunLoopMode mode);
extern void CFRunLoopAddObserver(
    CFRunLoopRef loop, CFRunLoopObserverRef observer, CFRunLoopMode mode);
extern void CFRunLoopRemoveObserver(
    CFRunLoopRef loop, CFRunLoopObserverRef observer, CFRunLoopMode mode);

extern CFTypeID CFRunLoopTimerGetTypeID(void);
extern CFRunLoopTimerRef CFRunLoopTimerCreate(
    CFAllocatorRef allocator, CFAbsoluteTime fireDate, CFTimeInterval interval, CFOptionFlags flags,
    CFIndex order, CFRunLoopTimerCallBack callback, CFRunLoopTimerContext *context);
extern CFAbsoluteTime CFRunLoopTimerGetNextFireDate(CFRunLoopTimerRef timer);
extern void CFRunLoopTimerSetNextFireDate(CFRunLoopTimerRef timer, CFAbsoluteTime fireDate);
extern void CFRunLoopTimerInvalidate(CFRunLoopTimerRef timer);
extern Boolean CFRunLoopTimerIsValid(CFRunLoopTimerRef timer);
extern CFTimeInterval CFRunLoopTimerGetInterval(CFRunLoopTimerRef timer);
extern Boolean CFRunLoopTimerDoesRepeat(CFRunLoopTimerRef timer);
extern Boolean CFRunLoopContainsTimer(
    CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);
extern void CFRunLoopAddTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);
extern void CFRunLoopRemoveTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);

AURICLE_END_DECLS

#endif
