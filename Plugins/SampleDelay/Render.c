// Rendering of the sample delay: checks, input, the delay, observers.
// SPDX-License-Identifier: Apache-2.0

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

// Runs a slice, cut where a scheduled change happens. A bypassed unit keeps its line filled, and
// hands on what came in.
static void runSlice(struct Unit *unit, AudioBufferList *buffers, UInt32 frameCount) {
  if (atomic_load_explicit(&unit->isBypassed, memory_order_relaxed)) {
    for (UInt32 channel = 0; channel < unit->channelCount; channel++) {
      Float32 *ring = unit->ring + (size_t)channel * unit->ringSize;
      const Float32 *audio = buffers->mBuffers[channel].mData;
      for (UInt32 i = 0; i < frameCount; i++)
        ring[(unit->position + i) & (unit->ringSize - 1)] = audio[i];
    }
    unit->position += frameCount;
    unit->eventCount = 0;
    return;
  }
  UInt32 frame = 0;
  for (UInt32 i = 0; i < unit->eventCount; i++) {
    const UInt32 next = unit->events[i].frame < frameCount ? unit->events[i].frame : frameCount;
    if (next > frame) {
      delayFrames(unit, buffers, frame, next - frame);
      frame = next;
    }
    atomic_store_explicit(&unit->delayFrames, unit->events[i].value, memory_order_relaxed);
  }
  unit->eventCount = 0;
  if (frame < frameCount) delayFrames(unit, buffers, frame, frameCount - frame);
}

static OSStatus checkBuffers(
    const struct Unit *unit, const AudioBufferList *buffers, UInt32 frameCount, bool mayBeNull) {
  if (buffers == NULL || buffers->mNumberBuffers != unit->channelCount) return kAudio_ParamError;
  for (UInt32 i = 0; i < buffers->mNumberBuffers; i++) {
    const AudioBuffer *buffer = &buffers->mBuffers[i];
    if (buffer->mData == NULL ? !mayBeNull : buffer->mDataByteSize < frameCount * sizeof(Float32))
      return kAudio_ParamError;
  }
  return kAudio_NoError;
}

// Gets the input into the caller's buffers, whatever buffers the source hands over.
static OSStatus pullInput(
    struct Unit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount,
    AudioBufferList *buffers) {
  const struct Source *source = atomic_load_explicit(&unit->source, memory_order_acquire);
  if (source == NULL) return kAudioUnitErr_NoConnection;
  void *own[kMaximumChannels];
  for (UInt32 i = 0; i < unit->channelCount; i++) own[i] = buffers->mBuffers[i].mData;
  AudioUnitRenderActionFlags flags = 0;
  OSStatus status;
  if (source->unit != NULL) {
    struct ComponentInstanceRecord *record = source->unit;
    status = record->render == NULL
                 ? kAudio_UnimplementedError
                 : record->render(
                       record->plugIn, &flags, timeStamp, source->unitOutput, frameCount, buffers);
  } else {
    status = source->callback.inputProc(
        source->callback.inputProcRefCon, &flags, timeStamp, 0, frameCount, buffers);
  }
  for (UInt32 i = 0; i < unit->channelCount; i++) {
    AudioBuffer *buffer = &buffers->mBuffers[i];
    const UInt32 wanted = frameCount * (UInt32)sizeof(Float32);
    if (status == kAudio_NoError && buffer->mData == NULL) status = kAudio_ParamError;
    if (status == kAudio_NoError && buffer->mData != own[i]) {
      // What the source's memory does not hold is silence.
      const UInt32 held = buffer->mDataByteSize < wanted ? buffer->mDataByteSize : wanted;
      memmove(own[i], buffer->mData, held);
      memset((char *)own[i] + held, 0, wanted - held);
    }
    buffer->mData = own[i];
    buffer->mDataByteSize = wanted;
  }
  return status;
}

