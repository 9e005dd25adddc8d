// Shared by the programs: comparing a call's result, and counting mismatches. Wants stdio.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef WANTED_H
#define WANTED_H

static int failures;
#define IS(call, wanted)                                                                        \
  do {                                                                                          \
    long found_ = (long)(call);                                                                 \
    if (found_ != (long)(wanted)) {                                                             \
      ++failures;                                                                               \
      printf("line %d: %s: %ld, not %ld\n", __LINE__, #call, found_, (long)(wanted));           \
    }                                                                                           \
  } while (0)

#endif
