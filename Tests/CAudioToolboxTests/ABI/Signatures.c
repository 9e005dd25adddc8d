// Types of the functions and of the methods behind the selectors.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/InterAppAudio.h>
#include <CoreMIDI/CoreMIDI.h>
#include <mach/mach_time.h>

#include "Assertions.h"

// Methods: a typedef may be said twice, if both times it means the same.
typedef OSStatus (*AudioUnitInitializeProc)(void *);
typedef OSStatus (*AudioUnitUninitializeProc)(void *);
typedef OSStatus (*AudioUnitGetPropertyInfoProc)(
    void *, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UInt32 *, Boolean *);
typedef OSStatus (*AudioUnitGetPropertyProc)(
    void *, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, void *, UInt32 *);
typedef OSStatus (*AudioUnitSetPropertyProc)(
    void *, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, const void *, UInt32);
typedef OSStatus (*AudioUnitGetParameterProc)(
    void *, AudioUnitParameterID, AudioUnitScope, AudioUnitElement, AudioUnitParameterValue *);
typedef OSStatus (*AudioUnitSetParameterProc)(
    void *, AudioUnitParameterID, AudioUnitScope, AudioUnitElement, AudioUnitParameterValue,
    UInt32);
typedef OSStatus (*AudioUnitResetProc)(void *, AudioUnitScope, AudioUnitElement);
typedef OSStatus (*AudioUnitAddPropertyListenerProc)(
    void *, AudioUnitPropertyID, AudioUnitPropertyListenerProc, void *);
typedef OSStatus (*AudioUnitRemovePropertyListenerProc)(
    void *, AudioUnitPropertyID, AudioUnitPropertyListenerProc);
typedef OSStatus (*AudioUnitRenderProc)(
    void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32,
    AudioBufferList *);
typedef OSStatus (*AudioUnitAddRenderNotifyProc)(void *, AURenderCallback, void *);
typedef OSStatus (*AudioUnitRemoveRenderNotifyProc)(void *, AURenderCallback, void *);
typedef OSStatus (*AudioUnitScheduleParametersProc)(
    void *, const AudioUnitParameterEvent *, UInt32);
typedef OSStatus (*AudioUnitRemovePropertyListenerWithUserDataProc)(
    void *, AudioUnitPropertyID, AudioUnitPropertyListenerProc, void *);
typedef OSStatus (*AudioUnitComplexRenderProc)(
    void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32, UInt32 *,
    AudioStreamPacketDescription *, AudioBufferList *, void *, UInt32 *);
typedef OSStatus (*AudioUnitProcessProc)(
    void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, AudioBufferList *);
typedef OSStatus (*AudioUnitProcessMultipleProc)(
    void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32,
    const AudioBufferList **, UInt32, AudioBufferList **);
typedef OSStatus (*MusicDeviceMIDIEventProc)(void *, UInt32, UInt32, UInt32, UInt32);
typedef OSStatus (*MusicDeviceSysExProc)(void *, const UInt8 *, UInt32);
typedef OSStatus (*MusicDevicePrepareInstrumentProc)(void *, MusicDeviceInstrumentID);
typedef OSStatus (*MusicDeviceReleaseInstrumentProc)(void *, MusicDeviceInstrumentID);
typedef OSStatus (*MusicDeviceStartNoteProc)(
    void *, MusicDeviceInstrumentID, MusicDeviceGroupID, NoteInstanceID *, UInt32,
    const MusicDeviceNoteParams *);
typedef OSStatus (*MusicDeviceStopNoteProc)(void *, MusicDeviceGroupID, NoteInstanceID, UInt32);
typedef OSStatus (*MusicDeviceMIDIEventListProc)(void *, UInt32, const struct MIDIEventList *);
typedef OSStatus (*AudioOutputUnitStartProc)(void *);
typedef OSStatus (*AudioOutputUnitStopProc)(void *);

typedef OSStatus (*AURenderCallback)(
    void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *);
typedef void (*AudioUnitPropertyListenerProc)(
    void *, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement);
typedef OSStatus (*AudioComponentMethod)(void *, ...);
typedef AudioComponentPlugInInterface *(*AudioComponentFactoryFunction)(
    const AudioComponentDescription *);
typedef OSStatus (*HostCallback_GetBeatAndTempo)(void *, Float64 *, Float64 *);
typedef OSStatus (*HostCallback_GetMusicalTimeLocation)(
    void *, UInt32 *, Float32 *, UInt32 *, Float64 *);
typedef OSStatus (*HostCallback_GetTransportState)(
    void *, Boolean *, Boolean *, Float64 *, Boolean *, Float64 *, Float64 *);
