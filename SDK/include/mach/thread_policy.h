// The scheduling of a thread.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_THREAD_POLICY_H
#define AURICLE_MACH_THREAD_POLICY_H

#include "../MacTypes.h"
#include "mach_types.h"

typedef natural_t thread_policy_flavor_t;
typedef integer_t *thread_policy_t;

#define THREAD_STANDARD_POLICY 1
#define THREAD_EXTENDED_POLICY 1
#define THREAD_TIME_CONSTRAINT_POLICY 2
#define THREAD_PRECEDENCE_POLICY 3
#define THREAD_AFFINITY_POLICY 4

// Whether the thread shares time with others, as threads do that nothing was said about.
struct thread_extended_policy {
  boolean_t timeshare;
};
typedef struct thread_extended_policy thread_extended_policy_data_t;
typedef struct thread_extended_policy *thread_extended_policy_t;
typedef struct thread_extended_policy thread_standard_policy_data_t;

// Work of `computation` ticks within `constraint`, every `period`; in ticks of mach_absolute_time.
struct thread_time_constraint_policy {
  uint32_t period;
  uint32_t computation;
  uint32_t constraint;
  boolean_t preemptible;
};
typedef struct thread_time_constraint_policy thread_time_constraint_policy_data_t;
typedef struct thread_time_constraint_policy *thread_time_constraint_policy_t;

// More or less important than the process's other threads.
struct thread_precedence_policy {
  integer_t importance;
};
typedef struct thread_precedence_policy thread_precedence_policy_data_t;
typedef struct thread_precedence_policy *thread_precedence_policy_t;

#define AURICLE_POLICY_COUNT(type) ((mach_msg_type_number_t)(sizeof(type) / sizeof(integer_t)))
#define THREAD_STANDARD_POLICY_COUNT 0
#define THREAD_EXTENDED_POLICY_COUNT AURICLE_POLICY_COUNT(thread_extended_policy_data_t)
#define THREAD_TIME_CONSTRAINT_POLICY_COUNT \
  AURICLE_POLICY_COUNT(thread_time_constraint_policy_data_t)
#define THREAD_PRECEDENCE_POLICY_COUNT AURICLE_POLICY_COUNT(thread_precedence_policy_data_t)

AURICLE_BEGIN_DECLS

// A time constraint makes the thread a realtime one (SCHED_RR), where the system lets the user have
// such: KERN_NO_ACCESS elsewhere. Shared time undoes that, and so does a thread that is not to
// share time but has no constraint. Importance is a nice value. KERN_INVALID_ARGUMENT for a thread
// that has ended, and for an unknown policy.
extern kern_return_t thread_policy_set(
    thread_act_t thread, thread_policy_flavor_t flavor, thread_policy_t policy,
    mach_msg_type_number_t count);

AURICLE_END_DECLS

#if !defined(__swift__)

#include <sched.h>
#include <string.h>
#include <sys/resource.h>

// Returns a thread's sharing of time and its importance. The numbers of a time constraint are not kept: they
// are the defaults of a thread without one, and *isDefault is true.
static inline kern_return_t thread_policy_get(
    thread_act_t thread, thread_policy_flavor_t flavor, thread_policy_t policy,
    mach_msg_type_number_t *count, boolean_t *isDefault) {
  struct thread_time_constraint_policy constraint = {0, 5000000, 10000000, 1};
  integer_t one = 0;
  const void *answer = &one;
  mach_msg_type_number_t size = 1;
  int scheduler = sched_getscheduler((int)thread);
  if (!policy || !count || !isDefault || scheduler < 0) return KERN_INVALID_ARGUMENT;
  if (flavor == THREAD_EXTENDED_POLICY) {
    one = (scheduler & 0xffff) == SCHED_OTHER;
  } else if (flavor == THREAD_PRECEDENCE_POLICY) {
    one = -getpriority(PRIO_PROCESS, thread);
  } else if (flavor == THREAD_TIME_CONSTRAINT_POLICY) {
    answer = &constraint;
    size = THREAD_TIME_CONSTRAINT_POLICY_COUNT;
    *isDefault = TRUE;
  } else {
    return KERN_INVALID_ARGUMENT;
  }
  if (*count < size) return KERN_INVALID_ARGUMENT;
  memcpy(policy, answer, size * sizeof(integer_t));
  *count = size;
  return KERN_SUCCESS;
}

#endif

#endif
