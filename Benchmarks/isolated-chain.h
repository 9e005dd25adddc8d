// A chain of units in another process, made of the C of both sides alone: for benchmarks, and campaigns that kill it.
// SPDX-License-Identifier: Apache-2.0
#ifndef ISOLATED_CHAIN_H
#define ISOLATED_CHAIN_H

#define _GNU_SOURCE
#include <AudioToolbox/AudioUnit.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "IsolatedRender.h"
#include "ServedUnit.h"

enum { mostUnits = 32 };

/// The turn, the unit and the frame in which a process ends itself; turn 0 for none.
typedef struct {
  uint32_t turn, unit, frame;
} DeathPlace;

/// A unit that multiplies by a factor.
typedef struct {
  float factor;
  uint32_t number, turns, frames;
  DeathPlace death;
  AuricleServed *served;
} Gain;

/// The units on the host's side, and their process.
typedef struct {
  uint32_t count, frames;
  AuricleSliceClock *clock;
  AuricleIsolatedForm form;
  AuricleIsolated *units[mostUnits];
  void *memory[mostUnits];
  size_t size;
  AuricleLink *links[mostUnits];
  float factors[mostUnits];
  pid_t process;
  int socket;
  pthread_t watcher;
} Chain;

static inline uint64_t seeded(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15ull;
  uint64_t word = *state;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ word >> 27) * 0x94D049BB133111EBull;
  return word ^ word >> 31;
}

/// The input at a frame of the song: noise of -1 to 1 that never repeats, so that no other frame passes for this one.
static inline float inputAt(uint64_t frame) {
  uint64_t state = frame * 2 + 1;
  return (float)(int32_t)(uint32_t)seeded(&state) / 2147483648.0f;
}

static inline void raisePriorityTo(int level) {
  const struct sched_param priority = {.sched_priority = level};
  pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
}

static inline void raisePriority(void) { raisePriorityTo(AuricleUnitPriority + 1); }

static OSStatus renderGain(void *plugIn, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
                           UInt32 frames, AudioBufferList *list) {
  Gain *gain = plugIn;
  (void)bus;
  gain->turns++;
  const OSStatus status = ((AURenderCallback)AuricleServedInput())(gain->served, flags, stamp, 0, frames, list);
  if (status) return status;
  float *samples = list->mBuffers[0].mData;
  const bool dies = gain->death.turn == gain->turns && gain->death.unit == gain->number;
  for (uint32_t frame = 0; frame < frames; frame++) {
    if (dies && frame == gain->death.frame % frames) raise(SIGKILL);
    samples[frame] *= gain->factor;
  }
  return 0;
}

/// The work of the process: one thread renders all units, one behind the other.
static void serveChain(const Chain *chain, DeathPlace death, bool isRealTime) {
  Gain *gains = calloc(chain->count, sizeof *gains);
  AuricleServed *served[mostUnits];
  for (uint32_t index = 0; index < chain->count; index++) {
    gains[index] = (Gain){chain->factors[index], index, 0, chain->frames, death, NULL};
    AuricleServedForm form = {.plugIn = &gains[index], .render = (void *)renderGain,
                              .maximumFrames = chain->frames, .inputBuses = 1, .outputBuses = 1,
                              .inputChannels = {1}, .outputChannels = {1}};
    AuricleLink *link = AuricleLinkMake(chain->memory[index], AuricleIsolatedLinkForm(&chain->form));
    served[index] = AuricleServedMake(link, &form);
    gains[index].served = served[index];
    if (index) AuricleServedJoin(served[index - 1], served[index]);
  }
  if (isRealTime) raisePriorityTo(AuricleUnitPriority);
  AuricleServedRun(served[0]);
}

/// Ends all waits for a process when it ends, as the thread of a host does that watches sockets.
static void *watchChain(void *context) {
  Chain *chain = context;
  struct pollfd entry = {chain->socket, POLLIN, 0};
  while (poll(&entry, 1, -1) < 0 && errno == EINTR) {}
  for (uint32_t index = 0; index < chain->count; index++) AuricleLinkAbandon(chain->links[index]);
  return NULL;
}

