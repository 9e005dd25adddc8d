// The order in which waiting threads are woken. The system decides it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_SYNC_POLICY_H
#define AURICLE_MACH_SYNC_POLICY_H

typedef int sync_policy_t;
#define SYNC_POLICY_FIFO 0x0
#define SYNC_POLICY_FIXED_PRIORITY 0x1

#endif
