// The floating-point control word of a thread, to keep denormal numbers out of rendering.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_UNIT_FLOAT_CONTROL_H
#define AURICLE_UNIT_FLOAT_CONTROL_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
enum { kNoDenormals = 0x8040 };  // flush-to-zero and denormals-are-zero
static inline uint64_t floatControl(void) { return _mm_getcsr(); }
static inline void setFloatControl(uint64_t control) { _mm_setcsr((unsigned)control); }
#elif defined(__aarch64__)
enum { kNoDenormals = 1 << 24 };
static inline uint64_t floatControl(void) {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
static inline void setFloatControl(uint64_t control) { __asm__ volatile("msr fpcr, %0" : : "r"(control)); }
#else
enum { kNoDenormals = 0 };
static inline uint64_t floatControl(void) { return 0; }
static inline void setFloatControl(uint64_t control) { (void)control; }
#endif

#endif
