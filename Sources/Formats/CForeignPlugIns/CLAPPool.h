// The threads that do the tasks of a CLAP plug-in beside its audio thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "CLAP.h"
#include "Guard.h"

enum { kCLAPPoolThreads = 7 };

// The pool of one plug-in. Tasks are numbers that the threads draw; the audio thread draws with them.
typedef struct {
  const AuricleCLAPPlugin* plugin;
  void (*exec)(const AuricleCLAPPlugin*, uint32_t task);
  uint64_t threads[kCLAPPoolThreads];  // Each writes its own when it begins.
  uint32_t thread_count;
  uint32_t task_count, next_task;
  uint32_t floating_point;
  int ends;
  int is_busy;  // Whether tasks run.
  int has_priority;  // Whether the threads have the priority of the audio thread.
  sem_t work, done;
} AuricleCLAPPool;

static inline bool auricle_clap_pool_has(const AuricleCLAPPool* pool, uint64_t thread) {
  for (uint32_t i = 0; i < pool->thread_count; ++i)
    if (__atomic_load_n(&pool->threads[i], __ATOMIC_RELAXED) == thread) return true;
  return false;
}

static inline void auricle_clap_pool_prepare(
  AuricleCLAPPool* pool, const AuricleCLAPPlugin* plugin, const AuricleCLAPThreadPool* table, uint32_t threads) {
  memset(pool, 0, sizeof *pool);
  pool->plugin = plugin;
  pool->exec = table->exec;
  pool->thread_count = threads < kCLAPPoolThreads ? threads : kCLAPPoolThreads;
  sem_init(&pool->work, 0, 0);
  sem_init(&pool->done, 0, 0);
}

static inline void auricle_clap_pool_draw(AuricleCLAPPool* pool) {
  for (;;) {
    const uint32_t task = __atomic_fetch_add(&pool->next_task, 1, __ATOMIC_ACQ_REL);
    if (task >= pool->task_count) return;
    pool->exec(pool->plugin, task);
  }
}

// Runs on a thread of the pool until the pool ends.
static inline void auricle_clap_pool_run(AuricleCLAPPool* pool, uint32_t place) {
  __atomic_store_n(&pool->threads[place], (uint64_t)pthread_self(), __ATOMIC_RELAXED);
  for (;;) {
    while (sem_wait(&pool->work)) {}
    if (__atomic_load_n(&pool->ends, __ATOMIC_ACQUIRE)) return;
#if defined(__SSE2__)
    // Sound is the same on every thread: small numbers are treated as on the audio thread.
    __builtin_ia32_ldmxcsr(pool->floating_point);
#endif
    auricle_clap_pool_draw(pool);
    sem_post(&pool->done);
  }
}

static inline bool auricle_clap_pool_is_busy(const AuricleCLAPPool* pool) {
  return __atomic_load_n(&pool->is_busy, __ATOMIC_ACQUIRE);
}

// Runs the tasks 0 ..< count on the threads, and waits for them; false while it does so. [audio-thread, in a process call]
static inline bool auricle_clap_pool_do(AuricleCLAPPool* pool, uint32_t count) {
  if (!pool->exec || __atomic_exchange_n(&pool->is_busy, 1, __ATOMIC_ACQ_REL)) return false;
  if (!pool->has_priority) {
    struct sched_param parameter;
    int policy;
    if (!pthread_getschedparam(pthread_self(), &policy, &parameter) && policy != SCHED_OTHER)
      for (uint32_t i = 0; i < pool->thread_count; ++i) {
        const uint64_t thread = __atomic_load_n(&pool->threads[i], __ATOMIC_RELAXED);
        if (thread) pthread_setschedparam((pthread_t)thread, policy, &parameter);
      }
    pool->has_priority = 1;
  }
#if defined(__SSE2__)
  pool->floating_point = __builtin_ia32_stmxcsr();
#endif
  pool->task_count = count;
  __atomic_store_n(&pool->next_task, 0, __ATOMIC_RELEASE);
  uint32_t called = count > 1 ? count - 1 : 0;
  if (called > pool->thread_count) called = pool->thread_count;
  for (uint32_t i = 0; i < called; ++i) sem_post(&pool->work);
  auricle_clap_pool_draw(pool);
  for (uint32_t i = 0; i < called; ++i)
    while (sem_wait(&pool->done)) {}
  __atomic_store_n(&pool->is_busy, 0, __ATOMIC_RELEASE);
  return true;
}

// Ends the threads; each is joined by the one that made it.
static inline void auricle_clap_pool_end(AuricleCLAPPool* pool) {
  __atomic_store_n(&pool->ends, 1, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < pool->thread_count; ++i) sem_post(&pool->work);
}
