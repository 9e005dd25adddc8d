// A pipe that child processes do not inherit unless they are meant to.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "PrivatePipe.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int AuriclePrivatePipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }
