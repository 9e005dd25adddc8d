// All of the kernel's interface that is here: errors, threads and their policies, semaphores, clocks, memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_H
#define AURICLE_MACH_H

#include "clock.h"
#include "kern_return.h"
#include "mach_error.h"
#include "mach_init.h"
#include "mach_types.h"
#include "semaphore.h"
#include "sync_policy.h"
#include "task.h"
#include "thread_act.h"
#include "thread_info.h"
#include "thread_policy.h"
#include "vm_map.h"

#endif
