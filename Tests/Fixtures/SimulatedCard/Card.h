// A simulated sound card: the state that its plug-ins of alsa-lib and the tests share in the memory of a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// Faults; BUSY, DENY and BACK come from outside only, as a state of the card.
enum { NO_FAULT, XRUN, STALL, HANG, SUSPEND, DISCONNECT, BUSY, DENY, BACK, FAULT_COUNT };

static const char* const faultNames[FAULT_COUNT] = {"none",    "xrun",       "stall", "hang",
                                                    "suspend", "disconnect", "busy", "deny", "back"};

enum { RING_FRAMES = 1 << 18, FRAME_BYTES = 64 };

// One direction; its frame 0 is frame `start` of the card, which counts from the machine's start.
typedef struct {
  _Atomic int running, opened, request;
  _Atomic int refusal;  // result of opening, negated; 0 for none
  _Atomic double argument;
  _Atomic int64_t start, end;  // the wire is silent from frame `end` on
  int frameBytes;
  long latency;  // frames between its buffer and the connector
} Side;

// The controls of the mixer: playback and capture, two channels each.
typedef struct {
  _Atomic int volume[2][2], on[2][2], source;
  _Atomic int changes;
} Mixer;

typedef struct {
  Side side[2];  // playback, capture
  Mixer mixer;
  char ring[(size_t)RING_FRAMES * FRAME_BYTES];
} Card;

static inline Card* openCard(const char* path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  void* memory = ftruncate(file, sizeof(Card)) < 0
                   ? MAP_FAILED
                   : mmap(NULL, sizeof(Card), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

static inline int64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// The number of a fault; 0 for a word that is none.
static inline int faultNumber(const char* name) {
  for (int kind = XRUN; kind < FAULT_COUNT; kind++)
    if (!strcmp(name, faultNames[kind])) return kind;
  return NO_FAULT;
}
