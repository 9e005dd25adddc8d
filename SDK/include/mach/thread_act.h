// Calls on threads.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_THREAD_ACT_H
#define AURICLE_MACH_THREAD_ACT_H

#include "mach_init.h"
#include "thread_info.h"
#include "thread_policy.h"

#endif
