// What the programs share: a call's result that is compared, and how many were others. Wants stdio.h.
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
