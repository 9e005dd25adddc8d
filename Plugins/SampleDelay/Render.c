// Rendering of the sample delay: checks, input, the delay, observers.
// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>
#include <string.h>

#include "FloatControl.h"
#include "SampleDelayUnit.h"

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
  setFloatControl(floatControlWithoutDenormals(floatControl()));
  unit->inputIsSilent = (flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
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
    if (unit->inputIsSilent) memset(own[i], 0, wanted);
  }
  return status;
}

static void notify(
    struct Unit *unit, AudioUnitRenderActionFlags phase, const AudioUnitRenderActionFlags *flags,
    const AudioTimeStamp *timeStamp, UInt32 frameCount, AudioBufferList *buffers) {
  for (int i = 0; i < kMaximumListeners; i++) {
    const struct Notify *observer =
        atomic_load_explicit(&unit->notifies[i], memory_order_acquire);
    if (observer == NULL) continue;
    AudioUnitRenderActionFlags seen = (flags != NULL ? *flags : 0) | phase;
    observer->procedure(observer->refCon, &seen, timeStamp, 0, frameCount, buffers);
  }
}

// Says in a caller's flags whether the output is silent.
static void tellSilence(const struct Unit *unit, AudioUnitRenderActionFlags *flags) {
  if (flags == NULL) return;
  *flags &= ~(AudioUnitRenderActionFlags)kAudioUnitRenderAction_OutputIsSilence;
  if (unit->outputIsSilent) *flags |= kAudioUnitRenderAction_OutputIsSilence;
}

static OSStatus fail(struct Unit *unit, OSStatus status) {
  // Told once, until the host has read it.
  if (status != kAudio_NoError &&
      atomic_exchange(&unit->lastError, status) == kAudio_NoError)
    propertyChanged(unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global);
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
  // A unit whose source pulls it in turn would never come to an end.
  if (unit->isRendering) return fail(unit, kAudioUnitErr_CannotDoInCurrentContext);
  unit->isRendering = true;
  const FloatControl before = floatControl();
  setFloatControl(floatControlWithoutDenormals(before));
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
    if (status == kAudio_NoError) status = runSlice(unit, buffers, frameCount);
    unit->hasRendered = status == kAudio_NoError && isTimed;
    unit->lastSampleTime = timeStamp->mSampleTime;
  }
  unit->eventCount = 0;
  if (status == kAudio_NoError) tellSilence(unit, flags);
  notify(
      unit,
      status == kAudio_NoError
          ? kAudioUnitRenderAction_PostRender
          : kAudioUnitRenderAction_PostRender | kAudioUnitRenderAction_PostRenderError,
      flags, timeStamp, frameCount, buffers);
  setFloatControl(before);
  unit->isRendering = false;
  return fail(unit, status);
}

// Processes what lies in a caller's buffers, in place.
static OSStatus processBuffers(
    struct Unit *unit, AudioUnitRenderActionFlags *flags, UInt32 frameCount,
    AudioBufferList *buffers) {
  const FloatControl before = floatControl();
  setFloatControl(floatControlWithoutDenormals(before));
  unit->inputIsSilent =
      flags != NULL && (*flags & kAudioUnitRenderAction_OutputIsSilence) != 0;
  unit->hasRendered = false;  // what is rendered next is another cycle, whatever its time
  const OSStatus status =
      frameCount == 0 ? kAudio_NoError : runSlice(unit, buffers, frameCount);
  unit->eventCount = 0;
  if (frameCount > 0) tellSilence(unit, flags);
  setFloatControl(before);
  return fail(unit, status);
}

// What holds whatever a caller promises of its buffers.
static OSStatus checkState(const struct Unit *unit, UInt32 frameCount) {
  if (!atomic_load(&unit->isInitialized)) return kAudioUnitErr_Uninitialized;
  return frameCount > unit->maximumFrames ? kAudioUnitErr_TooManyFramesToProcess : kAudio_NoError;
}

