// Names of the calling thread and process.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_INIT_H
#define AURICLE_MACH_INIT_H

#include "../MacTypes.h"
#include "mach_types.h"

AURICLE_BEGIN_DECLS

extern thread_t mach_thread_self(void);
extern task_t mach_task_self(void);
// Threads and tasks have nothing to release: KERN_SUCCESS; KERN_INVALID_NAME for no name.
extern kern_return_t mach_port_deallocate(ipc_space_t task, mach_port_name_t name);

AURICLE_END_DECLS

#endif
