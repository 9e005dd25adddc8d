// Types of the kernel's interface: the objects named by a number.
// SPDX-License-Identifier: Apache-2.0
//
// A thread's name is the system's number of it, a task's the process's. Names are not counted: there
// is nothing to release.
#ifndef AURICLE_MACH_TYPES_H
#define AURICLE_MACH_TYPES_H

#include <stdint.h>

#include "boolean.h"
#include "kern_return.h"

typedef unsigned int natural_t;
typedef int integer_t;
typedef natural_t mach_port_name_t;
typedef mach_port_name_t mach_port_t;
typedef mach_port_t task_t;
typedef mach_port_t thread_t;
typedef mach_port_t thread_act_t;
typedef mach_port_t thread_port_t;
typedef mach_port_t ipc_space_t;
typedef natural_t mach_msg_type_number_t;

#define MACH_PORT_NULL ((mach_port_t)0)
#define THREAD_NULL ((thread_t)0)
#define TASK_NULL ((task_t)0)

#endif
