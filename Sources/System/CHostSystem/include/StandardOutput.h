// The standard output as a FILE: Swift treats the C library's variable as shared mutable state.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_STANDARD_OUTPUT_H
#define AURICLE_STANDARD_OUTPUT_H

#include <stdio.h>

/// The value of `stdout`.
FILE *AuricleStandardOutput(void);

#endif
