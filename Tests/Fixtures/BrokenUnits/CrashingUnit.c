// A plug-in that crashes while it is loaded.
// SPDX-License-Identifier: Apache-2.0

#include <signal.h>

#define GAIN_UNIT_FACTORY CrashingUnitFactory
#include "../GainUnit/GainUnit.c"

__attribute__((constructor)) static void crash(void) {
  // Not by a null pointer: a compiler may remove that.
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}
