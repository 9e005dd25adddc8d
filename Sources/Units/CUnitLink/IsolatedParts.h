// The parts of a unit in another process that its host's files share.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ISOLATED_PARTS_H
#define AURICLE_ISOLATED_PARTS_H

#include <AudioToolbox/AudioUnit.h>
#include <AudioToolbox/AudioUnitProperties.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "EventQueue.h"
#include "IsolatedRender.h"

enum { mostSysExBytes = 1 << 15, mostListBuffers = 1024 };

/// The source of an input bus: a callback, or another unit's output.
typedef struct {
  AURenderCallback callback;
  void *context;
  AudioUnitRenderProc render;
  void *plugIn;
  uint32_t output;
} Source;

/// A ring of samples, one row a channel, whose places are frames of the song.
typedef struct {
  float *samples;
  uint32_t mask, channels;
} Ring;

/// The state of a fade.
typedef struct {
  float part;
  uint32_t fadeLeft;
  bool wasWet;
} Fade;

struct AuricleSliceClock {
  atomic_ullong due, last;
};

struct AuricleIsolated {
  AuricleSliceClock *clock;
  AuricleIsolatedForm form;
  /// The connection of the next slices, and whether a slice is rendered: odd.
  _Atomic(AuricleLink *) link;
  atomic_uint epoch;
  AuricleEventQueue *queue;
  _Atomic(Source *) sources[AuricleMostIsolatedBuses];
  atomic_bool isOffline, isInvalid;
  /// Whether the unit has another latency than is known here.
  atomic_bool hasNewLatency;
  atomic_ullong latencyBits, missed;
  _Atomic(void *) midiOutput, midiContext;
  HostCallbackInfo song;
  atomic_bool hasSong;
  /// The unit that is rendered in the same turn behind this one, and the one in front; NULL for none.
  _Atomic(AuricleIsolated *) next, first;

  // The rest is the render thread's.
  /// The input of all buses, and lists of its buffers.
  float *input;
  float *output;
  AudioBufferList *list;
  uint64_t inputs, silentInputs;
  double sliceTime;
  uint32_t sliceFrames;
  /// The time until which the slice is waited for; 0: for ever.
  uint64_t deadline;
  /// The slice that went with the turn of the unit in front: its time and its frames; 0 for none.
  double joinedTime;
  uint32_t joinedFrames;
  /// Whether the unit is behind another one in this slice, and whether that is another state than before.
  bool isBehind, hasMoved;
  /// Frames since the beginning.
  uint64_t position;
  Ring dry, wet;
  /// Whether a frame of the ring has the unit's sound.
  uint8_t *isWet;
  /// The turn that a pipeline waits for: its first frame and its frames; 0 for none.
  uint64_t turnStart;
  uint32_t turnFrames;
  int32_t status;
  uint32_t outputFlags;
  /// The part of the unit's sound, the frames of a fade that are left, and for each channel its end.
  float part;
  uint32_t fadeLeft;
  bool wasWet;
  /// The same at the beginning of the slice.
  Fade begun;
  /// Whether the slice has the unit's sound.
  bool hasSound;
  float *last, *rest;
  uint8_t sysEx[mostSysExBytes];
  uint32_t sysExCount;
};

static inline float *inputRow(AuricleIsolated *unit, uint32_t channel) {
  return unit->input + (size_t)channel * unit->form.maximumFrames;
}

static inline float *outputRow(AuricleIsolated *unit, uint32_t channel) {
  return unit->output + (size_t)channel * unit->form.maximumFrames;
}

static inline uint32_t firstChannel(const uint32_t *channels, uint32_t bus) {
  uint32_t sum = 0;
  for (uint32_t index = 0; index < bus; index++) sum += channels[index];
  return sum;
}

static inline float *ringPlace(const Ring *ring, uint32_t channel, uint64_t frame) {
  return ring->samples + (size_t)channel * (ring->mask + 1) + (frame & ring->mask);
}

/// Frames in a ring: where they start, how many there are up to its end, and how many at its beginning.
typedef struct {
  uint32_t start, first, rest;
} RingParts;

static inline RingParts ringParts(const Ring *ring, uint64_t frame, uint32_t count) {
  const uint32_t start = (uint32_t)(frame & ring->mask), room = ring->mask + 1 - start;
  const uint32_t first = count < room ? count : room;
  return (RingParts){start, first, count - first};
}

/// Writes frames of a channel, at most as many as the ring has; NULL for silence.
static inline void ringWrite(const Ring *ring, uint32_t channel, uint64_t frame, const float *samples, uint32_t count) {
  const RingParts parts = ringParts(ring, frame, count);
  float *row = ringPlace(ring, channel, 0);
  if (!samples) {
    memset(row + parts.start, 0, parts.first * sizeof(float));
    memset(row, 0, parts.rest * sizeof(float));
    return;
  }
  memcpy(row + parts.start, samples, parts.first * sizeof(float));
  memcpy(row, samples + parts.first, parts.rest * sizeof(float));
}

/// Reads frames of a channel.
static inline void ringRead(const Ring *ring, uint32_t channel, uint64_t frame, float *samples, uint32_t count) {
  const RingParts parts = ringParts(ring, frame, count);
  const float *row = ringPlace(ring, channel, 0);
  memcpy(samples, row + parts.start, parts.first * sizeof(float));
  memcpy(samples + parts.first, row, parts.rest * sizeof(float));
}

/// Moves events of the queue to a connection's next turn. The render thread.
void AuricleIsolatedMoveEvents(AuricleIsolated *unit, AuricleLink *link);

/// Passes events of an answer on to the receiver of MIDI. The render thread.
void AuricleIsolatedPassEvents(AuricleIsolated *unit, AuricleLink *link, const AudioTimeStamp *stamp);

/// Asks the host for the place in its song. The render thread.
void AuricleIsolatedReadSong(AuricleIsolated *unit, AuricleLinkSong *song);

/// Joins the sound with and without the unit in buffers.
void AuricleIsolatedMix(AuricleIsolated *unit, uint32_t bus, uint32_t frameCount, bool isWet, AudioBufferList *buffers);

#endif
