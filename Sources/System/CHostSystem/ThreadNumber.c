// The system's number of the calling thread, which Swift cannot ask for.
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE 1

#include "include/ThreadNumber.h"

#include <unistd.h>

int32_t AuricleSystemThread(void) { return gettid(); }
