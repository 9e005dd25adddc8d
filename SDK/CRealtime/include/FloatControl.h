// The floating-point control word: flush-to-zero, which Swift has no way to reach.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FLOAT_CONTROL_H
#define AURICLE_FLOAT_CONTROL_H

#include <stdint.h>

#include "RealtimeMark.h"

// Inline, because every unit reads the word around every slice.

/// The control word of this thread: MXCSR on x86, FPCR on arm64, 0 elsewhere.
static inline uint64_t AuricleGetFloatControl(void) AURICLE_REALTIME;

/// Sets the control word of this thread.
static inline void AuricleSetFloatControl(uint64_t control) AURICLE_REALTIME;

/// Returns the bits of the control word that set modes; the others are status flags.
static inline uint64_t AuricleFloatControlModeBits(void) AURICLE_REALTIME;

/// The bits of the control word that make denormal numbers zero.
static inline uint64_t AuricleFloatControlFlushBits(void) AURICLE_REALTIME;

#if defined(__x86_64__) || (defined(__i386__) && defined(__SSE__))

static inline uint64_t AuricleGetFloatControl(void) { return __builtin_ia32_stmxcsr(); }
static inline void AuricleSetFloatControl(uint64_t control) {
  __builtin_ia32_ldmxcsr((unsigned)control);
}
// Bit 15 flushes results (FTZ), bit 6 treats denormal operands as zero (DAZ).
static inline uint64_t AuricleFloatControlFlushBits(void) { return 0x8040; }
// The low six bits are the exceptions raised so far.
static inline uint64_t AuricleFloatControlModeBits(void) { return 0xFFC0; }

#elif defined(__aarch64__)

static inline uint64_t AuricleGetFloatControl(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
static inline void AuricleSetFloatControl(uint64_t control) {
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
// Bit 24 (FZ) flushes operands and results.
static inline uint64_t AuricleFloatControlFlushBits(void) { return UINT64_C(1) << 24; }
static inline uint64_t AuricleFloatControlModeBits(void) { return ~UINT64_C(0); }

#else

static inline uint64_t AuricleGetFloatControl(void) { return 0; }
static inline void AuricleSetFloatControl(uint64_t control) { (void)control; }
static inline uint64_t AuricleFloatControlFlushBits(void) { return 0; }
static inline uint64_t AuricleFloatControlModeBits(void) { return 0; }

#endif

#endif
