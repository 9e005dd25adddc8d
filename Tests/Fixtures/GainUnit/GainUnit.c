// A gain as an audio unit in plain C: a well-behaved plug-in from a host's view. For tests.
// SPDX-License-Identifier: Apache-2.0
//
// Build: cc -shared -fPIC -O2 -I SDK/include GainUnit.c -lm -o GainUnit.component/Contents/Linux/GainUnit
// Nothing but the C library is needed: no CFString is made, units it is connected to are reached by their record.

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleInstance.h>
#include <Auricle/AuricleProperties.h>

// Broken units include this file with one of these changed.
#ifndef GAIN_UNIT_FACTORY
#define GAIN_UNIT_FACTORY GainUnitFactory
#endif
#ifndef GAIN_UNIT_OUTPUT
#define GAIN_UNIT_OUTPUT(sample, gain) ((sample) * (gain))
#endif
#ifndef GAIN_UNIT_OPEN_STATUS
#define GAIN_UNIT_OPEN_STATUS 0
#endif
#ifndef GAIN_UNIT_OPENED
#define GAIN_UNIT_OPENED() ((void)0)
#endif
#ifndef GAIN_UNIT_INITIALIZED
#define GAIN_UNIT_INITIALIZED() ((void)0)
#endif
#ifndef GAIN_UNIT_RESET
#define GAIN_UNIT_RESET() ((void)0)
#endif
#ifndef GAIN_UNIT_UNINITIALIZED
#define GAIN_UNIT_UNINITIALIZED() ((void)0)
#endif
#ifndef GAIN_UNIT_CLOSED
#define GAIN_UNIT_CLOSED() ((void)0)
#endif

enum { kMaximumChannels = 32, kGain = 0, kMute = 1, kParameterCount = 2 };

// Room for a buffer list of kMaximumChannels.
typedef struct {
  UInt32 count;
  AudioBuffer buffers[kMaximumChannels];
} Buffers;

typedef struct {
  AudioComponentPlugInInterface interface;  // first: a pointer to it is a pointer to the unit
  AudioComponentInstance instance;
  AudioStreamBasicDescription format;
  UInt32 maximumFrames;
  Boolean isInitialized, isBypassed;
  AudioUnitParameterValue values[kParameterCount];
  float presentGain;  // the factor of the last frame; changes are ramps over a slice
  AURenderCallbackStruct callback;
  AudioUnitConnection connection;
  float *storage;  // used when the caller brings no buffers
} GainUnit;

static const AudioUnitParameterInfo kParameters[kParameterCount] = {
  {.name = "gain", .unit = kAudioUnitParameterUnit_Decibels, .minValue = -96, .maxValue = 24,
   .flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable},
  {.name = "mute", .unit = kAudioUnitParameterUnit_Boolean, .minValue = 0, .maxValue = 1,
   .flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable},
};

static float targetGain(const GainUnit *unit) {
  return unit->values[kMute] >= 0.5f ? 0 : powf(10, unit->values[kGain] / 20);
}

// ---- Life.

static OSStatus openUnit(void *self, AudioComponentInstance instance) {
  GainUnit *unit = self;
  unit->instance = instance;
  if (GAIN_UNIT_OPEN_STATUS != 0) {
    free(unit);  // a unit that fails to open frees itself, and is not closed
    return GAIN_UNIT_OPEN_STATUS;
  }
  GAIN_UNIT_OPENED();
  return noErr;
}

static OSStatus closeUnit(void *self) {
  GAIN_UNIT_CLOSED();
  free(((GainUnit *)self)->storage);
  free(self);
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  GainUnit *unit = self;
  (void)scope, (void)element;
  GAIN_UNIT_RESET();
  unit->presentGain = targetGain(unit);
  return noErr;
}

static OSStatus initialize(void *self) {
  GainUnit *unit = self;
  if (unit->isInitialized) return noErr;
  GAIN_UNIT_INITIALIZED();
  size_t count = (size_t)unit->format.mChannelsPerFrame * unit->maximumFrames;
  unit->storage = calloc(count, sizeof(float));
  if (!unit->storage) return kAudioUnitErr_FailedInitialization;
  unit->isInitialized = 1;
  unit->presentGain = targetGain(unit);
  return noErr;
}

static OSStatus uninitialize(void *self) {
  GainUnit *unit = self;
  if (unit->isInitialized) GAIN_UNIT_UNINITIALIZED();
  free(unit->storage);
  unit->storage = NULL;
  unit->isInitialized = 0;
  return noErr;
}

// ---- Properties. Size 0 means "no such property here".

