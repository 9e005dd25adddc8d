// An offline unit in plain C: the whole sound from its end, each frame twice but the last. For tests.
// SPDX-License-Identifier: Apache-2.0
//
// It accepts the length of its input only before it is initialized, has to read all of it first, and announces a
// frame more than there is. It says itself when it is done: in a slice that is shorter than requested.

#include <stdlib.h>
#include <string.h>

#include <AudioToolbox/AudioToolbox.h>

enum { kMaximumChannels = 8 };

typedef struct {
  UInt32 count;
  AudioBuffer buffers[kMaximumChannels];
} Buffers;

typedef struct {
  AudioComponentPlugInInterface interface;  // first: a pointer to it is a pointer to the unit
  AudioStreamBasicDescription format;
  UInt32 maximumFrames;
  Boolean isInitialized, hasLooked;
  UInt64 inputSize, seen, place;
  AURenderCallbackStruct callback;
} Unit;

static OSStatus openUnit(void *self, AudioComponentInstance instance) { return noErr; }

static OSStatus closeUnit(void *self) {
  free(self);
  return noErr;
}

static OSStatus initialize(void *self) {
  Unit *unit = self;
  unit->isInitialized = 1;
  unit->hasLooked = 0;
  unit->seen = unit->place = 0;
  return noErr;
}

static OSStatus uninitialize(void *self) {
  ((Unit *)self)->isInitialized = 0;
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) { return noErr; }

static UInt32 sizeOf(AudioUnitPropertyID property, AudioUnitScope scope, Boolean *isWritable) {
  *isWritable = property != kAudioUnitOfflineProperty_OutputSize &&
                property != kAudioUnitOfflineProperty_PreflightRequirements;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: return sizeof(AudioStreamBasicDescription);
    case kAudioUnitProperty_ElementCount: return sizeof(UInt32);
    case kAudioUnitProperty_MaximumFramesPerSlice:
    case kAudioUnitOfflineProperty_PreflightRequirements:
      return scope == kAudioUnitScope_Global ? sizeof(UInt32) : 0;
    case kAudioUnitProperty_SetRenderCallback: return sizeof(AURenderCallbackStruct);
    case kAudioUnitOfflineProperty_InputSize:
    case kAudioUnitOfflineProperty_OutputSize: return sizeof(UInt64);
    default: return 0;
  }
}

static OSStatus getPropertyInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  Boolean writable;
  const UInt32 known = sizeOf(property, scope, &writable);
  if (size) *size = known;
  if (isWritable) *isWritable = writable;
  return known ? noErr : kAudioUnitErr_InvalidProperty;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  Unit *unit = self;
  Boolean writable;
  const UInt32 known = sizeOf(property, scope, &writable);
  const UInt32 one = scope <= kAudioUnitScope_Output, required = kOfflinePreflight_Required;
  const UInt64 announced = 2 * unit->inputSize;
  const void *source = &unit->format;
  if (!known || property == kAudioUnitProperty_SetRenderCallback)
    return kAudioUnitErr_InvalidProperty;
  if (property == kAudioUnitProperty_ElementCount) source = &one;
  if (property == kAudioUnitProperty_MaximumFramesPerSlice) source = &unit->maximumFrames;
  if (property == kAudioUnitOfflineProperty_PreflightRequirements) source = &required;
  if (property == kAudioUnitOfflineProperty_InputSize) source = &unit->inputSize;
  if (property == kAudioUnitOfflineProperty_OutputSize) source = &announced;
  if (*size > known) *size = known;
  memcpy(data, source, *size);
  return noErr;
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  Unit *unit = self;
  Boolean writable;
  const UInt32 known = sizeOf(property, scope, &writable);
  if (!known) return kAudioUnitErr_InvalidProperty;
  if (!writable || size < known) return kAudioUnitErr_PropertyNotWritable;
  void *target = &unit->callback;
  if (property == kAudioUnitProperty_StreamFormat) target = &unit->format;
  if (property == kAudioUnitProperty_MaximumFramesPerSlice) target = &unit->maximumFrames;
  if (property == kAudioUnitOfflineProperty_InputSize) target = &unit->inputSize;
  if (target != &unit->callback && unit->isInitialized) return kAudioUnitErr_Initialized;
  memcpy(target, data, known);
  return noErr;
}

static OSStatus pull(Unit *unit, UInt64 frame, UInt32 count, Buffers *input) {
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp stamp = {.mSampleTime = (Float64)frame, .mFlags = kAudioTimeStampSampleTimeValid};
  input->count = unit->format.mChannelsPerFrame;
  for (UInt32 channel = 0; channel < input->count; channel++)
    input->buffers[channel] = (AudioBuffer){1, count * sizeof(Float32), NULL};
  if (!unit->callback.inputProc) return kAudioUnitErr_NoConnection;
  return unit->callback.inputProc(
      unit->callback.inputProcRefCon, &flags, &stamp, 0, count, (AudioBufferList *)input);
}

static OSStatus look(Unit *unit, AudioUnitRenderActionFlags *flags, UInt32 frames) {
  Buffers input;
  const UInt64 left = unit->inputSize - unit->seen;
  const UInt32 count = left < frames ? (UInt32)left : frames;
  const OSStatus status = pull(unit, unit->seen, count, &input);
  unit->seen += count;
  if (unit->seen < unit->inputSize) return status;
  unit->hasLooked = 1;
  *flags |= kAudioOfflineUnitRenderAction_Complete;
  return status;
}

static OSStatus render(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 element,
    UInt32 frames, AudioBufferList *list) {
  Unit *unit = self;
  if (!unit->isInitialized) return kAudioUnitErr_Uninitialized;
  if (*flags & kAudioOfflineUnitRenderAction_Preflight) return look(unit, flags, frames);
  if (!(*flags & kAudioOfflineUnitRenderAction_Render) || !unit->hasLooked)
    return kAudioUnitErr_InvalidOfflineRender;
  const UInt64 whole = 2 * unit->inputSize - 1, left = whole - unit->place;
  const UInt32 count = left < frames ? (UInt32)left : frames;
  for (UInt32 index = 0; index < count; index++) {
    Buffers input;
    const OSStatus status =
        pull(unit, unit->inputSize - 1 - (unit->place + index) / 2, 1, &input);
    if (status != noErr) return status;
    for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++)
      ((Float32 *)list->mBuffers[channel].mData)[index] = *(Float32 *)input.buffers[channel].mData;
  }
  for (UInt32 channel = 0; channel < list->mNumberBuffers; channel++)
    list->mBuffers[channel].mDataByteSize = count * sizeof(Float32);
  unit->place += count;
  if (unit->place == whole) *flags |= kAudioOfflineUnitRenderAction_Complete;
  return noErr;
}

static AudioComponentMethod lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)uninitialize;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)getPropertyInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)getProperty;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)setProperty;
    case kAudioUnitResetSelect: return (AudioComponentMethod)reset;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)render;
    default: return NULL;
  }
}

void *EchoBackUnitFactory(const AudioComponentDescription *description) {
  Unit *unit = calloc(1, sizeof *unit);
  if (!unit) return NULL;
  unit->interface = (AudioComponentPlugInInterface){openUnit, closeUnit, lookup, NULL};
  unit->maximumFrames = 1156;
  unit->format = (AudioStreamBasicDescription){
      44100, kAudioFormatLinearPCM,
      kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, 4, 1, 4, 2, 32, 0};
  return unit;
}
