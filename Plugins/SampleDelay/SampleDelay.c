// The sample delay: a unit in plain C, from the headers alone. Factory and life cycle.
// SPDX-License-Identifier: Apache-2.0

#include "include/SampleDelay.h"

#include <CoreFoundation/CoreFoundation.h>
#include <stdlib.h>
#include <string.h>

#include "SampleDelayUnit.h"

static OSStatus openUnit(void *self, AudioComponentInstance handle) {
  ((struct Unit *)self)->handle = handle;
  return kAudio_NoError;
}

static OSStatus closeUnit(void *self) {
  struct Unit *unit = self;
  uninitializeUnit(unit);
  free(atomic_load(&unit->source));
  for (int i = 0; i < kMaximumListeners; i++) free(atomic_load(&unit->notifies[i]));
  free(atomic_load(&unit->samplesListener));
  if (unit->currentName != NULL) CFRelease(unit->currentName);
  free(unit);
  return kAudio_NoError;
}

AudioComponentMethod lookUpMethod(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)initializeUnit;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)uninitializeUnit;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)getPropertyInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)getProperty;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)setProperty;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)getParameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)setParameter;
    case kAudioUnitResetSelect: return (AudioComponentMethod)resetUnit;
    case kAudioUnitAddPropertyListenerSelect: return (AudioComponentMethod)addPropertyListener;
    case kAudioUnitRemovePropertyListenerSelect:
      return (AudioComponentMethod)removePropertyListener;
    case kAudioUnitRemovePropertyListenerWithUserDataSelect:
      return (AudioComponentMethod)removePropertyListenerWithUserData;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)renderUnit;
    case kAudioUnitAddRenderNotifySelect: return (AudioComponentMethod)addRenderNotify;
    case kAudioUnitRemoveRenderNotifySelect: return (AudioComponentMethod)removeRenderNotify;
    case kAudioUnitScheduleParametersSelect: return (AudioComponentMethod)scheduleParameters;
    case kAudioUnitProcessSelect: return (AudioComponentMethod)processUnit;
    case kAudioUnitProcessMultipleSelect: return (AudioComponentMethod)processLists;
    case kAudioUnitComplexRenderSelect: return (AudioComponentMethod)renderPackets;
    default: return NULL;
  }
}

AudioComponentPlugInInterface *AuricleSampleDelayFactory(
    const AudioComponentDescription *description) {
  struct Unit *unit = calloc(1, sizeof *unit);
  if (unit == NULL) return NULL;
  if (description != NULL) {
    unit->description = *description;
  } else {
    unit->description = (AudioComponentDescription){
        .componentType = kAudioUnitType_Effect,
        .componentSubType = kAudioUnitSubType_SampleDelay,
        .componentManufacturer = kAudioUnitManufacturer_Apple};
  }
  unit->interface =
      (AudioComponentPlugInInterface){.Open = openUnit, .Close = closeUnit, .Lookup = lookUpMethod};
  unit->maximumFrames = 1156;
  unit->renderQuality = kRenderQuality_Max;
  atomic_store(&unit->lastSampleTime, -1);
  for (int scope = 0; scope < 2; scope++) {
    unit->formats[scope] = (AudioStreamBasicDescription){
        .mSampleRate = 44100,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        .mBytesPerPacket = sizeof(Float32),
        .mFramesPerPacket = 1,
        .mBytesPerFrame = sizeof(Float32),
        .mChannelsPerFrame = 2,
        .mBitsPerChannel = 8 * sizeof(Float32)};
  }
  return &unit->interface;
}

// Forgets the past; the next delay is taken at once.
static void forget(struct Unit *unit) {
  memset(unit->ring, 0, sizeof(Float32) * unit->ringSize * unit->channelCount);
  unit->position = 0;
  unit->isFresh = true;
  unit->hasRendered = false;
  unit->eventCount = 0;
  unit->silentFrames = 0;
}

// Memory for what callers bring none for, and for samples that are no planar floats.
static bool allocateBuffers(struct Unit *unit) {
  enum { kAlignment = 16 };
  const UInt32 stride = (unit->maximumFrames + kAlignment - 1) / kAlignment * kAlignment;
  const size_t size = (size_t)stride * unit->channelCount * sizeof(Float32);
  bool isWhole = true;
  unit->bufferStride = stride;
  unit->ownBuffer = calloc(1, size);
  if (unit->ownBuffer == NULL) return false;
  for (int side = 0; side < 2; side++) {
    const struct SampleLayout *layout = &unit->sides[side];
    readLayout(&unit->formats[side], &unit->sides[side]);
    if (layout->isCanonical) continue;
    unit->packed[side] = calloc(stride, (size_t)layout->byteCount * layout->channelCount);
    isWhole = isWhole && unit->packed[side] != NULL;
  }
  const bool isLent = unit->external.buffer != NULL && unit->external.size >= size;
  unit->buffer = isLent ? (Float32 *)(void *)unit->external.buffer : unit->ownBuffer;
  return isWhole;
}

OSStatus initializeUnit(void *self) {
  struct Unit *unit = self;
  if (atomic_load(&unit->isInitialized)) return kAudio_NoError;
  const AudioStreamBasicDescription *input = &unit->formats[0], *output = &unit->formats[1];
  if (input->mChannelsPerFrame != output->mChannelsPerFrame ||
      input->mSampleRate != output->mSampleRate)
    return kAudioUnitErr_FormatNotSupported;
  // Sizes of buffers are told in 32 bits.
  if ((UInt64)unit->maximumFrames * output->mChannelsPerFrame > 1u << 28)
    return kAudio_MemFullError;
  // The rate may have become lower since the delay was set, and the line as short.
  setParameter(
      unit, kSampleDelayParam_DelayFrames, kAudioUnitScope_Global, 0,
      atomic_load(&unit->delayFrames), 0);
  UInt32 size = 1;
  while (size <= (UInt32)output->mSampleRate + 1) size *= 2;
  unit->channelCount = output->mChannelsPerFrame;
  unit->ringSize = size;
  unit->ring = calloc((size_t)size * unit->channelCount, sizeof(Float32));
  unit->dry = calloc((size_t)unit->maximumFrames * unit->channelCount, sizeof(Float32));
  unit->dryPart = atomic_load(&unit->isBypassed) ? 1 : 0;
  if (!allocateBuffers(unit) || unit->ring == NULL || unit->dry == NULL) {
    uninitializeUnit(unit);
    return kAudio_MemFullError;
  }
  forget(unit);
  atomic_store(&unit->isInitialized, true);
  return kAudio_NoError;
}

OSStatus uninitializeUnit(void *self) {
  struct Unit *unit = self;
  atomic_store(&unit->isInitialized, false);
  free(unit->ring);
  free(unit->ownBuffer);
  free(unit->dry);
  unit->ring = unit->buffer = unit->ownBuffer = unit->dry = NULL;
  for (int side = 0; side < 2; side++) {
    free(unit->packed[side]);
    unit->packed[side] = NULL;
  }
  freeSamplesListeners(unit);
  while (unit->retired != NULL) {
    struct Source *next = unit->retired->retired;
    free(unit->retired);
    unit->retired = next;
  }
  while (unit->retiredNotifies != NULL) {
    struct Notify *next = unit->retiredNotifies->retired;
    free(unit->retiredNotifies);
    unit->retiredNotifies = next;
  }
  return kAudio_NoError;
}

OSStatus resetUnit(void *self, AudioUnitScope scope, AudioUnitElement element) {
  struct Unit *unit = self;
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (atomic_load(&unit->isInitialized)) forget(unit);
  return kAudio_NoError;
}