typedef OSStatus (*HostCallback_GetTransportState2)(
    void *, Boolean *, Boolean *, Boolean *, Float64 *, Boolean *, Float64 *, Float64 *);

// Functions.
AURICLE_BEGIN_DECLS

// AudioComponent.h
ABI_FUNCTION(AudioComponent, AudioComponentFindNext, (
    AudioComponent, const AudioComponentDescription *));
ABI_FUNCTION(UInt32, AudioComponentCount, (const AudioComponentDescription *));
ABI_FUNCTION(OSStatus, AudioComponentCopyName, (AudioComponent, CFStringRef *));
ABI_FUNCTION(OSStatus, AudioComponentGetDescription, (AudioComponent, AudioComponentDescription *));
ABI_FUNCTION(OSStatus, AudioComponentGetVersion, (AudioComponent, UInt32 *));
ABI_FUNCTION(OSStatus, AudioComponentInstanceNew, (AudioComponent, AudioComponentInstance *));
ABI_FUNCTION(OSStatus, AudioComponentInstanceDispose, (AudioComponentInstance));
ABI_FUNCTION(AudioComponent, AudioComponentInstanceGetComponent, (AudioComponentInstance));
ABI_FUNCTION(Boolean, AudioComponentInstanceCanDo, (AudioComponentInstance, SInt16));
ABI_FUNCTION(AudioComponent, AudioComponentRegister, (
    const AudioComponentDescription *, CFStringRef, UInt32, AudioComponentFactoryFunction));
ABI_FUNCTION(OSStatus, AudioComponentCopyConfigurationInfo, (AudioComponent, CFDictionaryRef *));
ABI_FUNCTION(OSStatus, AudioComponentValidate, (
    AudioComponent, CFDictionaryRef, AudioComponentValidationResult *));

// AUComponent.h
ABI_FUNCTION(OSStatus, AudioUnitInitialize, (AudioUnit));
ABI_FUNCTION(OSStatus, AudioUnitUninitialize, (AudioUnit));
ABI_FUNCTION(OSStatus, AudioUnitGetPropertyInfo, (
    AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UInt32 *, Boolean *));
ABI_FUNCTION(OSStatus, AudioUnitGetProperty, (
    AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, void *, UInt32 *));
ABI_FUNCTION(OSStatus, AudioUnitSetProperty, (
    AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, const void *, UInt32));
ABI_FUNCTION(OSStatus, AudioUnitAddPropertyListener, (
    AudioUnit, AudioUnitPropertyID, AudioUnitPropertyListenerProc, void *));
ABI_FUNCTION(OSStatus, AudioUnitRemovePropertyListenerWithUserData, (
    AudioUnit, AudioUnitPropertyID, AudioUnitPropertyListenerProc, void *));
ABI_FUNCTION(OSStatus, AudioUnitAddRenderNotify, (AudioUnit, AURenderCallback, void *));
ABI_FUNCTION(OSStatus, AudioUnitRemoveRenderNotify, (AudioUnit, AURenderCallback, void *));
ABI_FUNCTION(OSStatus, AudioUnitGetParameter, (
    AudioUnit, AudioUnitParameterID, AudioUnitScope, AudioUnitElement, AudioUnitParameterValue *));
ABI_FUNCTION(OSStatus, AudioUnitSetParameter, (
    AudioUnit, AudioUnitParameterID, AudioUnitScope, AudioUnitElement, AudioUnitParameterValue,
    UInt32));
ABI_FUNCTION(OSStatus, AudioUnitScheduleParameters, (
    AudioUnit, const AudioUnitParameterEvent *, UInt32));
ABI_FUNCTION(OSStatus, AudioUnitRender, (
    AudioUnit, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32,
    AudioBufferList *));
ABI_FUNCTION(OSStatus, AudioUnitProcess, (
    AudioUnit, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, AudioBufferList *));
ABI_FUNCTION(OSStatus, AudioUnitProcessMultiple, (
    AudioUnit, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32,
    const AudioBufferList **, UInt32, AudioBufferList **));
ABI_FUNCTION(OSStatus, AudioUnitReset, (AudioUnit, AudioUnitScope, AudioUnitElement));
ABI_FUNCTION(OSStatus, AudioOutputUnitPublish, (
    const AudioComponentDescription *, CFStringRef, UInt32, AudioUnit));
