// The clock that only goes forward, readable from render code.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MONOTONIC_CLOCK_H
#define AURICLE_MONOTONIC_CLOCK_H

#include "FloatControl.h"

/// Nanoseconds of the monotonic clock; no system call on machines whose clock is mapped in.
uint64_t AuricleMonotonicNanoseconds(void) AURICLE_REALTIME;

#endif
