// The functions of Core Audio that units call directly: an instance's component, and its methods.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleInstance.h>

#include "Objects.h"

static bool isInstance(AudioComponentInstance instance) {
  return instance != NULL && instance->magic == kAuricleInstanceMagic;
}

// The method for a selector, by the type that the selector has.
#define METHOD(instance, selector) (isInstance(instance) ? instance->plugIn->Lookup(selector) : NULL)
#define CALL(type, selector, instance, ...)                                                     \
  do {                                                                                          \
    type method = (type)METHOD(instance, selector);                                             \
    if (!isInstance(instance)) return kAudio_ParamError;                                        \
    return method == NULL ? kAudio_UnimplementedError : method(instance->plugIn, ##__VA_ARGS__); \
  } while (0)

AudioComponent AudioComponentInstanceGetComponent(AudioComponentInstance instance) {
  return isInstance(instance) ? instance->component : NULL;
}

OSStatus AudioComponentGetDescription(AudioComponent component, AudioComponentDescription *description) {
  if (component == NULL || component->magic != kAuricleComponentMagic || description == NULL) return kAudio_ParamError;
  *description = component->description;
  return kAudio_NoError;
}

OSStatus AudioComponentGetVersion(AudioComponent component, UInt32 *version) {
  if (component == NULL || component->magic != kAuricleComponentMagic || version == NULL) return kAudio_ParamError;
  *version = component->version;
  return kAudio_NoError;
}

OSStatus AudioComponentCopyName(AudioComponent component, CFStringRef *name) {
  if (component == NULL || component->magic != kAuricleComponentMagic || name == NULL) return kAudio_ParamError;
  *name = CFStringCreateWithCString(NULL, component->name, kCFStringEncodingUTF8);
  return *name == NULL ? kAudio_MemFullError : kAudio_NoError;
}

Boolean AudioComponentInstanceCanDo(AudioComponentInstance instance, SInt16 selector) {
  return METHOD(instance, selector) != NULL;
}

typedef OSStatus (*PlainMethod)(void *self);
typedef OSStatus (*ListenerMethod)(void *, AudioUnitPropertyID, AudioUnitPropertyListenerProc, void *);
typedef OSStatus (*NotifyMethod)(void *, AURenderCallback, void *);
typedef OSStatus (*ScheduleMethod)(void *, const AudioUnitParameterEvent *, UInt32);
typedef OSStatus (*MessageMethod)(void *, UInt32, UInt32, UInt32, UInt32);

OSStatus AudioUnitInitialize(AudioUnit unit) { CALL(PlainMethod, kAudioUnitInitializeSelect, unit); }
OSStatus AudioUnitUninitialize(AudioUnit unit) { CALL(PlainMethod, kAudioUnitUninitializeSelect, unit); }

OSStatus AudioUnitGetPropertyInfo(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size, Boolean *isWritable) {
  CALL(AudioUnitGetPropertyInfoProc, kAudioUnitGetPropertyInfoSelect, unit, id, scope, element, size, isWritable);
}
OSStatus AudioUnitGetProperty(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data, UInt32 *size) {
  CALL(AudioUnitGetPropertyProc, kAudioUnitGetPropertySelect, unit, id, scope, element, data, size);
}
OSStatus AudioUnitSetProperty(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data, UInt32 size) {
  CALL(AudioUnitSetPropertyProc, kAudioUnitSetPropertySelect, unit, id, scope, element, data, size);
}
OSStatus AudioUnitAddPropertyListener(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitPropertyListenerProc procedure, void *userData) {
  CALL(ListenerMethod, kAudioUnitAddPropertyListenerSelect, unit, id, procedure, userData);
}
OSStatus AudioUnitRemovePropertyListenerWithUserData(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitPropertyListenerProc procedure, void *userData) {
  CALL(ListenerMethod, kAudioUnitRemovePropertyListenerWithUserDataSelect, unit, id, procedure, userData);
}
OSStatus AudioUnitAddRenderNotify(AudioUnit unit, AURenderCallback procedure, void *userData) {
  CALL(NotifyMethod, kAudioUnitAddRenderNotifySelect, unit, procedure, userData);
}
OSStatus AudioUnitRemoveRenderNotify(AudioUnit unit, AURenderCallback procedure, void *userData) {
  CALL(NotifyMethod, kAudioUnitRemoveRenderNotifySelect, unit, procedure, userData);
}
OSStatus AudioUnitGetParameter(
    AudioUnit unit, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, AudioUnitParameterValue *value) {
  CALL(AudioUnitGetParameterProc, kAudioUnitGetParameterSelect, unit, id, scope, element, value);
}
OSStatus AudioUnitSetParameter(
    AudioUnit unit, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, AudioUnitParameterValue value,
    UInt32 offset) {
  CALL(AudioUnitSetParameterProc, kAudioUnitSetParameterSelect, unit, id, scope, element, value, offset);
}
OSStatus AudioUnitScheduleParameters(AudioUnit unit, const AudioUnitParameterEvent *events, UInt32 count) {
  CALL(ScheduleMethod, kAudioUnitScheduleParametersSelect, unit, events, count);
}
OSStatus AudioUnitRender(
    AudioUnit unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames,
    AudioBufferList *buffers) {
  CALL(AudioUnitRenderProc, kAudioUnitRenderSelect, unit, flags, stamp, bus, frames, buffers);
}
OSStatus AudioUnitReset(AudioUnit unit, AudioUnitScope scope, AudioUnitElement element) {
  CALL(AudioUnitResetProc, kAudioUnitResetSelect, unit, scope, element);
}
OSStatus MusicDeviceMIDIEvent(MusicDeviceComponent unit, UInt32 status, UInt32 data1, UInt32 data2, UInt32 offset) {
  CALL(MessageMethod, kMusicDeviceMIDIEventSelect, unit, status, data1, data2, offset);
}
