// The state of a thread: its time and scheduling.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_THREAD_INFO_H
#define AURICLE_MACH_THREAD_INFO_H

#include "mach_types.h"

typedef natural_t thread_flavor_t;
typedef integer_t *thread_info_t;
typedef int policy_t;

#define THREAD_BASIC_INFO 3
#define THREAD_SCHED_TIMESHARE_INFO 10
#define THREAD_SCHED_RR_INFO 11
#define THREAD_SCHED_FIFO_INFO 12

#define POLICY_NULL 0
#define POLICY_TIMESHARE 1
#define POLICY_RR 2
#define POLICY_FIFO 4

#define TH_USAGE_SCALE 1000
#define TH_STATE_RUNNING 1
#define TH_STATE_WAITING 3

typedef struct time_value {
  integer_t seconds;
  integer_t microseconds;
} time_value_t;

// The system does not report cpu_usage, flags, suspend_count and sleep_time: they are 0.
struct thread_basic_info {
  time_value_t user_time;
  time_value_t system_time;
  integer_t cpu_usage;
  policy_t policy;
  integer_t run_state;
  integer_t flags;
  integer_t suspend_count;
  integer_t sleep_time;
};
typedef struct thread_basic_info thread_basic_info_data_t;
typedef struct thread_basic_info *thread_basic_info_t;

// Priorities: 31 and the nice value turned round for threads that share time; the system's 1 to 99 for
// realtime ones.
struct policy_timeshare_info {
  integer_t max_priority;
  integer_t base_priority;
  integer_t cur_priority;
  boolean_t depressed;
  integer_t depress_priority;
};
struct policy_rr_info {
  integer_t max_priority;
  integer_t base_priority;
  integer_t quantum;
  boolean_t depressed;
  integer_t depress_priority;
};
struct policy_fifo_info {
  integer_t max_priority;
  integer_t base_priority;
  boolean_t depressed;
  integer_t depress_priority;
};
typedef struct policy_timeshare_info policy_timeshare_info_data_t;
typedef struct policy_rr_info policy_rr_info_data_t;
typedef struct policy_fifo_info policy_fifo_info_data_t;
union policy_info_data {
  struct policy_timeshare_info ts;
  struct policy_rr_info rr;
  struct policy_fifo_info fifo;
};
typedef union policy_info_data policy_info_data_t;

#define AURICLE_INFO_COUNT(type) ((mach_msg_type_number_t)(sizeof(type) / sizeof(integer_t)))
#define THREAD_BASIC_INFO_COUNT AURICLE_INFO_COUNT(thread_basic_info_data_t)
#define POLICY_TIMESHARE_INFO_COUNT AURICLE_INFO_COUNT(policy_timeshare_info_data_t)
#define POLICY_RR_INFO_COUNT AURICLE_INFO_COUNT(policy_rr_info_data_t)
#define POLICY_FIFO_INFO_COUNT AURICLE_INFO_COUNT(policy_fifo_info_data_t)

#if !defined(__swift__)

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

// The policy's number here; POLICY_NULL for a thread that is no more.
static inline policy_t AuriclePolicyOfThread(thread_act_t thread) {
  // A realtime thread may have a mark beside its policy.
  int policy = sched_getscheduler((pid_t)thread);
  if (policy < 0) return POLICY_NULL;
  policy &= 0xffff;
  return policy == SCHED_FIFO ? POLICY_FIFO : policy == SCHED_RR ? POLICY_RR : POLICY_TIMESHARE;
}

static inline time_value_t AuricleTimeOfTicks(unsigned long ticks, long ticksASecond) {
  time_value_t time;
  time.seconds = (integer_t)(ticks / (unsigned long)ticksASecond);
  time.microseconds = (integer_t)(ticks % (unsigned long)ticksASecond * 1000000u
                                  / (unsigned long)ticksASecond);
  return time;
}

static inline kern_return_t AuricleBasicThreadInfo(
    thread_act_t thread, struct thread_basic_info *info) {
  char path[64], line[512], *rest, state = 'S';
  unsigned long user = 0, system = 0;
  long ticksASecond = sysconf(_SC_CLK_TCK);
  FILE *file;
  memset(info, 0, sizeof(*info));
  snprintf(path, sizeof(path), "/proc/self/task/%u/stat", thread);
  file = fopen(path, "re");
  if (!file) return KERN_INVALID_ARGUMENT;
  rest = fgets(line, sizeof(line), file);
  fclose(file);
  // The name may hold anything, also brackets.
  rest = rest ? strrchr(line, ')') : NULL;
  if (!rest
      || sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system)
          != 3)
    return KERN_FAILURE;
  info->user_time = AuricleTimeOfTicks(user, ticksASecond);
  info->system_time = AuricleTimeOfTicks(system, ticksASecond);
  info->policy = AuriclePolicyOfThread(thread);
  info->run_state = state == 'R' ? TH_STATE_RUNNING : TH_STATE_WAITING;
  return KERN_SUCCESS;
}

// Returns one of the above of a thread of this process. KERN_INVALID_ARGUMENT for a thread that has
// ended, too little room, or an unknown flavor.
static inline kern_return_t thread_info(
    thread_act_t thread, thread_flavor_t flavor, thread_info_t info, mach_msg_type_number_t *count) {
  policy_info_data_t policy;
  struct sched_param priority;
  mach_msg_type_number_t needed = flavor == THREAD_SCHED_TIMESHARE_INFO ? POLICY_TIMESHARE_INFO_COUNT
      : flavor == THREAD_SCHED_RR_INFO                                  ? POLICY_RR_INFO_COUNT
                                                                        : POLICY_FIFO_INFO_COUNT;
  if (!info || !count) return KERN_INVALID_ARGUMENT;
  if (flavor == THREAD_BASIC_INFO) {
    if (*count < THREAD_BASIC_INFO_COUNT) return KERN_INVALID_ARGUMENT;
    *count = THREAD_BASIC_INFO_COUNT;
    return AuricleBasicThreadInfo(thread, (struct thread_basic_info *)(void *)info);
  }
  if (flavor < THREAD_SCHED_TIMESHARE_INFO || flavor > THREAD_SCHED_FIFO_INFO || *count < needed
      || sched_getparam((pid_t)thread, &priority) != 0)
    return KERN_INVALID_ARGUMENT;
  memset(&policy, 0, sizeof(policy));
  if (flavor == THREAD_SCHED_TIMESHARE_INFO) {
    policy.ts.max_priority = 63;
    policy.ts.base_priority = 31 - getpriority(PRIO_PROCESS, thread);
    policy.ts.cur_priority = policy.ts.base_priority;
  } else {
    policy.fifo.max_priority = 99;
    policy.fifo.base_priority = priority.sched_priority;
  }
  memcpy(info, &policy, needed * sizeof(integer_t));
  *count = needed;
  return KERN_SUCCESS;
}

#endif

#endif