static bool promises(const AudioUnitRenderActionFlags *flags) {
  return flags != NULL && (*flags & kAudioUnitRenderAction_DoNotCheckRenderArgs) != 0;
}

OSStatus processUnit(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *buffers) {
  struct Unit *unit = self;
  OSStatus status = checkState(unit, frameCount);
  if (status == kAudio_NoError && (timeStamp == NULL || buffers == NULL))
    status = kAudio_ParamError;
  if (status == kAudio_NoError && !promises(flags))
    status = checkBuffers(unit, buffers, frameCount, false);
  if (status != kAudio_NoError) return fail(unit, status);
  return processBuffers(unit, flags, frameCount, buffers);
}

OSStatus processLists(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, UInt32 inputCount, const AudioBufferList **inputs, UInt32 outputCount,
    AudioBufferList **outputs) {
  struct Unit *unit = self;
  OSStatus status = checkState(unit, frameCount);
  if (status == kAudio_NoError &&
      (timeStamp == NULL || inputCount != 1 || outputCount != 1 || inputs == NULL ||
       outputs == NULL || inputs[0] == NULL || outputs[0] == NULL))
    status = kAudio_ParamError;
  if (status == kAudio_NoError && !promises(flags)) {
    status = checkBuffers(unit, inputs[0], frameCount, false);
    if (status == kAudio_NoError) status = checkBuffers(unit, outputs[0], frameCount, true);
  }
  if (status != kAudio_NoError) return fail(unit, status);
  const UInt32 size = frameCount * (UInt32)sizeof(Float32);
  for (UInt32 i = 0; i < unit->channelCount; i++) {
    AudioBuffer *output = &outputs[0]->mBuffers[i];
    if (output->mData == NULL) output->mData = unit->buffer + (size_t)i * unit->maximumFrames;
    output->mNumberChannels = 1;
    output->mDataByteSize = size;
    memmove(output->mData, inputs[0]->mBuffers[i].mData, size);
  }
  return processBuffers(unit, flags, frameCount, outputs[0]);
}

OSStatus renderPackets(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 packetCount, UInt32 *producedPacketCount,
    AudioStreamPacketDescription *packets, AudioBufferList *buffers, void *metadata,
    UInt32 *metadataSize) {
  (void)packets;  // packets of linear PCM are frames, and need no description
  (void)metadata;
  if (producedPacketCount == NULL) return kAudio_ParamError;
  if (metadataSize != NULL) *metadataSize = 0;
  const OSStatus status =
      renderUnit(self, flags, timeStamp, outputElement, packetCount, buffers);
  *producedPacketCount = status == kAudio_NoError ? packetCount : 0;
  return status;
}

OSStatus addRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  struct Unit *unit = self;
  if (procedure == NULL) return kAudio_ParamError;
  for (int i = 0; i < kMaximumListeners; i++) {
    if (atomic_load_explicit(&unit->notifies[i], memory_order_relaxed) != NULL) continue;
    struct Notify *made = malloc(sizeof *made);
    if (made == NULL) return kAudio_MemFullError;
    *made = (struct Notify){.procedure = procedure, .refCon = refCon};
    atomic_store_explicit(&unit->notifies[i], made, memory_order_release);
    return kAudio_NoError;
  }
  return kAudio_MemFullError;
}

OSStatus removeRenderNotify(void *self, AURenderCallback procedure, void *refCon) {
  struct Unit *unit = self;
  for (int i = 0; i < kMaximumListeners; i++) {
    struct Notify *found = atomic_load_explicit(&unit->notifies[i], memory_order_relaxed);
    if (found == NULL || found->procedure != procedure || found->refCon != refCon) continue;
    atomic_store_explicit(&unit->notifies[i], NULL, memory_order_release);
    // A slice may be using it: it goes when the unit renders no more.
    found->retired = unit->retiredNotifies;
    unit->retiredNotifies = found;
  }
  return kAudio_NoError;
}
