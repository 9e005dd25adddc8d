// Shared by the programs: a required result, counted on failure.
// SPDX-License-Identifier: Apache-2.0
#ifndef EXPECT_H
#define EXPECT_H

#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

/// A status that must be another.
#define STATUS(call, wanted)                                                          \
  do {                                                                                \
    const OSStatus found_ = (call);                                                   \
    if (found_ != (OSStatus)(wanted)) {                                               \
      printf("line %d: %s: %d, not %d\n", __LINE__, #call, (int)found_, (int)(wanted)); \
      failures += 1;                                                                  \
    }                                                                                 \
  } while (0)

/// A call that must succeed.
#define OK(call) STATUS(call, noErr)

/// Counts a failure unless the condition holds.
#define TRUE_(condition)                                \
  do {                                                  \
    if (!(condition)) {                                 \
      printf("line %d: %s\n", __LINE__, #condition);    \
      failures += 1;                                    \
    }                                                   \
  } while (0)

#endif
