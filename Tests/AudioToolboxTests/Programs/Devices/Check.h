// Shared by the programs: a call that must succeed.
// SPDX-License-Identifier: Apache-2.0
#ifndef CHECK_H
#define CHECK_H

/// Ends the program with a call's text and status when it fails. Wants stdio.h and stdlib.h.
#define CHECK(call)                                                     \
  do {                                                                  \
    OSStatus status_ = (call);                                          \
    if (status_ != noErr) {                                             \
      fprintf(stderr, "%s: %d\n", #call, (int)status_);                 \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

#endif
