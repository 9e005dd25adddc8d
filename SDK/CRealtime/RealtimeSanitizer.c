// Calls RealtimeSanitizer if it is there: the symbols are weak, so nothing need be linked.
// SPDX-License-Identifier: Apache-2.0

#include "RealtimeSanitizer.h"

__attribute__((weak)) extern void __rtsan_realtime_enter(void);
__attribute__((weak)) extern void __rtsan_realtime_exit(void);

void AuricleRealtimeEnter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

void AuricleRealtimeExit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

bool AuricleRealtimeSanitizerIsPresent(void) {
  return __rtsan_realtime_enter && __rtsan_realtime_exit;
}
