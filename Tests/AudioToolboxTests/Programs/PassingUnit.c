// A unit in C that passes its input on: it asks the toolbox for its own description, and pulls its source.
// SPDX-License-Identifier: Apache-2.0
//
// Built as a separate component and linked to the toolbox library, as a plug-in from elsewhere. With BINDS_CONTROLS it
// passes sound only when its host has asked for the description of its one parameter.
#include <AudioToolbox/AudioToolbox.h>

#include "CanonicalFormat.h"

typedef struct PassingUnit {
  AudioComponentPlugInInterface interface;  // first: the address of both is `self`
  AudioStreamBasicDescription format;
  AURenderCallbackStruct callback;
  AudioUnitConnection connection;
  UInt32 maximumFrames;
  Boolean isInitialized;
#ifdef BINDS_CONTROLS
  Boolean isBound;
  AudioUnitParameterID gate;
  AudioUnitParameterInfo info;
#endif
} PassingUnit;

static OSStatus initialize(void *self) {
  ((PassingUnit *)self)->isInitialized = true;
  return noErr;
}

static OSStatus uninitialize(void *self) {
  ((PassingUnit *)self)->isInitialized = false;
  return noErr;
}

// Where a property's value lies in the unit, and its size; NULL for a property the unit has not.
static void *place(PassingUnit *unit, AudioUnitPropertyID property, UInt32 *size) {
  switch (property) {
    case kAudioUnitProperty_StreamFormat: *size = sizeof(unit->format); return &unit->format;
    case kAudioUnitProperty_MaximumFramesPerSlice:
      *size = sizeof(unit->maximumFrames);
      return &unit->maximumFrames;
    case kAudioUnitProperty_SetRenderCallback:
      *size = sizeof(unit->callback);
      return &unit->callback;
    case kAudioUnitProperty_MakeConnection:
      *size = sizeof(unit->connection);
      return &unit->connection;
#ifdef BINDS_CONTROLS
    case kAudioUnitProperty_ParameterList: *size = sizeof(unit->gate); return &unit->gate;
    case kAudioUnitProperty_ParameterInfo: *size = sizeof(unit->info); return &unit->info;
#endif
    default: return NULL;
  }
}

static OSStatus getPropertyInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  (void)scope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (place((PassingUnit *)self, property, size) == NULL) return kAudioUnitErr_InvalidProperty;
  *isWritable = true;
  return noErr;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  UInt32 wanted = 0;
  void *value = place((PassingUnit *)self, property, &wanted);
  (void)scope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (value == NULL) return kAudioUnitErr_InvalidProperty;
  if (*size < wanted) return kAudioUnitErr_InvalidPropertyValue;
  memcpy(data, value, wanted);
  *size = wanted;
#ifdef BINDS_CONTROLS
  if (property == kAudioUnitProperty_ParameterInfo) ((PassingUnit *)self)->isBound = true;
#endif
  return noErr;
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  UInt32 wanted = 0;
  void *value = place((PassingUnit *)self, property, &wanted);
  (void)scope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (value == NULL) return kAudioUnitErr_InvalidProperty;
  if (size != wanted) return kAudioUnitErr_InvalidPropertyValue;
  memcpy(value, data, wanted);
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  (void)self;
  (void)scope;
  (void)element;
  return noErr;
}

static OSStatus render(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers) {
  const PassingUnit *unit = (const PassingUnit *)self;
  if (!unit->isInitialized) return kAudioUnitErr_Uninitialized;
  if (outputElement != 0) return kAudioUnitErr_InvalidElement;
#ifdef BINDS_CONTROLS
  if (!unit->isBound) {
    for (UInt32 buffer = 0; buffer < buffers->mNumberBuffers; ++buffer)
      if (buffers->mBuffers[buffer].mData != NULL)
        memset(buffers->mBuffers[buffer].mData, 0, buffers->mBuffers[buffer].mDataByteSize);
    return noErr;
  }
#endif
  if (unit->connection.sourceAudioUnit != NULL) {
    return AudioUnitRender(
        unit->connection.sourceAudioUnit, flags, timeStamp, unit->connection.sourceOutputNumber,
        frameCount, buffers);
  }
  if (unit->callback.inputProc == NULL) return kAudioUnitErr_NoConnection;
  return unit->callback.inputProc(
      unit->callback.inputProcRefCon, flags, timeStamp, 0, frameCount, buffers);
}

static AudioComponentMethod lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)(void (*)(void))initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)(void (*)(void))uninitialize;
    case kAudioUnitGetPropertyInfoSelect:
      return (AudioComponentMethod)(void (*)(void))getPropertyInfo;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)(void (*)(void))getProperty;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)(void (*)(void))setProperty;
    case kAudioUnitResetSelect: return (AudioComponentMethod)(void (*)(void))reset;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)(void (*)(void))render;
    default: return NULL;
  }
}

static OSStatus openUnit(void *self, AudioComponentInstance instance) {
  AudioComponentDescription description;
  const AudioComponent component = AudioComponentInstanceGetComponent(instance);
  const OSStatus status = AudioComponentGetDescription(component, &description);
  if (status == noErr && description.componentSubType == 0x70617373) return noErr;  // 'pass'
  free(self);
  return status == noErr ? kAudio_ParamError : status;
}

static OSStatus closeUnit(void *self) {
  free(self);
  return noErr;
}

extern AudioComponentPlugInInterface *PassingUnitFactory(const AudioComponentDescription *);

AudioComponentPlugInInterface *PassingUnitFactory(const AudioComponentDescription *description) {
  PassingUnit *unit = (PassingUnit *)calloc(1, sizeof(PassingUnit));
  (void)description;
  if (unit == NULL) return NULL;
  unit->interface.Open = openUnit;
  unit->interface.Close = closeUnit;
  unit->interface.Lookup = lookup;
  unit->maximumFrames = 1156;
  unit->format = canonicalFormat(44100);
#ifdef BINDS_CONTROLS
  strcpy(unit->info.name, "gate");
  unit->info.unit = kAudioUnitParameterUnit_Boolean;
  unit->info.maxValue = 1;
  unit->info.flags = kAudioUnitParameterFlag_IsReadable;
#endif
  return &unit->interface;
}
