// Waits of test programs on their run loop, for changes that come there or on other threads.
// SPDX-License-Identifier: Apache-2.0
#ifndef AWAIT_LOOP_H
#define AWAIT_LOOP_H
#include <CoreFoundation/CoreFoundation.h>
#include <string.h>

#include "Await.h"

static CFRunLoopRef awaitLoop;
static CFRunLoopSourceRef awaitSource;

static inline void awaitNothing(void *info) { (void)info; }

// Has the run loop of this thread wait for posts. Timers alone end no wait: their functions post, too.
static inline void beginAwaitLoop(void) {
  CFRunLoopSourceContext context;
  memset(&context, 0, sizeof context);
  context.perform = awaitNothing;
  awaitLoop = CFRunLoopGetCurrent();
  awaitSource = CFRunLoopSourceCreate(NULL, 0, &context);
  CFRunLoopAddSource(awaitLoop, awaitSource, kCFRunLoopDefaultMode);
}

// Wakes the run loop after a change on any thread.
static inline void postToLoop(void) {
  CFRunLoopSourceSignal(awaitSource);
  CFRunLoopWakeUp(awaitLoop);
}

// Runs the loop until a condition holds, which is checked after each source.
#define AWAIT_ON_LOOP(condition)                                                                         \
  do {                                                                                                   \
    if (!awaitSource) beginAwaitLoop();                                                                  \
    while (!(condition)                                                                                  \
        && CFRunLoopRunInMode(kCFRunLoopDefaultMode, kAwaitLimit, true) != kCFRunLoopRunTimedOut) {      \
    }                                                                                                    \
  } while (0)

#endif
