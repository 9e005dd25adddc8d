// The standard output as a FILE.
// SPDX-License-Identifier: Apache-2.0

#include "StandardOutput.h"

FILE *AuricleStandardOutput(void) { return stdout; }
