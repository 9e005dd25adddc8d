// The floating-point control word, by architecture.
// SPDX-License-Identifier: Apache-2.0

#include "FloatControl.h"

#if defined(__x86_64__) || (defined(__i386__) && defined(__SSE__))

#include <xmmintrin.h>

uint64_t AuricleGetFloatControl(void) { return _mm_getcsr(); }
void AuricleSetFloatControl(uint64_t control) { _mm_setcsr((unsigned)control); }
// Bit 15 flushes results (FTZ), bit 6 takes denormal operands as zero (DAZ).
uint64_t AuricleFloatControlFlushBits(void) { return 0x8040; }
// The low six bits are the exceptions raised so far.
uint64_t AuricleFloatControlModeBits(void) { return 0xFFC0; }

#elif defined(__aarch64__)

uint64_t AuricleGetFloatControl(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
void AuricleSetFloatControl(uint64_t control) {
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
// Bit 24 (FZ) flushes operands and results.
uint64_t AuricleFloatControlFlushBits(void) { return UINT64_C(1) << 24; }
uint64_t AuricleFloatControlModeBits(void) { return ~UINT64_C(0); }

#else

uint64_t AuricleGetFloatControl(void) { return 0; }
void AuricleSetFloatControl(uint64_t control) { (void)control; }
uint64_t AuricleFloatControlFlushBits(void) { return 0; }
uint64_t AuricleFloatControlModeBits(void) { return 0; }

#endif
