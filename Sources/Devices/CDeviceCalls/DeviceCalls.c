// Pauses RealtimeSanitizer if it is there: a counter of allocations counts on.
// SPDX-License-Identifier: Apache-2.0

#include "DeviceCalls.h"

__attribute__((weak)) extern void __rtsan_disable(void);
__attribute__((weak)) extern void __rtsan_enable(void);

void AuricleBeginDeviceCall(void) {
  if (__rtsan_disable) __rtsan_disable();
}

void AuricleEndDeviceCall(void) {
  if (__rtsan_enable) __rtsan_enable();
}
