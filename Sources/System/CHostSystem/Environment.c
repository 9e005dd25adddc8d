// The variables of this process's environment.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Environment.h"

#include <unistd.h>

char **AuricleEnvironment(void) { return environ; }