static UInt32 propertySize(
    AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element, Boolean *writable) {
  Boolean isGlobal = scope == kAudioUnitScope_Global;
  *writable = 0;
  switch (property) {
    case kAudioUnitProperty_StreamFormat:
      *writable = 1;
      return scope <= kAudioUnitScope_Output && element == 0 ? sizeof(AudioStreamBasicDescription) : 0;
    case kAudioUnitProperty_SampleRate:
      *writable = 1;
      return sizeof(Float64);
    case kAudioUnitProperty_ElementCount: return sizeof(UInt32);
#ifdef GAIN_UNIT_CONTRACT
    case kAuricleProperty_ContractVersion: return sizeof(UInt32);
#endif
    case kAudioUnitProperty_MaximumFramesPerSlice:
    case kAudioUnitProperty_BypassEffect:
      *writable = 1;
      return isGlobal ? sizeof(UInt32) : 0;
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_TailTime: return isGlobal ? sizeof(Float64) : 0;
    case kAudioUnitProperty_SupportedNumChannels: return isGlobal ? sizeof(AUChannelInfo) : 0;
    case kAudioUnitProperty_ParameterList:
      return isGlobal ? kParameterCount * sizeof(AudioUnitParameterID) : 0;
    case kAudioUnitProperty_ParameterInfo:
      return isGlobal && element < kParameterCount ? sizeof(AudioUnitParameterInfo) : 0;
    case kAudioUnitProperty_SetRenderCallback:
      *writable = 1;
      return sizeof(AURenderCallbackStruct);
    case kAudioUnitProperty_MakeConnection:
      *writable = 1;
      return sizeof(AudioUnitConnection);
    default: return 0;
  }
}

static OSStatus getPropertyInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  Boolean writable;
  UInt32 known = propertySize(property, scope, element, &writable);
  (void)self;
  if (size) *size = known;
  if (isWritable) *isWritable = writable;
  return known ? noErr : kAudioUnitErr_InvalidProperty;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  const GainUnit *unit = self;
  union {
    Float64 number;
    UInt32 count;
    AUChannelInfo channels;
    AudioUnitParameterID ids[kParameterCount];
  } value = {0};
  const void *source = &value;
  Boolean writable;
  UInt32 known = propertySize(property, scope, element, &writable);
  if (!known) return kAudioUnitErr_InvalidProperty;
  if (!size) return kAudio_ParamError;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: source = &unit->format; break;
    case kAudioUnitProperty_SampleRate: value.number = unit->format.mSampleRate; break;
    case kAudioUnitProperty_ElementCount: value.count = scope <= kAudioUnitScope_Output; break;
#ifdef GAIN_UNIT_CONTRACT
    case kAuricleProperty_ContractVersion: value.count = GAIN_UNIT_CONTRACT; break;
#endif
    case kAudioUnitProperty_MaximumFramesPerSlice: value.count = unit->maximumFrames; break;
    case kAudioUnitProperty_BypassEffect: value.count = unit->isBypassed; break;
    case kAudioUnitProperty_SupportedNumChannels: value.channels = (AUChannelInfo){-1, -1}; break;
    case kAudioUnitProperty_ParameterInfo: source = &kParameters[element]; break;
    case kAudioUnitProperty_ParameterList:
      for (UInt32 i = 0; i < kParameterCount; i++) value.ids[i] = i;
      break;
    case kAudioUnitProperty_SetRenderCallback:
    case kAudioUnitProperty_MakeConnection: return kAudioUnitErr_InvalidProperty;
    default: break;  // latency and tail time are 0
  }
  if (data) {
    if (*size == 0) return kAudio_ParamError;
    if (*size > known) *size = known;
    memcpy(data, source, *size);
  } else {
    *size = known;
  }
  return noErr;
}

static OSStatus setFormat(GainUnit *unit, const AudioStreamBasicDescription *format) {
  const AudioFormatFlags planar = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  if (unit->isInitialized) return kAudioUnitErr_Initialized;
  if (format->mFormatID != kAudioFormatLinearPCM || format->mFormatFlags != planar ||
      format->mBitsPerChannel != 32 || format->mChannelsPerFrame < 1 ||
      format->mChannelsPerFrame > kMaximumChannels || !(format->mSampleRate > 0))
    return kAudioUnitErr_FormatNotSupported;
  unit->format = *format;  // a gain has as many channels and the same rate on both sides
  return noErr;
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  GainUnit *unit = self;
  Boolean writable;
  UInt32 known = propertySize(property, scope, element, &writable);
  if (!known) return kAudioUnitErr_InvalidProperty;
  if (!writable) return kAudioUnitErr_PropertyNotWritable;
  if (!data || size < known) return kAudioUnitErr_InvalidPropertyValue;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: return setFormat(unit, data);
    case kAudioUnitProperty_SampleRate: {
      AudioStreamBasicDescription format = unit->format;
      memcpy(&format.mSampleRate, data, sizeof(Float64));
      return setFormat(unit, &format);
    }
    case kAudioUnitProperty_MaximumFramesPerSlice:
      if (unit->isInitialized) return kAudioUnitErr_Initialized;
      memcpy(&unit->maximumFrames, data, sizeof(UInt32));
      return noErr;
    case kAudioUnitProperty_BypassEffect:
      unit->isBypassed = *(const UInt32 *)data != 0;
      return noErr;
    case kAudioUnitProperty_SetRenderCallback:
      memcpy(&unit->callback, data, sizeof unit->callback);
      unit->connection.sourceAudioUnit = NULL;
      return noErr;
    default:
      memcpy(&unit->connection, data, sizeof unit->connection);
      unit->callback.inputProc = NULL;
      return noErr;
  }
}

