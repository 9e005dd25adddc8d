// Waits of test programs for their other threads: those have done all that they do by themselves.
// SPDX-License-Identifier: Apache-2.0
#ifndef AWAIT_SLEEP_H
#define AWAIT_SLEEP_H
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whether every other thread sleeps.
static inline int othersSleep(void) {
  const long own = syscall(SYS_gettid);
  int isSo = 1;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; tasks && isSo && (task = readdir(tasks));) {
    char path[300], state = 'S';
    if (atol(task->d_name) == 0 || atol(task->d_name) == own) continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 'S';
    if (file) fclose(file);
    isSo = state == 'S';
  }
  if (tasks) closedir(tasks);
  return isSo;
}

// Waits until all others sleep, twice in a row: one that was seen asleep may have been woken by a later one.
static inline void awaitSleep(void) {
  for (int times = 0; times < 2;) {
    times = othersSleep() ? times + 1 : 0;
    if (times == 0) sched_yield();
  }
}

#endif
