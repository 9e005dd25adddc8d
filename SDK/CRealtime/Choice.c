// The choice of loops by the processor.
// SPDX-License-Identifier: Apache-2.0
#include "SignalLoops.h"
#include "Vectors.h"

#if AURICLE_HAS_WIDE

#include <cpuid.h>

// The system must keep the wide registers of a thread, too: it says so in XCR0.
static int32_t isSupported(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  const unsigned keepsState = 1u << 27, avx = 1u << 28;
  if ((c & (keepsState | avx)) != (keepsState | avx)) return 0;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low & 6) != 6) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  return (b >> 5) & 1;
}

static int32_t isWide;

__attribute__((constructor)) static void choose(void) { isWide = isSupported(); }

_Bool AuricleLoopsAreWide(void) { return isWide; }
int32_t AuricleLoopsHaveWide(void) { return isSupported(); }
void AuricleLoopsSetWidest(int32_t widest) { isWide = widest && isSupported(); }

#else

_Bool AuricleLoopsAreWide(void) { return 0; }
int32_t AuricleLoopsHaveWide(void) { return 0; }
void AuricleLoopsSetWidest(int32_t widest) { (void)widest; }

#endif
