// Calls of a device inside of a realtime section: sanitizers do not report what a driver does in them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_DEVICE_CALLS_H
#define AURICLE_DEVICE_CALLS_H

#include "RealtimeMark.h"

/// Begins a call of a driver, which waits or transfers. Calls nest. The device's thread.
void AuricleBeginDeviceCall(void) AURICLE_REALTIME;

/// Ends the call. The device's thread.
void AuricleEndDeviceCall(void) AURICLE_REALTIME;

#endif
