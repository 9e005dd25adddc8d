// The mark of C functions that render code may call: they neither lock nor allocate.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_REALTIME_MARK_H
#define AURICLE_REALTIME_MARK_H

#if defined(__clang__)
#define AURICLE_REALTIME                                                       \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
#else
#define AURICLE_REALTIME
#endif

#endif