static void notify(
    struct Unit *unit, AudioUnitRenderActionFlags phase, const AudioUnitRenderActionFlags *flags,
    const AudioTimeStamp *timeStamp, UInt32 frameCount, AudioBufferList *buffers) {
  for (int i = 0; i < kMaximumListeners; i++) {
    if (unit->notifies[i].procedure == NULL) continue;
    AudioUnitRenderActionFlags seen = (flags != NULL ? *flags : 0) | phase;
    unit->notifies[i].procedure(
        unit->notifies[i].refCon, &seen, timeStamp, 0, frameCount, buffers);
  }
}

static OSStatus fail(struct Unit *unit, OSStatus status) {
  if (status != kAudio_NoError) atomic_store(&unit->lastError, status);
  return status;
}

OSStatus renderUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers) {
  struct Unit *unit = self;
  if (!atomic_load(&unit->isInitialized)) return fail(unit, kAudioUnitErr_Uninitialized);
  if (timeStamp == NULL) return fail(unit, kAudio_ParamError);
  if (outputElement != 0) return fail(unit, kAudioUnitErr_InvalidElement);
  if (frameCount > unit->maximumFrames) return fail(unit, kAudioUnitErr_TooManyFramesToProcess);
  OSStatus status = checkBuffers(unit, buffers, frameCount, true);
  if (status != kAudio_NoError) return fail(unit, status);
  notify(unit, kAudioUnitRenderAction_PreRender, flags, timeStamp, frameCount, buffers);
  for (UInt32 i = 0; i < unit->channelCount; i++) {
    AudioBuffer *buffer = &buffers->mBuffers[i];
    if (buffer->mData == NULL) buffer->mData = unit->buffer + (size_t)i * unit->maximumFrames;
    buffer->mNumberChannels = 1;
    buffer->mDataByteSize = frameCount * sizeof(Float32);
  }
  // A cycle is rendered once, however often it is asked for.
  const bool isTimed = (timeStamp->mFlags & kAudioTimeStampSampleTimeValid) != 0;
  const bool isRepeated =
      unit->hasRendered && isTimed && timeStamp->mSampleTime == unit->lastSampleTime;
  if (!isRepeated && frameCount > 0) {
    status = pullInput(unit, timeStamp, frameCount, buffers);
    if (status == kAudio_NoError) runSlice(unit, buffers, frameCount);
    unit->hasRendered = status == kAudio_NoError && isTimed;
    unit->lastSampleTime = timeStamp->mSampleTime;
  }
  if (flags != NULL) *flags &= ~(AudioUnitRenderActionFlags)kAudioUnitRenderAction_OutputIsSilence;
  notify(
      unit,
      status == kAudio_NoError
          ? kAudioUnitRenderAction_PostRender
          : kAudioUnitRenderAction_PostRender | kAudioUnitRenderAction_PostRenderError,
      flags, timeStamp, frameCount, buffers);
  return fail(unit, status);
}

OSStatus processUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *buffers) {
  (void)timeStamp;
  struct Unit *unit = self;
  if (!atomic_load(&unit->isInitialized)) return fail(unit, kAudioUnitErr_Uninitialized);
  if (frameCount > unit->maximumFrames) return fail(unit, kAudioUnitErr_TooManyFramesToProcess);
  const OSStatus status = checkBuffers(unit, buffers, frameCount, false);
  if (status != kAudio_NoError) return fail(unit, status);
  runSlice(unit, buffers, frameCount);
  if (flags != NULL) *flags &= ~(AudioUnitRenderActionFlags)kAudioUnitRenderAction_OutputIsSilence;
  return kAudio_NoError;
}

OSStatus addRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  struct Unit *unit = self;
  if (procedure == NULL) return kAudio_ParamError;
  for (int i = 0; i < kMaximumListeners; i++) {
    if (unit->notifies[i].procedure != NULL) continue;
    unit->notifies[i] = (struct Notify){.procedure = procedure, .refCon = refCon};
    return kAudio_NoError;
  }
  return kAudio_MemFullError;
}

OSStatus removeRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  struct Unit *unit = self;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Notify *place = &unit->notifies[i];
    if (place->procedure == procedure && place->refCon == refCon) *place = (struct Notify){0};
  }
  return kAudio_NoError;
}
