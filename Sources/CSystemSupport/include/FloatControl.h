// The floating-point control word: flush-to-zero, which Swift has no way to reach.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FLOAT_CONTROL_H
#define AURICLE_FLOAT_CONTROL_H

#include <stdint.h>

#if defined(__clang__)
#define AURICLE_REALTIME                                                       \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))
#else
#define AURICLE_REALTIME
#endif

/// The control word of this thread: MXCSR on x86, FPCR on arm64, 0 elsewhere.
uint64_t AuricleGetFloatControl(void) AURICLE_REALTIME;

/// Sets the control word of this thread.
void AuricleSetFloatControl(uint64_t control) AURICLE_REALTIME;

/// The bits of the control word that say how to compute; the others tell what happened.
uint64_t AuricleFloatControlModeBits(void) AURICLE_REALTIME;

/// The bits of the control word that make denormal numbers zero.
uint64_t AuricleFloatControlFlushBits(void) AURICLE_REALTIME;

#endif
