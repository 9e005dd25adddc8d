// One slice of the sample delay, in place: the schedule, the delay, bypass, silence, the guard.
// SPDX-License-Identifier: Apache-2.0

#include <Auricle/AuricleProperties.h>
#include <math.h>
#include <string.h>

#include "SampleDelayUnit.h"

// Delays some frames of all channels in place, from `first` on.
static void delayFrames(struct Unit *unit, AudioBufferList *buffers, UInt32 first, UInt32 count) {
  const UInt32 mask = unit->ringSize - 1;
  const UInt32 wanted =
      (UInt32)(atomic_load_explicit(&unit->delayFrames, memory_order_relaxed) + 0.5f);
  if (unit->isFresh) {
    unit->isFresh = false;
    unit->currentDelay = unit->nextDelay = wanted;
  }
  UInt32 done = 0;
  while (done < count) {
    if (unit->currentDelay == unit->nextDelay && wanted != unit->currentDelay) {
      unit->nextDelay = wanted;
      unit->fadePosition = 0;
    }
    const bool isFading = unit->currentDelay != unit->nextDelay;
    UInt32 run = count - done;
    if (isFading && run > kFadeFrames - unit->fadePosition)
      run = kFadeFrames - unit->fadePosition;
    for (UInt32 channel = 0; channel < unit->channelCount; channel++) {
      Float32 *ring = unit->ring + (size_t)channel * unit->ringSize;
      Float32 *audio = (Float32 *)buffers->mBuffers[channel].mData + first + done;
      for (UInt32 i = 0; i < run; i++) {
        const UInt32 now = unit->position + i;
        ring[now & mask] = audio[i];
        Float32 sample = ring[(now - unit->currentDelay) & mask];
        if (isFading) {
          const Float32 weight = (Float32)(unit->fadePosition + i) * (1.0f / kFadeFrames);
          sample += (ring[(now - unit->nextDelay) & mask] - sample) * weight;
        }
        audio[i] = sample;
      }
    }
    unit->position += run;
    if (isFading) {
      unit->fadePosition += run;
      if (unit->fadePosition == kFadeFrames) unit->currentDelay = unit->nextDelay;
    }
    done += run;
  }
}

static Float32 *channelOf(const AudioBufferList *buffers, UInt32 channel) {
  return buffers->mBuffers[channel].mData;
}

static void setDelay(struct Unit *unit, Float32 value) {
  atomic_store_explicit(&unit->delayFrames, value, memory_order_relaxed);
}

// Delays the slice, cut where a scheduled change happens. A delay of whole frames has no values
// between: a ramp keeps the old one until it ends. A later event ends an earlier ramp; what lies
// outside the slice is dropped.
static void delaySlice(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount) {
  UInt32 frame = 0;
  for (UInt32 i = 0; i < unit->eventCount; i++) {
    const struct Event *event = &unit->events[i];
    const SInt64 end = event->start + event->duration;
    if (event->start >= frameCount) break;
    if (event->start < 0 && end <= 0) continue;
    SInt64 limit = frameCount;
    if (i + 1 < unit->eventCount && unit->events[i + 1].start < limit)
      limit = unit->events[i + 1].start;
    // A ramp that another event, or the end of the slice, cuts short is left where it is then.
    const SInt64 until = end < limit ? end : limit;
    if (until > frame) {
      delayFrames(unit, buffers, frame, (UInt32)until - frame);
      frame = (UInt32)until;
    }
    const Float64 part =
        end <= until ? 1 : (Float64)(until - event->start) / (Float64)event->duration;
    setDelay(unit, (Float32)(event->from + ((Float64)event->to - event->from) * part));
  }
  if (frame < frameCount) delayFrames(unit, buffers, frame, frameCount - frame);
}

// Fades between the delayed and the dry signal over 10 ms.
static void mixDry(
    struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount, Float32 target) {
  const Float32 step = (Float32)(1 / fmax(1, unit->formats[1].mSampleRate * 0.01));
  Float32 last = unit->dryPart;
  for (UInt32 channel = 0; channel < unit->channelCount; channel++) {
    Float32 *audio = channelOf(buffers, channel);
    const Float32 *dry = unit->dry + (size_t)channel * unit->maximumFrames;
    Float32 part = unit->dryPart;
    for (UInt32 i = 0; i < frameCount; i++) {
      part = part < target ? fminf(target, part + step) : fmaxf(target, part - step);
      audio[i] = part == 1 ? dry[i] : audio[i] + (dry[i] - audio[i]) * part;
    }
    last = part;
  }
  unit->dryPart = last;
}

static bool isFinite(const struct Unit *unit, const AudioBufferList *buffers, UInt32 frameCount) {
  for (UInt32 channel = 0; channel < unit->channelCount; channel++)
    for (UInt32 i = 0; i < frameCount; i++)
      if (!isfinite(channelOf(buffers, channel)[i])) return false;
  return true;
}

static void clear(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount) {
  for (UInt32 channel = 0; channel < unit->channelCount; channel++)
    memset(channelOf(buffers, channel), 0, frameCount * sizeof(Float32));
  unit->outputIsSilent = true;
}

OSStatus runSlice(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount) {
  const bool isBypassed = atomic_load_explicit(&unit->isBypassed, memory_order_relaxed);
  unit->outputIsSilent = false;
  // Once the line holds nothing but silence there is nothing to do for more of it.
  if (unit->inputIsSilent && unit->silentFrames >= unit->ringSize && unit->eventCount == 0) {
    clear(unit, buffers, frameCount);
    unit->dryPart = isBypassed ? 1 : 0;
    return kAudio_NoError;
  }
  if (!unit->inputIsSilent) unit->silentFrames = 0;
  else if (unit->silentFrames < unit->ringSize) unit->silentFrames += frameCount;
  const bool hearsDry = isBypassed || unit->dryPart > 0;
  if (hearsDry)
    for (UInt32 channel = 0; channel < unit->channelCount; channel++)
      memcpy(
          unit->dry + (size_t)channel * unit->maximumFrames, channelOf(buffers, channel),
          frameCount * sizeof(Float32));
  delaySlice(unit, buffers, frameCount);
  if (hearsDry) mixDry(unit, buffers, frameCount, isBypassed ? 1 : 0);
  if (atomic_load_explicit(&unit->guardsNumbers, memory_order_relaxed) &&
      !isFinite(unit, buffers, frameCount)) {
    clear(unit, buffers, frameCount);
    return kAuricleErr_NotFinite;
  }
  return kAudio_NoError;
}
