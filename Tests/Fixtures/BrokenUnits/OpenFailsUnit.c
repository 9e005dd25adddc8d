// A unit whose Open fails. It frees itself then; Close would write a file named by an environment variable.
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>
#include <stdlib.h>

static void tell(void) {
  const char *path = getenv("AURICLE_TEST_CLOSE_MARKER");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) fclose(file);
}

#define GAIN_UNIT_FACTORY OpenFailsUnitFactory
#define GAIN_UNIT_OPEN_STATUS -10847
#define GAIN_UNIT_CLOSED() tell()
#include "../GainUnit/GainUnit.c"
