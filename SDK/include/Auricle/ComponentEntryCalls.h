// The methods of an audio unit, as calls of a Component Manager component's one function.
// SPDX-License-Identifier: Apache-2.0
//
// For Auricle/ComponentEntry.h. A call's parameters are the instance and then the method's own, in
// order, each in eight bytes, as in 64-bit components.
#ifndef AURICLE_COMPONENTENTRYCALLS_H
#define AURICLE_COMPONENTENTRYCALLS_H

#include <stdlib.h>
#include <string.h>

#include "../AudioToolbox/AudioUnit.h"
#include "../CarbonCore/Components.h"

// The unit that the factory makes of a component's function.
typedef struct AuricleEntryUnit {
  AudioComponentPlugInInterface interface;
  ComponentRoutineProcPtr entry;
  ComponentInstance instance;
  Handle storage;  // the value that the component stored in its open call
} AuricleEntryUnit;

enum { kAuricleEntryMaximumParameters = 7 };

// ComponentParameters with room for all parameters.
typedef struct AuricleEntryCall {
  UInt8 flags;
  UInt8 paramSize;
  SInt16 what;
  UInt32 padding;
  long params[kAuricleEntryMaximumParameters];
} AuricleEntryCall;

static inline OSStatus AuricleEntrySend(AuricleEntryUnit *unit, AuricleEntryCall *call) {
  ComponentResult result = unit->entry((ComponentParameters *)(void *)call, unit->storage);
  return result == badComponentSelector ? (OSStatus)kAudio_UnimplementedError : result;
}

// Begins a call: the instance comes first.
static inline AuricleEntryCall AuricleEntryBegin(const AuricleEntryUnit *unit, SInt16 what) {
  AuricleEntryCall call;
  memset(&call, 0, sizeof(call));
  call.what = what;
  call.paramSize = sizeof(long);
  memcpy(&call.params[0], &unit->instance, sizeof(unit->instance));
  return call;
}

// Adds a parameter.
static inline void AuricleEntryAdd(AuricleEntryCall *call, const void *value, size_t size) {
  memcpy(&call->params[call->paramSize / sizeof(long)], value, size);
  call->paramSize = (UInt8)(call->paramSize + sizeof(long));
}

#define AURICLE_ENTRY_METHOD_BEGIN(selector)         \
  AuricleEntryUnit *unit = (AuricleEntryUnit *)self; \
  AuricleEntryCall call = AuricleEntryBegin(unit, (selector));
#define AURICLE_ENTRY_ADD(value) AuricleEntryAdd(&call, &(value), sizeof(value))
#define AURICLE_ENTRY_METHOD_END return AuricleEntrySend(unit, &call);

// A method with so many parameters of these types.
#define AURICLE_ENTRY_METHOD_0(name, selector)           \
  static inline OSStatus AuricleEntry##name(void *self) { \
    AURICLE_ENTRY_METHOD_BEGIN(selector)                 \
    AURICLE_ENTRY_METHOD_END                             \
  }
#define AURICLE_ENTRY_METHOD_1(name, selector, A)             \
  static inline OSStatus AuricleEntry##name(void *self, A a) { \
    AURICLE_ENTRY_METHOD_BEGIN(selector)                      \
    AURICLE_ENTRY_ADD(a);                                     \
    AURICLE_ENTRY_METHOD_END                                  \
  }
#define AURICLE_ENTRY_METHOD_2(name, selector, A, B)               \
  static inline OSStatus AuricleEntry##name(void *self, A a, B b) { \
    AURICLE_ENTRY_METHOD_BEGIN(selector)                           \
    AURICLE_ENTRY_ADD(a);                                          \
    AURICLE_ENTRY_ADD(b);                                          \
    AURICLE_ENTRY_METHOD_END                                       \
  }
#define AURICLE_ENTRY_METHOD_3(name, selector, A, B, C)                 \
  static inline OSStatus AuricleEntry##name(void *self, A a, B b, C c) { \
    AURICLE_ENTRY_METHOD_BEGIN(selector)                                \
    AURICLE_ENTRY_ADD(a);                                               \
    AURICLE_ENTRY_ADD(b);                                               \
    AURICLE_ENTRY_ADD(c);                                               \
    AURICLE_ENTRY_METHOD_END                                            \
  }
#define AURICLE_ENTRY_METHOD_4(name, selector, A, B, C, D)                   \
  static inline OSStatus AuricleEntry##name(void *self, A a, B b, C c, D d) { \
    AURICLE_ENTRY_METHOD_BEGIN(selector)                                     \
    AURICLE_ENTRY_ADD(a);                                                    \
    AURICLE_ENTRY_ADD(b);                                                    \
    AURICLE_ENTRY_ADD(c);                                                    \
    AURICLE_ENTRY_ADD(d);                                                    \
    AURICLE_ENTRY_METHOD_END                                                 \
  }
