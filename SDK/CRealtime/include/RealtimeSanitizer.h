// Marks render code for RealtimeSanitizer, which is linked only by the script that runs it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_REALTIME_SANITIZER_H
#define AURICLE_REALTIME_SANITIZER_H

#include <stdbool.h>

#include "RealtimeMark.h"

/// From here on this thread renders; does nothing without the sanitizer's library.
void AuricleRealtimeEnter(void) AURICLE_REALTIME;

/// Ends a section of `AuricleRealtimeEnter`; the two nest.
void AuricleRealtimeExit(void) AURICLE_REALTIME;

/// True if the sanitizer's library is linked.
bool AuricleRealtimeSanitizerIsPresent(void);

#endif
