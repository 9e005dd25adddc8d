// The floating-point control word of a thread, to keep denormal numbers out of rendering.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_UNIT_FLOAT_CONTROL_H
#define AURICLE_UNIT_FLOAT_CONTROL_H

#include <stdint.h>

typedef uint64_t FloatControl;

#if defined(__x86_64__)
#include <xmmintrin.h>
static inline FloatControl floatControl(void) { return _mm_getcsr(); }
static inline void setFloatControl(FloatControl control) { _mm_setcsr((unsigned)control); }
// Flush-to-zero and denormals-are-zero.
static inline FloatControl floatControlWithoutDenormals(FloatControl control) {
  return control | 0x8040;
}
#elif defined(__aarch64__)
static inline FloatControl floatControl(void) {
  FloatControl control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
static inline void setFloatControl(FloatControl control) {
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
static inline FloatControl floatControlWithoutDenormals(FloatControl control) {
  return control | UINT64_C(1) << 24;
}
#else
static inline FloatControl floatControl(void) { return 0; }
static inline void setFloatControl(FloatControl control) { (void)control; }
static inline FloatControl floatControlWithoutDenormals(FloatControl control) { return control; }
#endif

#endif
