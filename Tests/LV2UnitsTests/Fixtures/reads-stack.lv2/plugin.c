// Adds variables to its input that it never sets, and so depends on the stack it gets.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  float numbers[16];
  // Has the compiler believe that they are set.
  __asm__ volatile("" : "=m"(numbers));
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i] + numbers[i % 16];
}
FIXTURE("urn:auricle:test:reads-stack", fixture_instantiate, NULL)