ABI_FUNCTION(CFAbsoluteTime, AudioComponentGetLastActiveTime, (AudioComponent));
ABI_FUNCTION(CFDataRef, AudioComponentCopyIcon, (AudioComponent));
ABI_FUNCTION(CFDataRef, AudioComponentGetIcon, (AudioComponent, Float32));
ABI_FUNCTION(CFDataRef, AudioOutputUnitGetHostIcon, (AudioUnit, Float32));
ABI_FUNCTION(OSStatus, AudioUnitExtensionSetComponentList, (CFStringRef, CFArrayRef));
ABI_FUNCTION(CFArrayRef, AudioUnitExtensionCopyComponentList, (CFStringRef));

// AudioOutputUnit.h
ABI_FUNCTION(OSStatus, AudioOutputUnitStart, (AudioUnit));
ABI_FUNCTION(OSStatus, AudioOutputUnitStop, (AudioUnit));

// MusicDevice.h
ABI_FUNCTION(OSStatus, MusicDeviceMIDIEvent, (
    MusicDeviceComponent, UInt32, UInt32, UInt32, UInt32));
ABI_FUNCTION(OSStatus, MusicDeviceSysEx, (MusicDeviceComponent, const UInt8 *, UInt32));
ABI_FUNCTION(OSStatus, MusicDeviceMIDIEventList, (
    MusicDeviceComponent, UInt32, const struct MIDIEventList *));
ABI_FUNCTION(OSStatus, MusicDeviceStartNote, (
    MusicDeviceComponent, MusicDeviceInstrumentID, MusicDeviceGroupID, NoteInstanceID *, UInt32,
    const MusicDeviceNoteParams *));
ABI_FUNCTION(OSStatus, MusicDeviceStopNote, (
    MusicDeviceComponent, MusicDeviceGroupID, NoteInstanceID, UInt32));
ABI_FUNCTION(OSStatus, MusicDevicePrepareInstrument, (
    MusicDeviceComponent, MusicDeviceInstrumentID));
ABI_FUNCTION(OSStatus, MusicDeviceReleaseInstrument, (
    MusicDeviceComponent, MusicDeviceInstrumentID));

// AUGraph.h
ABI_FUNCTION(OSStatus, NewAUGraph, (AUGraph *));
ABI_FUNCTION(OSStatus, DisposeAUGraph, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphAddNode, (AUGraph, const AudioComponentDescription *, AUNode *));
ABI_FUNCTION(OSStatus, AUGraphRemoveNode, (AUGraph, AUNode));
ABI_FUNCTION(OSStatus, AUGraphGetNodeCount, (AUGraph, UInt32 *));
ABI_FUNCTION(OSStatus, AUGraphGetIndNode, (AUGraph, UInt32, AUNode *));
ABI_FUNCTION(OSStatus, AUGraphNodeInfo, (
    AUGraph, AUNode, AudioComponentDescription *, AudioUnit *));
ABI_FUNCTION(OSStatus, AUGraphNewNodeSubGraph, (AUGraph, AUNode *));
ABI_FUNCTION(OSStatus, AUGraphGetNodeInfoSubGraph, (const AUGraph, AUNode, AUGraph *));
ABI_FUNCTION(OSStatus, AUGraphIsNodeSubGraph, (const AUGraph, AUNode, Boolean *));
ABI_FUNCTION(OSStatus, AUGraphConnectNodeInput, (AUGraph, AUNode, UInt32, AUNode, UInt32));
ABI_FUNCTION(OSStatus, AUGraphSetNodeInputCallback, (
    AUGraph, AUNode, UInt32, const AURenderCallbackStruct *));
ABI_FUNCTION(OSStatus, AUGraphDisconnectNodeInput, (AUGraph, AUNode, UInt32));
ABI_FUNCTION(OSStatus, AUGraphClearConnections, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphGetNumberOfInteractions, (AUGraph, UInt32 *));
ABI_FUNCTION(OSStatus, AUGraphGetInteractionInfo, (AUGraph, UInt32, AUNodeInteraction *));
ABI_FUNCTION(OSStatus, AUGraphCountNodeInteractions, (AUGraph, AUNode, UInt32 *));
ABI_FUNCTION(OSStatus, AUGraphGetNodeInteractions, (
    AUGraph, AUNode, UInt32 *, AUNodeInteraction *));