/// Makes the host's side of a chain.
static Chain *makeChain(uint32_t count, uint32_t frames, AuricleSliceClock *clock, bool isPipelined,
                        AURenderCallback input, void *context, const float *factors) {
  Chain *chain = calloc(1, sizeof *chain);
  *chain = (Chain){.count = count, .frames = frames, .clock = clock};
  chain->form = (AuricleIsolatedForm){.maximumFrames = frames, .sampleRate = 48000, .inputBuses = 1, .outputBuses = 1,
                                      .inputChannels = {1}, .outputChannels = {1}, .passesInput = true,
                                      .fetchesInput = true, .isPipelined = isPipelined, .fadeFrames = 240};
  chain->size = AuricleLinkSize(AuricleIsolatedLinkForm(&chain->form));
  for (uint32_t index = 0; index < count; index++) {
    chain->factors[index] = factors[index];
    chain->units[index] = AuricleIsolatedMake(clock);
    if (!chain->units[index] || !AuricleIsolatedPrepare(chain->units[index], &chain->form)) abort();
    if (index)
      AuricleIsolatedConnect(chain->units[index], 0, (void *)AuricleIsolatedRender, chain->units[index - 1], 0);
    else
      AuricleIsolatedSetCallback(chain->units[0], 0, (void *)input, context);
  }
  return chain;
}

/// The work of a process that writes what it likes, where it likes, as fast as it can.
static void scribble(const Chain *chain, uint64_t seed) {
  for (;;) {
    const uint64_t place = seeded(&seed), value = seeded(&seed);
    uint8_t *memory = chain->memory[place % chain->count];
    // Most of it in the words and heads at the beginning, and often what makes sense: a turn that is answered.
    const size_t offset = (size_t)(place >> 8) % (place & 0xC0 ? 512 : chain->size) & ~(size_t)3;
    uint32_t word = (uint32_t)value;
    if (value >> 40 & 1) memcpy(&word, memory, sizeof word);
    if (value >> 41 & 1) word %= 5;
    *(volatile uint32_t *)(memory + offset) = word;
  }
}

/// Starts a process for the units, in one turn. They sound from the next slice on. A seed other than 0 makes it hostile.
static void startProcess(Chain *chain, DeathPlace death, bool isRealTime, uint64_t hostility) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) abort();
  for (uint32_t index = 0; index < chain->count; index++) {
    chain->memory[index] = mmap(NULL, chain->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (chain->memory[index] == MAP_FAILED) abort();
    chain->links[index] = AuricleLinkMake(chain->memory[index], AuricleIsolatedLinkForm(&chain->form));
  }
  const pid_t host = getpid();
  chain->process = fork();
  if (chain->process < 0) abort();
  if (!chain->process) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != host) _exit(0);
    close(ends[0]);
    if (hostility) scribble(chain, hostility);
    serveChain(chain, death, isRealTime);
    _exit(0);
  }
  close(ends[1]);
  chain->socket = ends[0];
  pthread_create(&chain->watcher, NULL, watchChain, chain);
  for (uint32_t index = 1; index < chain->count; index++)
    AuricleIsolatedJoin(chain->units[index - 1], chain->units[index]);
  for (uint32_t index = chain->count; index-- > 0;) AuricleIsolatedExchange(chain->units[index], chain->links[index]);
}

static inline void startChain(Chain *chain, DeathPlace death, bool isRealTime) {
  startProcess(chain, death, isRealTime, 0);
}

/// Parts the units from their process, which ends.
static void stopChain(Chain *chain) {
  kill(chain->process, SIGKILL);
  pthread_join(chain->watcher, NULL);
  for (uint32_t index = 0; index < chain->count; index++) AuricleIsolatedJoin(chain->units[index], NULL);
  for (uint32_t index = 0; index < chain->count; index++) {
    AuricleIsolatedExchange(chain->units[index], NULL);
    AuricleLinkFree(chain->links[index]);
    munmap(chain->memory[index], chain->size);
  }
  close(chain->socket);
  waitpid(chain->process, NULL, 0);
}

/// Renders a slice of the chain as a graph does: one unit behind the other, of which each has the one in front as its
/// source.
static OSStatus renderChain(Chain *chain, double time, float *samples) {
  AudioTimeStamp stamp = {.mSampleTime = time, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioBufferList list = {1, {{1, chain->frames * (UInt32)sizeof(float), samples}}};
  AudioUnitRenderActionFlags flags = 0;
  return AuricleIsolatedRender(chain->units[chain->count - 1], &flags, &stamp, 0, chain->frames, &list);
}

#endif
