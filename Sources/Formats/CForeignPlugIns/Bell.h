// A bell: a descriptor that any thread rings, and one thread waits for.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "Guard.h"

static inline int auricle_bell_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Never waits: a bell that rings already keeps ringing. [thread-safe]
AURICLE_TRUSTED static inline void auricle_bell_ring(int bell) {
  const uint64_t one = 1;
  const ssize_t written = write(bell, &one, sizeof one);
  (void)written;
}

// Names this thread, for tools that list the threads of a process.
static inline void auricle_name_thread(const char* name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

static inline void auricle_bell_stop(int bell) {
  uint64_t count;
  const ssize_t got = read(bell, &count, sizeof count);
  (void)got;
}
