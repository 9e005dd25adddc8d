// The sample delay: a unit in plain C on the helper of Auricle/AuricleUnit.h.
// SPDX-License-Identifier: Apache-2.0

#include "include/SampleDelay.h"

#include <Auricle/AuricleUnit.h>
#include <stdlib.h>
#include <string.h>

enum { kFadeFrames = 256 };  // from one delay to the next

static const AuricleParameter kParameters[] = {
    {.id = kSampleDelayParam_DelayFrames,
     .name = "delay frames",
     .unit = kAudioUnitParameterUnit_SampleFrames,
     .maximumSeconds = 1}};

// The state of one unit.
struct Delay {
  UInt32 channelCount;
  UInt32 ringSize;  // a power of two
  Float32 *ring;    // channel after channel
  UInt32 position;
  UInt32 current, next, fadePosition;  // delays in frames
  bool isFresh;                        // the next delay is set without a fade
};

static OSStatus start(void *state, const AuricleRenderFormat *format) {
  struct Delay *delay = state;
  delay->channelCount = format->outputCount;
  delay->ringSize = 1;
  while (delay->ringSize <= (UInt32)format->sampleRate + 1) delay->ringSize *= 2;
  delay->ring = calloc((size_t)delay->ringSize * delay->channelCount, sizeof(Float32));
  return delay->ring == NULL ? kAudio_MemFullError : kAudio_NoError;
}

static void stop(void *state) {
  struct Delay *delay = state;
  free(delay->ring);
  delay->ring = NULL;
}

static void reset(void *state) {
  struct Delay *delay = state;
  memset(delay->ring, 0, sizeof(Float32) * delay->ringSize * delay->channelCount);
  delay->position = 0;
  delay->isFresh = true;
}

// Delays a run of one channel, within which the delay or the fade to the next one is constant.
static void delayRun(
    const struct Delay *delay, UInt32 channel, const Float32 *input, Float32 *output,
    UInt32 count) {
  const UInt32 mask = delay->ringSize - 1;
  const bool isFading = delay->current != delay->next;
  Float32 *ring = delay->ring + (size_t)channel * delay->ringSize;
  for (UInt32 i = 0; i < count; i++) {
    const UInt32 now = delay->position + i;
    ring[now & mask] = input[i];
    Float32 sample = ring[(now - delay->current) & mask];
    if (isFading) {
      const Float32 weight = (Float32)(delay->fadePosition + i) * (1.0f / kFadeFrames);
      sample += (ring[(now - delay->next) & mask] - sample) * weight;
    }
    output[i] = sample;
  }
}

static void process(void *state, const AuricleSlice *slice) {
  struct Delay *delay = state;
  const UInt32 wanted = (UInt32)(slice->values[0] + 0.5f);
  if (delay->isFresh) delay->current = delay->next = wanted;
  delay->isFresh = false;
  for (UInt32 done = 0, run; done < slice->frameCount; done += run) {
    if (delay->current == delay->next && wanted != delay->current) {
      delay->next = wanted;
      delay->fadePosition = 0;
    }
    const bool isFading = delay->current != delay->next;
    run = slice->frameCount - done;
    if (isFading && run > kFadeFrames - delay->fadePosition)
      run = kFadeFrames - delay->fadePosition;
    for (UInt32 channel = 0; channel < slice->outputCount; channel++)
      delayRun(delay, channel, slice->inputs[channel] + done, slice->outputs[channel] + done, run);
    delay->position += run;
    if (!isFading) continue;
    delay->fadePosition += run;
    if (delay->fadePosition == kFadeFrames) delay->current = delay->next;
  }
}

static Float64 tailSeconds(const AudioUnitParameterValue *values, Float64 sampleRate) {
  return (UInt32)(values[0] + 0.5f) / sampleRate;
}

static const AuricleUnitDefinition kDefinition = {
    .parameters = kParameters,
    .parameterCount = sizeof kParameters / sizeof *kParameters,
    .stateSize = sizeof(struct Delay),
    .process = process,
    .start = start,
    .stop = stop,
    .reset = reset,
    .tailSeconds = tailSeconds,
    .restSeconds = 1.1};

AURICLE_UNIT_FACTORY(AuricleSampleDelayFactory, kDefinition)
