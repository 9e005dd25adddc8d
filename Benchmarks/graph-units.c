// A gain and a sum, written from the interface alone: the nodes of the benchmark.
// SPDX-License-Identifier: Apache-2.0
#include "graph-nodes.h"

#include <stdlib.h>
#include <string.h>

// A unit of any number of inputs and one output: it adds the inputs and multiplies them by a gain.
typedef struct Unit {
  AudioComponentPlugInInterface interface;
  UInt32 inputCount;
  AudioStreamBasicDescription format;
  AURenderCallbackStruct *callbacks;
  void (*gain)(Float32 *, UInt32, Float32);
} Unit;

volatile Float32 unity = 1;

__attribute__((noinline)) static void gainOf(Float32 *samples, UInt32 frameCount, Float32 gain) {
  for (UInt32 frame = 0; frame < frameCount; ++frame) samples[frame] *= gain;
}

__attribute__((noinline)) static void addTo(
    Float32 *target, const Float32 *source, UInt32 frameCount) {
  for (UInt32 frame = 0; frame < frameCount; ++frame) target[frame] += source[frame];
}

void (*volatile bareGain)(Float32 *, UInt32, Float32) = gainOf;
void (*volatile bareAdd)(Float32 *, const Float32 *, UInt32) = addTo;

static OSStatus nothing(void *self) {
  (void)self;
  return noErr;
}

static OSStatus getInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  (void)self, (void)scope, (void)element;
  *isWritable = true;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: *size = sizeof(AudioStreamBasicDescription); break;
    case kAudioUnitProperty_ElementCount: *size = 4; break;
    case kAudioUnitProperty_MaximumFramesPerSlice: *size = 4; break;
    case kAudioUnitProperty_InPlaceProcessing: *size = 4; break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  return noErr;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  const Unit *unit = (const Unit *)self;
  (void)element;
  switch (property) {
    case kAudioUnitProperty_StreamFormat:
      memcpy(data, &unit->format, sizeof unit->format);
      *size = sizeof unit->format;
      return noErr;
    case kAudioUnitProperty_ElementCount:
      *(UInt32 *)data = scope == kAudioUnitScope_Input ? unit->inputCount : 1;
      break;
    case kAudioUnitProperty_MaximumFramesPerSlice: *(UInt32 *)data = kMaximumFrames; break;
    case kAudioUnitProperty_InPlaceProcessing: *(UInt32 *)data = unit->inputCount == 1; break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  *size = 4;
  return noErr;
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  Unit *unit = (Unit *)self;
  (void)scope, (void)size;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: memcpy(&unit->format, data, sizeof unit->format); break;
    case kAudioUnitProperty_MaximumFramesPerSlice: break;
    case kAudioUnitProperty_SetRenderCallback:
      if (element >= unit->inputCount) return kAudioUnitErr_InvalidElement;
      memcpy(&unit->callbacks[element], data, sizeof unit->callbacks[element]);
      break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  (void)self, (void)scope, (void)element;
  return noErr;
}

static OSStatus renderGain(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *list) {
  Unit *unit = (Unit *)self;
  const AURenderCallbackStruct callback = unit->callbacks[0];
  (void)bus;
  const OSStatus status =
      callback.inputProc(callback.inputProcRefCon, flags, stamp, 0, frameCount, list);
  if (status != noErr) return status;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel) {
    unit->gain((Float32 *)(&list->mBuffers[0] + channel)->mData, frameCount, unity);
  }
  return noErr;
}

static OSStatus renderSum(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *list) {
  Unit *unit = (Unit *)self;
  (void)bus;
  for (UInt32 input = 0; input < unit->inputCount; ++input) {
    const AURenderCallbackStruct callback = unit->callbacks[input];
    List pulled;
    pulled.count = list->mNumberBuffers;
    for (UInt32 channel = 0; channel < pulled.count; ++channel) {
      pulled.buffers[channel].mNumberChannels = 1;
      pulled.buffers[channel].mDataByteSize = frameCount * 4;
      pulled.buffers[channel].mData = NULL;
    }
    const OSStatus status = callback.inputProc(
        callback.inputProcRefCon, flags, stamp, input, frameCount, (AudioBufferList *)&pulled);
    if (status != noErr) return status;
    for (UInt32 channel = 0; channel < pulled.count; ++channel) {
      Float32 *target = (Float32 *)(&list->mBuffers[0] + channel)->mData;
      const Float32 *given = (const Float32 *)pulled.buffers[channel].mData;
      if (input == 0) {
        memcpy(target, given, frameCount * 4);
      } else {
        bareAdd(target, given, frameCount);
      }
    }
  }
  return noErr;
}

#define METHOD(function) ((AudioComponentMethod)(void (*)(void))(function))

static AudioComponentMethod lookupCommon(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return METHOD(nothing);
    case kAudioUnitUninitializeSelect: return METHOD(nothing);
    case kAudioUnitGetPropertyInfoSelect: return METHOD(getInfo);
    case kAudioUnitGetPropertySelect: return METHOD(getProperty);
    case kAudioUnitSetPropertySelect: return METHOD(setProperty);
    case kAudioUnitResetSelect: return METHOD(reset);
    default: return NULL;
  }
}

static AudioComponentMethod lookupGain(SInt16 selector) {
  return selector == kAudioUnitRenderSelect ? METHOD(renderGain) : lookupCommon(selector);
}

static AudioComponentMethod lookupSum(SInt16 selector) {
  return selector == kAudioUnitRenderSelect ? METHOD(renderSum) : lookupCommon(selector);
}

static OSStatus openUnit(void *self, AudioComponentInstance instance) {
  (void)self, (void)instance;
  return noErr;
}

static OSStatus closeUnit(void *self) {
  free(((Unit *)self)->callbacks);
  free(self);
  return noErr;
}

UInt32 wantedInputs = 1;

static AudioComponentPlugInInterface *makeUnit(const AudioComponentDescription *description) {
  Unit *unit = (Unit *)calloc(1, sizeof(Unit));
  if (unit == NULL) return NULL;
  const Boolean isSum = description->componentType == kAudioUnitType_Mixer;
  unit->interface.Open = openUnit;
  unit->interface.Close = closeUnit;
  unit->interface.Lookup = isSum ? lookupSum : lookupGain;
  unit->inputCount = isSum ? wantedInputs : 1;
  unit->callbacks = (AURenderCallbackStruct *)calloc(unit->inputCount, sizeof *unit->callbacks);
  unit->gain = gainOf;
  unit->format = streamFormat();
  return &unit->interface;
}

const AudioComponentDescription gainUnit = {'aufx', 'bgai', 'Bnch', 0, 0};
const AudioComponentDescription sumUnit = {'aumx', 'bsum', 'Bnch', 0, 0};
const AudioComponentDescription endUnit = {'auou', 'bend', 'Bnch', 0, 0};

AudioStreamBasicDescription streamFormat(void) {
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = 48000;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsAudioUnitCanonical;
  format.mBytesPerPacket = format.mBytesPerFrame = 4;
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = channelCount;
  format.mBitsPerChannel = 32;
  return format;
}

void registerUnits(void) {
  AudioComponentRegister(&gainUnit, CFSTR("Benchmark: Gain"), 0x10000, makeUnit);
  AudioComponentRegister(&sumUnit, CFSTR("Benchmark: Sum"), 0x10000, makeUnit);
  AudioComponentRegister(&endUnit, CFSTR("Benchmark: End"), 0x10000, makeUnit);
}
