// Groups of threads with a common deadline, which the system does not have: there is none to be joined.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OS_WORKGROUP_H
#define AURICLE_OS_WORKGROUP_H

#include "../MacTypes.h"

typedef struct os_workgroup_s *os_workgroup_t;
typedef os_workgroup_t os_workgroup_interval_t;
typedef struct os_workgroup_join_token_s {
  uint32_t signature;
  char opaque[36];
} os_workgroup_join_token_s, *os_workgroup_join_token_t;

// 22 (EINVAL), as for a group that is no more.
static inline int os_workgroup_join(os_workgroup_t group, os_workgroup_join_token_t token) {
  (void)group;
  (void)token;
  return 22;
}
static inline void os_workgroup_leave(os_workgroup_t group, os_workgroup_join_token_t token) {
  (void)group;
  (void)token;
}

#endif
