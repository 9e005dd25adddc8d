// The binary needs a function that nothing defines.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

void auricle_fixture_undefined_function(void);
static void run(LV2_Handle handle, uint32_t frames) {
  (void)handle, (void)frames;
  auricle_fixture_undefined_function();
}
FIXTURE("urn:auricle:test:undefined-symbol", fixture_instantiate, NULL)