#define AURICLE_ENTRY_METHOD_5(name, selector, A, B, C, D, E)                     \
  static inline OSStatus AuricleEntry##name(void *self, A a, B b, C c, D d, E e) { \
    AURICLE_ENTRY_METHOD_BEGIN(selector)                                          \
    AURICLE_ENTRY_ADD(a);                                                         \
    AURICLE_ENTRY_ADD(b);                                                         \
    AURICLE_ENTRY_ADD(c);                                                         \
    AURICLE_ENTRY_ADD(d);                                                         \
    AURICLE_ENTRY_ADD(e);                                                         \
    AURICLE_ENTRY_METHOD_END                                                      \
  }

AURICLE_ENTRY_METHOD_0(Initialize, kAudioUnitInitializeSelect)
AURICLE_ENTRY_METHOD_0(Uninitialize, kAudioUnitUninitializeSelect)
AURICLE_ENTRY_METHOD_5(
    GetPropertyInfo, kAudioUnitGetPropertyInfoSelect, AudioUnitPropertyID, AudioUnitScope,
    AudioUnitElement, UInt32 *, Boolean *)
AURICLE_ENTRY_METHOD_5(
    GetProperty, kAudioUnitGetPropertySelect, AudioUnitPropertyID, AudioUnitScope,
    AudioUnitElement, void *, UInt32 *)
AURICLE_ENTRY_METHOD_5(
    SetProperty, kAudioUnitSetPropertySelect, AudioUnitPropertyID, AudioUnitScope,
    AudioUnitElement, const void *, UInt32)
AURICLE_ENTRY_METHOD_4(
    GetParameter, kAudioUnitGetParameterSelect, AudioUnitParameterID, AudioUnitScope,
    AudioUnitElement, AudioUnitParameterValue *)
AURICLE_ENTRY_METHOD_5(
    SetParameter, kAudioUnitSetParameterSelect, AudioUnitParameterID, AudioUnitScope,
    AudioUnitElement, AudioUnitParameterValue, UInt32)
AURICLE_ENTRY_METHOD_2(Reset, kAudioUnitResetSelect, AudioUnitScope, AudioUnitElement)
AURICLE_ENTRY_METHOD_3(
    AddPropertyListener, kAudioUnitAddPropertyListenerSelect, AudioUnitPropertyID,
    AudioUnitPropertyListenerProc, void *)
AURICLE_ENTRY_METHOD_3(
    RemovePropertyListener, kAudioUnitRemovePropertyListenerWithUserDataSelect,
    AudioUnitPropertyID, AudioUnitPropertyListenerProc, void *)
AURICLE_ENTRY_METHOD_5(
    Render, kAudioUnitRenderSelect, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32,
    UInt32, AudioBufferList *)
AURICLE_ENTRY_METHOD_2(AddRenderNotify, kAudioUnitAddRenderNotifySelect, AURenderCallback, void *)
AURICLE_ENTRY_METHOD_2(
    RemoveRenderNotify, kAudioUnitRemoveRenderNotifySelect, AURenderCallback, void *)
AURICLE_ENTRY_METHOD_2(
    ScheduleParameters, kAudioUnitScheduleParametersSelect, const AudioUnitParameterEvent *,
    UInt32)
AURICLE_ENTRY_METHOD_4(MIDIEvent, kMusicDeviceMIDIEventSelect, UInt32, UInt32, UInt32, UInt32)
AURICLE_ENTRY_METHOD_2(SysEx, kMusicDeviceSysExSelect, const UInt8 *, UInt32)
AURICLE_ENTRY_METHOD_1(
    PrepareInstrument, kMusicDevicePrepareInstrumentSelect, MusicDeviceInstrumentID)
AURICLE_ENTRY_METHOD_1(
    ReleaseInstrument, kMusicDeviceReleaseInstrumentSelect, MusicDeviceInstrumentID)
AURICLE_ENTRY_METHOD_5(
    StartNote, kMusicDeviceStartNoteSelect, MusicDeviceInstrumentID, MusicDeviceGroupID,
    NoteInstanceID *, UInt32, const MusicDeviceNoteParams *)
AURICLE_ENTRY_METHOD_3(
    StopNote, kMusicDeviceStopNoteSelect, MusicDeviceGroupID, NoteInstanceID, UInt32)
AURICLE_ENTRY_METHOD_0(Start, kAudioOutputUnitStartSelect)
AURICLE_ENTRY_METHOD_0(Stop, kAudioOutputUnitStopSelect)

