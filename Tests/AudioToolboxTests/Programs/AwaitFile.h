// Waits of test programs for a file that another process makes.
// SPDX-License-Identifier: Apache-2.0
#ifndef AWAIT_FILE_H
#define AWAIT_FILE_H
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>

#include "Await.h"

// Waits until a file is there. The watch of its folder begins first, so that none is missed; only a hang reaches the limit.
static inline void awaitFile(const char *path) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  const int watch = inotify_init1(IN_CLOEXEC);
  inotify_add_watch(watch, folder, IN_CREATE | IN_MOVED_TO);
  struct pollfd ready = {.fd = watch, .events = POLLIN};
  char events[4096];
  while (access(path, F_OK) != 0 && poll(&ready, 1, kAwaitLimit * 1000) > 0 && read(watch, events, sizeof events) > 0) {
  }
  close(watch);
}

#endif