// ---- Parameters.

static OSStatus getParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value) {
  (void)element;
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (parameter >= kParameterCount) return kAudioUnitErr_InvalidParameter;
  *value = ((GainUnit *)self)->values[parameter];
  return noErr;
}

static OSStatus setParameter(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset) {
  (void)element, (void)bufferOffset;
  if (scope != kAudioUnitScope_Global) return kAudioUnitErr_InvalidScope;
  if (parameter >= kParameterCount) return kAudioUnitErr_InvalidParameter;
  if (!isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
  value = fminf(fmaxf(value, kParameters[parameter].minValue), kParameters[parameter].maxValue);
  ((GainUnit *)self)->values[parameter] = value;
  return noErr;
}

// ---- Sound.

static OSStatus pullInput(
    GainUnit *unit, const AudioTimeStamp *timeStamp, UInt32 frameCount, AudioBufferList *list) {
  AudioUnitRenderActionFlags flags = 0;
  if (unit->callback.inputProc)
    return unit->callback.inputProc(
        unit->callback.inputProcRefCon, &flags, timeStamp, 0, frameCount, list);
  struct ComponentInstanceRecord *source = unit->connection.sourceAudioUnit;
  if (!source || !source->render) return kAudioUnitErr_NoConnection;
  return source->render(
      source->plugIn, &flags, timeStamp, unit->connection.sourceOutputNumber, frameCount, list);
}

static OSStatus render(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *output) {
  GainUnit *unit = self;
  UInt32 channelCount = unit->format.mChannelsPerFrame;
  UInt32 byteCount = frameCount * (UInt32)sizeof(float);
  Buffers input = {.count = channelCount};
  (void)flags;
  if (!unit->isInitialized) return kAudioUnitErr_Uninitialized;
  if (outputElement != 0) return kAudioUnitErr_InvalidElement;
  if (frameCount > unit->maximumFrames) return kAudioUnitErr_TooManyFramesToProcess;
  if (!timeStamp || !output || output->mNumberBuffers != channelCount) return kAudio_ParamError;
  AudioBuffer *outputs = output->mBuffers;
  for (UInt32 i = 0; i < channelCount; i++) {
    if (!outputs[i].mData) outputs[i].mData = unit->storage + (size_t)i * unit->maximumFrames;
    else if (outputs[i].mDataByteSize < byteCount) return kAudio_ParamError;
    outputs[i].mDataByteSize = byteCount;
    input.buffers[i] = outputs[i];
  }
  OSStatus status = pullInput(unit, timeStamp, frameCount, (AudioBufferList *)&input);
  if (status != noErr) return status;

  float start = unit->presentGain, end = targetGain(unit);
  for (UInt32 i = 0; i < channelCount; i++) {
    const float *from = input.buffers[i].mData;
    float *to = outputs[i].mData;
    for (UInt32 frame = 0; frame < frameCount; frame++) {
      float gain = start + (end - start) * (float)(frame + 1) / (float)frameCount;
      to[frame] = unit->isBypassed ? from[frame] : GAIN_UNIT_OUTPUT(from[frame], gain);
    }
  }
  unit->presentGain = end;
  return noErr;
}

// ---- The door.

static AudioComponentMethod lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)uninitialize;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)getPropertyInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)getProperty;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)setProperty;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)getParameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)setParameter;
    case kAudioUnitResetSelect: return (AudioComponentMethod)reset;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)render;
    default: return NULL;
  }
}

// Makes one instance; the host opens it next.
__attribute__((visibility("default"))) AudioComponentPlugInInterface *GAIN_UNIT_FACTORY(
    const AudioComponentDescription *description) {
  GainUnit *unit = calloc(1, sizeof *unit);
  (void)description;
  if (!unit) return NULL;
  unit->interface = (AudioComponentPlugInInterface){openUnit, closeUnit, lookup, NULL};
  unit->maximumFrames = 1156;
  unit->presentGain = 1;
  unit->format = (AudioStreamBasicDescription){
    .mSampleRate = 44100, .mFormatID = kAudioFormatLinearPCM,
    .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
    .mBytesPerPacket = 4, .mFramesPerPacket = 1, .mBytesPerFrame = 4, .mChannelsPerFrame = 2,
    .mBitsPerChannel = 32};
  return &unit->interface;
}
