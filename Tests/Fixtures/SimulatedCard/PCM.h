// One opened direction of the simulated card.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "Card.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

enum { MOST_FAULTS = 32 };

typedef struct {
  int kind;
  int64_t frame;  // counted since it was opened
  double argument;
} Fault;

typedef struct {
  snd_pcm_ioplug_t io;
  Card* card;
  Side* side;
  double ppm;                  // how far its clock is off
  long burst, latency, most;   // positions move by `burst`; a transfer does `most` frames
  Fault faults[MOST_FAULTS];
  int faultCount, nextFault;
  int heard;                   // the file of the connector's output; below 0 for none
  int64_t stalledUntil;        // ns; INT64_MAX until it is prepared anew
  int64_t total, moved, before;  // frames done, transferred, and done before the last prepare
  snd_pcm_uframes_t availMin, stopThreshold, boundary;
} PCM;

// Frames a nanosecond.
static inline double pace(const PCM* pcm) { return pcm->io.rate * (1 + pcm->ppm * 1e-6) * 1e-9; }

// The frame of the card at a time: the same for both sides, and for all processes.
static inline int64_t cardFrame(const PCM* pcm, int64_t time) { return (int64_t)(time * pace(pcm)); }

extern const snd_pcm_ioplug_callback_t pcmCallbacks;