ABI_FUNCTION(OSStatus, AUGraphUpdate, (AUGraph, Boolean *));
ABI_FUNCTION(OSStatus, AUGraphOpen, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphClose, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphInitialize, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphUninitialize, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphStart, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphStop, (AUGraph));
ABI_FUNCTION(OSStatus, AUGraphIsOpen, (AUGraph, Boolean *));
ABI_FUNCTION(OSStatus, AUGraphIsInitialized, (AUGraph, Boolean *));
ABI_FUNCTION(OSStatus, AUGraphIsRunning, (AUGraph, Boolean *));
ABI_FUNCTION(OSStatus, AUGraphGetCPULoad, (AUGraph, Float32 *));
ABI_FUNCTION(OSStatus, AUGraphGetMaxCPULoad, (AUGraph, Float32 *));
ABI_FUNCTION(OSStatus, AUGraphAddRenderNotify, (AUGraph, AURenderCallback, void *));
ABI_FUNCTION(OSStatus, AUGraphRemoveRenderNotify, (AUGraph, AURenderCallback, void *));
ABI_FUNCTION(OSStatus, AUGraphNewNode, (
    AUGraph, const struct ComponentDescription *, UInt32, const void *, AUNode *));
ABI_FUNCTION(OSStatus, AUGraphGetNodeInfo, (
    AUGraph, AUNode, struct ComponentDescription *, UInt32 *, void **, AudioUnit *));
ABI_FUNCTION(OSStatus, AUGraphGetNumberOfConnections, (AUGraph, UInt32 *));
ABI_FUNCTION(OSStatus, AUGraphGetConnectionInfo, (
    AUGraph, UInt32, AUNode *, UInt32 *, AUNode *, UInt32 *));
ABI_FUNCTION(OSStatus, AUGraphCountNodeConnections, (AUGraph, AUNode, UInt32 *));
ABI_FUNCTION(OSStatus, AUGraphGetNodeConnections, (
    AUGraph, AUNode, AudioUnitNodeConnection *, UInt32 *));

// AudioUnitUtilities.h
ABI_FUNCTION(OSStatus, AUListenerCreate, (
    AUParameterListenerProc, void *, CFRunLoopRef, CFStringRef, Float32, AUParameterListenerRef *));
ABI_FUNCTION(OSStatus, AUListenerDispose, (AUParameterListenerRef));
ABI_FUNCTION(OSStatus, AUListenerAddParameter, (
    AUParameterListenerRef, void *, const AudioUnitParameter *));
ABI_FUNCTION(OSStatus, AUListenerRemoveParameter, (
    AUParameterListenerRef, void *, const AudioUnitParameter *));
ABI_FUNCTION(OSStatus, AUParameterSet, (
    AUParameterListenerRef, void *, const AudioUnitParameter *, AudioUnitParameterValue, UInt32));
ABI_FUNCTION(OSStatus, AUParameterListenerNotify, (
    AUParameterListenerRef, void *, const AudioUnitParameter *));
ABI_FUNCTION(OSStatus, AUEventListenerCreate, (
    AUEventListenerProc, void *, CFRunLoopRef, CFStringRef, Float32, Float32,
    AUEventListenerRef *));
ABI_FUNCTION(OSStatus, AUEventListenerAddEventType, (
    AUEventListenerRef, void *, const AudioUnitEvent *));
ABI_FUNCTION(OSStatus, AUEventListenerRemoveEventType, (
    AUEventListenerRef, void *, const AudioUnitEvent *));
ABI_FUNCTION(OSStatus, AUEventListenerNotify, (AUEventListenerRef, void *, const AudioUnitEvent *));
ABI_FUNCTION(AudioUnitParameterValue, AUParameterValueFromLinear, (
    Float32, const AudioUnitParameter *));
ABI_FUNCTION(Float32, AUParameterValueToLinear, (
    AudioUnitParameterValue, const AudioUnitParameter *));
ABI_FUNCTION(char *, AUParameterFormatValue, (Float64, const AudioUnitParameter *, char *, UInt32));

// CAShow.h
ABI_FUNCTION(void, CAShow, (void *));
ABI_FUNCTION(void, CAShowFile, (void *, FILE *));

// mach_time.h
ABI_FUNCTION(uint64_t, mach_absolute_time, (void));

#if defined(__BLOCKS__)
ABI_FUNCTION(void, AudioComponentInstantiate, (
    AudioComponent, AudioComponentInstantiationOptions,
    void (^)(AudioComponentInstance, OSStatus)));
ABI_FUNCTION(OSStatus, AudioComponentValidateWithResults, (
    AudioComponent, CFDictionaryRef, void (^)(AudioComponentValidationResult, CFDictionaryRef)));
ABI_FUNCTION(OSStatus, AUListenerCreateWithDispatchQueue, (
    AUParameterListenerRef *, Float32, dispatch_queue_t, AUParameterListenerBlock));
ABI_FUNCTION(OSStatus, AUEventListenerCreateWithDispatchQueue, (
    AUEventListenerRef *, Float32, Float32, dispatch_queue_t, AUEventListenerBlock));
#endif

AURICLE_END_DECLS