// The method of a selector that a unit of this type has; NULL for any other.
static inline AudioComponentMethod AuricleEntryMethod(OSType type, SInt16 selector) {
  int isInstrument = type == kAudioUnitType_MusicDevice;
  int hasMIDI = isInstrument || type == kAudioUnitType_MusicEffect
      || type == kAudioUnitType_MIDIProcessor;
  int isOutput = type == kAudioUnitType_Output;
#define AURICLE_ENTRY_CASE(selector, condition, name) \
  case selector: return (condition) ? (AudioComponentMethod)AuricleEntry##name : NULL
  switch (selector) {
    AURICLE_ENTRY_CASE(kAudioUnitInitializeSelect, 1, Initialize);
    AURICLE_ENTRY_CASE(kAudioUnitUninitializeSelect, 1, Uninitialize);
    AURICLE_ENTRY_CASE(kAudioUnitGetPropertyInfoSelect, 1, GetPropertyInfo);
    AURICLE_ENTRY_CASE(kAudioUnitGetPropertySelect, 1, GetProperty);
    AURICLE_ENTRY_CASE(kAudioUnitSetPropertySelect, 1, SetProperty);
    AURICLE_ENTRY_CASE(kAudioUnitGetParameterSelect, 1, GetParameter);
    AURICLE_ENTRY_CASE(kAudioUnitSetParameterSelect, 1, SetParameter);
    AURICLE_ENTRY_CASE(kAudioUnitResetSelect, 1, Reset);
    AURICLE_ENTRY_CASE(kAudioUnitAddPropertyListenerSelect, 1, AddPropertyListener);
    AURICLE_ENTRY_CASE(
        kAudioUnitRemovePropertyListenerWithUserDataSelect, 1, RemovePropertyListener);
    AURICLE_ENTRY_CASE(kAudioUnitRenderSelect, 1, Render);
    AURICLE_ENTRY_CASE(kAudioUnitAddRenderNotifySelect, 1, AddRenderNotify);
    AURICLE_ENTRY_CASE(kAudioUnitRemoveRenderNotifySelect, 1, RemoveRenderNotify);
    AURICLE_ENTRY_CASE(kAudioUnitScheduleParametersSelect, 1, ScheduleParameters);
    AURICLE_ENTRY_CASE(kMusicDeviceMIDIEventSelect, hasMIDI, MIDIEvent);
    AURICLE_ENTRY_CASE(kMusicDeviceSysExSelect, hasMIDI, SysEx);
    AURICLE_ENTRY_CASE(kMusicDevicePrepareInstrumentSelect, isInstrument, PrepareInstrument);
    AURICLE_ENTRY_CASE(kMusicDeviceReleaseInstrumentSelect, isInstrument, ReleaseInstrument);
    AURICLE_ENTRY_CASE(kMusicDeviceStartNoteSelect, isInstrument, StartNote);
    AURICLE_ENTRY_CASE(kMusicDeviceStopNoteSelect, isInstrument, StopNote);
    AURICLE_ENTRY_CASE(kAudioOutputUnitStartSelect, isOutput, Start);
    AURICLE_ENTRY_CASE(kAudioOutputUnitStopSelect, isOutput, Stop);
    default: return NULL;
  }
#undef AURICLE_ENTRY_CASE
}

// Opens the component's instance; after an error nothing of it is left.
static inline OSStatus AuricleEntryOpen(void *self, AudioComponentInstance instance) {
  AuricleEntryUnit *unit = (AuricleEntryUnit *)self;
  AuricleEntryCall call;
  OSStatus status;
  unit->instance = instance;
  call = AuricleEntryBegin(unit, kComponentOpenSelect);
  status = AuricleEntrySend(unit, &call);
  unit->storage = GetComponentInstanceStorage(instance);
  if (status == noErr) return noErr;
  SetComponentInstanceStorage(instance, NULL);
  free(unit);
  return status;
}

static inline OSStatus AuricleEntryClose(void *self) {
  AuricleEntryUnit *unit = (AuricleEntryUnit *)self;
  AuricleEntryCall call = AuricleEntryBegin(unit, kComponentCloseSelect);
  OSStatus status = AuricleEntrySend(unit, &call);
  SetComponentInstanceStorage(unit->instance, NULL);
  free(unit);
  return status;
}

// A new instance for a factory to hand out; NULL when there is no memory.
static inline AudioComponentPlugInInterface *AuricleEntryUnitMake(
    ComponentRoutineProcPtr entry, AudioComponentMethod (*lookup)(SInt16 selector)) {
  AuricleEntryUnit *unit = (AuricleEntryUnit *)calloc(1, sizeof(AuricleEntryUnit));
  if (!unit) return NULL;
  unit->interface.Open = AuricleEntryOpen;
  unit->interface.Close = AuricleEntryClose;
  unit->interface.Lookup = lookup;
  unit->entry = entry;
  return &unit->interface;
}

#endif
