// Calls on the process: here, its semaphores.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_TASK_H
#define AURICLE_MACH_TASK_H

#include "mach_init.h"
#include "semaphore.h"

#endif
