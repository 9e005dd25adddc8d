// Hands work from one process to another through shared memory.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "HandOver.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(AuricleHandOver) == 64, "other languages know the layout");

static const uint64_t second = 1000000000;
/// The time for which a side spins: longer than the other side needs for a short block, and too short to be worth a sleep.
static const uint64_t spinTime = 30000;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

static uint32_t load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

static void pauseSpin(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Whether another processor can do the other side's work while this one spins.
static bool canSpin(void) {
  static int answer;
  int found = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (!found) {
    found = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 1 : -1;
    __atomic_store_n(&answer, found, __ATOMIC_RELAXED);
  }
  return found > 0;
}

/// Waits while a word has a value; the flag shows the other side that it has to wake.
static void waitWhile(uint32_t *word, uint32_t value, uint32_t *flag, uint64_t nanoseconds) {
  const uint64_t begun = now();
  if (canSpin()) {
    const uint64_t limit = nanoseconds < spinTime ? nanoseconds : spinTime;
    for (uint32_t turn = 1; load(word) == value; turn++) {
      pauseSpin();
      if (turn % 64 == 0 && now() - begun >= limit) break;
    }
  }
  while (load(word) == value) {
    const uint64_t gone = now() - begun;
    if (gone >= nanoseconds) return;
    const uint64_t left = nanoseconds - gone;
    const struct timespec time = {(time_t)(left / second), (long)(left % second)};
    __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value)
      syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
    __atomic_store_n(flag, 0, __ATOMIC_RELAXED);
  }
}

static void wake(uint32_t *word, const uint32_t *flag) {
  if (__atomic_load_n(flag, __ATOMIC_SEQ_CST)) syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

uint32_t AuricleHandOverPost(AuricleHandOver *shared, uint32_t kind, uint32_t count) {
  shared->kind = kind;
  shared->count = count;
  const uint32_t number = load(&shared->request) + 1;
  __atomic_store_n(&shared->request, number, __ATOMIC_SEQ_CST);
  wake(&shared->request, &shared->serverWaits);
  return number;
}

bool AuricleHandOverAwaitAnswer(AuricleHandOver *shared, uint32_t number, uint64_t nanoseconds) {
  const uint64_t begun = now();
  for (;;) {
    const uint32_t answer = load(&shared->answer);
    if (answer == number) return true;
    const uint64_t gone = now() - begun;
    if (gone >= nanoseconds) return false;
    waitWhile(&shared->answer, answer, &shared->clientWaits, nanoseconds - gone);
  }
}

bool AuricleHandOverAwaitRequest(AuricleHandOver *shared, uint32_t seen, uint64_t nanoseconds) {
  waitWhile(&shared->request, seen, &shared->serverWaits, nanoseconds);
  return load(&shared->request) != seen;
}

uint32_t AuricleHandOverLast(const AuricleHandOver *shared) { return load(&shared->request); }

void AuricleHandOverAnswer(AuricleHandOver *shared, uint32_t number) {
  __atomic_store_n(&shared->answer, number, __ATOMIC_SEQ_CST);
  wake(&shared->answer, &shared->clientWaits);
}
