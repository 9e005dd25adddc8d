// Units: types and subtypes, errors, selectors, render flags, and the calls a host makes.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUCOMPONENT_H
#define AURICLE_AUCOMPONENT_H

#include "AudioComponent.h"

// Sources of before 10.7 ask for it.
#define AUDIO_UNIT_VERSION 1070

typedef AudioComponentInstance AudioUnit AURICLE_SWIFT_NAME("AudioUnitHandle");

typedef UInt32 AudioUnitPropertyID;
typedef UInt32 AudioUnitScope;
typedef UInt32 AudioUnitElement;
typedef UInt32 AudioUnitParameterID;
typedef Float32 AudioUnitParameterValue;
typedef UInt32 AudioUnitRenderActionFlags;
typedef UInt32 AUParameterEventType;
typedef SInt64 AUEventSampleTime;

// ---- Identities: types, maker, subtypes.

// Types: the unit's role for its host.
AURICLE_ENUM(OSType) {
  kAudioUnitType_Output = 0x61756f75,             // 'auou'
  kAudioUnitType_MusicDevice = 0x61756d75,        // 'aumu'
  kAudioUnitType_MusicEffect = 0x61756d66,        // 'aumf'
  kAudioUnitType_FormatConverter = 0x61756663,    // 'aufc'
  kAudioUnitType_Effect = 0x61756678,             // 'aufx'
  kAudioUnitType_Mixer = 0x61756d78,              // 'aumx'
  kAudioUnitType_Panner = 0x6175706e,             // 'aupn'
  kAudioUnitType_Generator = 0x6175676e,          // 'augn'
  kAudioUnitType_OfflineEffect = 0x61756f6c,      // 'auol'
  kAudioUnitType_MIDIProcessor = 0x61756d69,      // 'aumi'
  kAudioUnitType_SpeechSynthesizer = 0x61757370,  // 'ausp'
  kAudioUnitType_RemoteEffect = 0x61757278,       // 'aurx'
  kAudioUnitType_RemoteGenerator = 0x61757267,    // 'aurg'
  kAudioUnitType_RemoteInstrument = 0x61757269,   // 'auri'
  kAudioUnitType_RemoteMusicEffect = 0x6175726d,  // 'aurm'
};

// The maker code of the units that ship.
AURICLE_ENUM(OSType) {
  kAudioUnitManufacturer_Apple = 0x6170706c,  // 'appl'
};

// Subtypes, each with its code and the types it occurs with.
AURICLE_ENUM(OSType) {
  kAudioUnitSubType_GenericOutput = 0x67656e72,         // 'genr', auou
  kAudioUnitSubType_VoiceProcessingIO = 0x7670696f,     // 'vpio', auou
  kAudioUnitSubType_HALOutput = 0x6168616c,             // 'ahal', auou
  kAudioUnitSubType_DefaultOutput = 0x64656620,         // 'def ', auou
  kAudioUnitSubType_SystemOutput = 0x73797320,          // 'sys ', auou
  kAudioUnitSubType_DLSSynth = 0x646c7320,              // 'dls ', aumu
  kAudioUnitSubType_Sampler = 0x73616d70,               // 'samp', aumu
  kAudioUnitSubType_MIDISynth = 0x6d73796e,             // 'msyn', aumu
  kAudioUnitSubType_AUConverter = 0x636f6e76,           // 'conv', aufc
  kAudioUnitSubType_Varispeed = 0x76617269,             // 'vari', aufc (also auol)
  kAudioUnitSubType_DeferredRenderer = 0x64656672,      // 'defr', aufc
  kAudioUnitSubType_Splitter = 0x73706c74,              // 'splt', aufc
  kAudioUnitSubType_MultiSplitter = 0x6d73706c,         // 'mspl', aufc
  kAudioUnitSubType_Merger = 0x6d657267,                // 'merg', aufc
  kAudioUnitSubType_NewTimePitch = 0x6e757470,          // 'nutp', aufc
  kAudioUnitSubType_AUiPodTimeOther = 0x6970746f,       // 'ipto', aufc
  kAudioUnitSubType_RoundTripAAC = 0x72616163,          // 'raac', aufc
  kAudioUnitSubType_TimePitch = 0x746d7074,             // 'tmpt', aufc (also auol)
  kAudioUnitSubType_PeakLimiter = 0x6c6d7472,           // 'lmtr', aufx
  kAudioUnitSubType_DynamicsProcessor = 0x64636d70,     // 'dcmp', aufx
  kAudioUnitSubType_LowPassFilter = 0x6c706173,         // 'lpas', aufx
  kAudioUnitSubType_HighPassFilter = 0x68706173,        // 'hpas', aufx
  kAudioUnitSubType_BandPassFilter = 0x62706173,        // 'bpas', aufx
  kAudioUnitSubType_HighShelfFilter = 0x68736866,       // 'hshf', aufx
  kAudioUnitSubType_LowShelfFilter = 0x6c736866,        // 'lshf', aufx
  kAudioUnitSubType_ParametricEQ = 0x706d6571,          // 'pmeq', aufx
  kAudioUnitSubType_Distortion = 0x64697374,            // 'dist', aufx
  kAudioUnitSubType_Delay = 0x64656c79,                 // 'dely', aufx
  kAudioUnitSubType_SampleDelay = 0x73646c79,           // 'sdly', aufx
  kAudioUnitSubType_NBandEQ = 0x6e626571,               // 'nbeq', aufx
  kAudioUnitSubType_Reverb2 = 0x72766232,               // 'rvb2', aufx
  kAudioUnitSubType_AUSoundIsolation = 0x766f6973,      // 'vois', aufx
  kAudioUnitSubType_GraphicEQ = 0x67726571,             // 'greq', aufx
  kAudioUnitSubType_MultiBandCompressor = 0x6d636d70,   // 'mcmp', aufx
  kAudioUnitSubType_MatrixReverb = 0x6d726576,          // 'mrev', aufx
  kAudioUnitSubType_Pitch = 0x746d7074,                 // 'tmpt', aufx
  kAudioUnitSubType_AUFilter = 0x66696c74,              // 'filt', aufx
  kAudioUnitSubType_NetSend = 0x6e736e64,               // 'nsnd', aufx
  kAudioUnitSubType_RogerBeep = 0x726f6772,             // 'rogr', aufx
  kAudioUnitSubType_MultiChannelMixer = 0x6d636d78,     // 'mcmx', aumx
  kAudioUnitSubType_MatrixMixer = 0x6d786d78,           // 'mxmx', aumx
  kAudioUnitSubType_SpatialMixer = 0x3364656d,          // '3dem', aumx
  kAudioUnitSubType_StereoMixer = 0x736d7872,           // 'smxr', aumx
  kAudioUnitSubType_3DMixer = 0x33646d78,               // '3dmx', aumx
  kAudioUnitSubType_SphericalHeadPanner = 0x73706872,   // 'sphr', aupn
  kAudioUnitSubType_VectorPanner = 0x76626173,          // 'vbas', aupn
  kAudioUnitSubType_SoundFieldPanner = 0x616d6269,      // 'ambi', aupn
  kAudioUnitSubType_HRTFPanner = 0x68727466,            // 'hrtf', aupn
  kAudioUnitSubType_NetReceive = 0x6e726376,            // 'nrcv', augn
  kAudioUnitSubType_ScheduledSoundPlayer = 0x7373706c,  // 'sspl', augn
  kAudioUnitSubType_AudioFilePlayer = 0x6166706c,       // 'afpl', augn
  kAudioUnitSubType_SpeechSynthesis = 0x74747370,       // 'ttsp', augn
  kAudioUnitSubType_RemoteIO = 0x72696f63,              // 'rioc', auou (iOS)
  kAudioUnitSubType_AUiPodTime = 0x6970746d,            // 'iptm', aufc (iOS)
  kAudioUnitSubType_AUiPodEQ = 0x69706571,              // 'ipeq', aufx (iOS)
  kAudioUnitSubType_AU3DMixerEmbedded = 0x3364656d,     // '3dem', aumx (iOS)
};

// ---- Results of calls.

AURICLE_ENUM(OSStatus) {
  kAudioUnitErr_InvalidProperty = -10879,               // the unit has no such property
  kAudioUnitErr_InvalidParameter = -10878,              // the unit has no such parameter
  kAudioUnitErr_InvalidElement = -10877,                // the scope has no such element
  kAudioUnitErr_NoConnection = -10876,                  // nothing feeds the input
  kAudioUnitErr_FailedInitialization = -10875,          // initializing failed
  kAudioUnitErr_TooManyFramesToProcess = -10874,        // more frames than MaximumFramesPerSlice
  kAudioUnitErr_InvalidFile = -10871,                   // the file is damaged
  kAudioUnitErr_UnknownFileType = -10870,               // the file is of a type unknown to the unit
  kAudioUnitErr_FileNotSpecified = -10869,              // the unit has no file
  kAudioUnitErr_FormatNotSupported = -10868,            // the unit does not accept this format
  kAudioUnitErr_Uninitialized = -10867,                 // the unit must be initialized first
  kAudioUnitErr_InvalidScope = -10866,                  // the unit has no such scope
  kAudioUnitErr_PropertyNotWritable = -10865,           // the property is read only
  kAudioUnitErr_CannotDoInCurrentContext = -10863,      // not possible just now; try again
  kAudioUnitErr_InvalidPropertyValue = -10851,          // the property does not accept the value
  kAudioUnitErr_PropertyNotInUse = -10850,              // the property has no value
  kAudioUnitErr_Initialized = -10849,                   // only possible while not initialized
  // offline rendering was asked for in the wrong order
  kAudioUnitErr_InvalidOfflineRender = -10848,
  kAudioUnitErr_Unauthorized = -10847,                  // the unit is not licensed
  kAudioUnitErr_MIDIOutputBufferFull = -66753,          // no room left for MIDI output
  kAudioComponentErr_InstanceTimedOut = -66754,         // making the instance exceeded its time limit
  kAudioComponentErr_InstanceInvalidated = -66749,      // the instance is gone
  kAudioUnitErr_RenderTimeout = -66745,                 // rendering exceeded its time limit
  kAudioUnitErr_ExtensionNotFound = -66744,             // no such extension
  kAudioUnitErr_InvalidParameterValue = -66743,         // the parameter does not accept the value
  kAudioUnitErr_InvalidFilePath = -66742,               // no such path
  kAudioUnitErr_MissingKey = -66741,                    // a dictionary lacks a key
  kAudioUnitErr_ComponentManagerNotSupported = -66740,  // the old component manager is not there
  kAudioComponentErr_DuplicateDescription = -66752,     // another component has this description
  kAudioComponentErr_UnsupportedType = -66751,          // this type may not be registered
  kAudioComponentErr_TooManyInstances = -66750,         // no more instances possible
  kAudioComponentErr_NotPermitted = -66748,             // not allowed to do this
  kAudioComponentErr_InitializationTimedOut = -66747,   // initializing exceeded its time limit
  kAudioComponentErr_InvalidFormat = -66746,            // the format is wrong
  kAudioUnitErr_IllegalInstrument = -10873,             // the instrument is damaged
  kAudioUnitErr_InstrumentTypeNotFound = -10872,        // no such type of instrument
  // the input has an unexpected channel count
  kAUVoiceIOErr_UnexpectedNumberOfInputChannels = -66784,
};

// ---- Selectors: the numbers a unit's Lookup knows its methods by.

AURICLE_ENUM(SInt16) {
  kAudioUnitRange = 0x0000,        // every unit
  kMusicDeviceRange = 0x0100,      // units played by notes: MusicDevice.h
  kAudioOutputUnitRange = 0x0200,  // units with a clock of their own: AudioOutputUnit.h
};

AURICLE_ENUM(SInt16) {
  kAudioUnitInitializeSelect = 0x0001,
  kAudioUnitUninitializeSelect = 0x0002,
  kAudioUnitGetPropertyInfoSelect = 0x0003,
  kAudioUnitGetPropertySelect = 0x0004,
  kAudioUnitSetPropertySelect = 0x0005,
  kAudioUnitGetParameterSelect = 0x0006,
  kAudioUnitSetParameterSelect = 0x0007,
  kAudioUnitResetSelect = 0x0009,
  kAudioUnitAddPropertyListenerSelect = 0x000a,
  kAudioUnitRemovePropertyListenerSelect = 0x000b,
  kAudioUnitRenderSelect = 0x000e,
  kAudioUnitAddRenderNotifySelect = 0x000f,
  kAudioUnitRemoveRenderNotifySelect = 0x0010,
  kAudioUnitScheduleParametersSelect = 0x0011,
  kAudioUnitRemovePropertyListenerWithUserDataSelect = 0x0012,
  kAudioUnitComplexRenderSelect = 0x0013,
  kAudioUnitProcessSelect = 0x0014,
  kAudioUnitProcessMultipleSelect = 0x0015,
};

// ---- Rendering.

// In and out of every render call.
AURICLE_ENUM(AudioUnitRenderActionFlags) {
  kAudioUnitRenderAction_PreRender = 0x4,          // a notification before rendering
  kAudioUnitRenderAction_PostRender = 0x8,         // a notification after rendering
  kAudioUnitRenderAction_OutputIsSilence = 0x10,   // the buffers hold nothing but zeros
  kAudioOfflineUnitRenderAction_Preflight = 0x20,  // a pass that only analyses
  kAudioOfflineUnitRenderAction_Render = 0x40,     // the pass that renders
  kAudioOfflineUnitRenderAction_Complete = 0x80,   // the offline unit is done
  kAudioUnitRenderAction_PostRenderError = 0x100,  // goes with PostRender when rendering failed
  // Process and ProcessMultiple: arguments are right, skip checks
  kAudioUnitRenderAction_DoNotCheckRenderArgs = 0x200,
};

// Fills buffers for a unit's input, or is notified of a unit's rendering. `element` is the bus.
typedef OSStatus (*AURenderCallback)(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 element, UInt32 frameCount, AudioBufferList *buffers);

// Called after a change of a property.
typedef void (*AudioUnitPropertyListenerProc)(
    void *refCon, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element);

// Called with the input samples from which output samples came.
typedef void (*AUInputSamplesInOutputCallback)(
    void *refCon, const AudioTimeStamp *outputTimeStamp, Float64 inputSample,
    Float64 inputSampleCount);

// ---- Parameters.

AURICLE_ENUM(AUParameterEventType) {
  kParameterEvent_Immediate = 1,
  kParameterEvent_Ramped = 2,
};

// A change of a parameter within the next slice: at once at a frame, or as a ramp over frames.
typedef struct AudioUnitParameterEvent {
  AudioUnitScope scope;
  AudioUnitElement element;
  AudioUnitParameterID parameter;
  AUParameterEventType eventType;
  union {
    struct {
      SInt32 startBufferOffset;   // negative: the ramp began before this slice
      UInt32 durationInFrames;
      AudioUnitParameterValue startValue;
      AudioUnitParameterValue endValue;
    } ramp;
    struct {
      UInt32 bufferOffset;
      AudioUnitParameterValue value;
    } immediate;
  } eventValues;
} AudioUnitParameterEvent;

// A parameter of one unit.
typedef struct AudioUnitParameter {
  AudioUnit mAudioUnit;
  AudioUnitParameterID mParameterID;
  AudioUnitScope mScope;
  AudioUnitElement mElement;
} AudioUnitParameter;

// A property of one unit.
typedef struct AudioUnitProperty {
  AudioUnit mAudioUnit;
  AudioUnitPropertyID mPropertyID;
  AudioUnitScope mScope;
  AudioUnitElement mElement;
} AudioUnitProperty;

// ---- The methods behind the selectors. `self` is the result of the factory.

typedef OSStatus (*AudioUnitInitializeProc)(void *self);
typedef OSStatus (*AudioUnitUninitializeProc)(void *self);
typedef OSStatus (*AudioUnitGetPropertyInfoProc)(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *dataSize, Boolean *isWritable);
typedef OSStatus (*AudioUnitGetPropertyProc)(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *dataSize);
typedef OSStatus (*AudioUnitSetPropertyProc)(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 dataSize);
typedef OSStatus (*AudioUnitAddPropertyListenerProc)(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc listener, void *refCon);
typedef OSStatus (*AudioUnitRemovePropertyListenerProc)(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc listener);
typedef OSStatus (*AudioUnitRemovePropertyListenerWithUserDataProc)(
    void *self, AudioUnitPropertyID property, AudioUnitPropertyListenerProc listener, void *refCon);
typedef OSStatus (*AudioUnitAddRenderNotifyProc)(
    void *self, AURenderCallback callback, void *refCon);
typedef OSStatus (*AudioUnitRemoveRenderNotifyProc)(
    void *self, AURenderCallback callback, void *refCon);
typedef OSStatus (*AudioUnitGetParameterProc)(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value);
typedef OSStatus (*AudioUnitSetParameterProc)(
    void *self, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset);
typedef OSStatus (*AudioUnitScheduleParametersProc)(
    void *self, const AudioUnitParameterEvent *events, UInt32 eventCount);
typedef OSStatus (*AudioUnitResetProc)(
    void *self, AudioUnitScope scope, AudioUnitElement element);
typedef OSStatus (*AudioUnitRenderProc)(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers);
typedef OSStatus (*AudioUnitComplexRenderProc)(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 packetCount, UInt32 *producedPacketCount,
    AudioStreamPacketDescription *packets, AudioBufferList *buffers, void *metadata,
    UInt32 *metadataSize);
typedef OSStatus (*AudioUnitProcessProc)(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *buffers);
typedef OSStatus (*AudioUnitProcessMultipleProc)(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, UInt32 inputCount, const AudioBufferList **inputs, UInt32 outputCount,
    AudioBufferList **outputs);

// ---- The functions a host calls.

// A NULL unit answers kAudio_ParamError, a selector the unit does not know
// kAudio_UnimplementedError.

AURICLE_BEGIN_DECLS

extern OSStatus AudioUnitInitialize(AudioUnit unit);
extern OSStatus AudioUnitUninitialize(AudioUnit unit);

// `dataSize` and `isWritable` may each be NULL.
extern OSStatus AudioUnitGetPropertyInfo(
    AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *dataSize, Boolean *isWritable);
// In `dataSize` the room there is, out the size written. Core Foundation objects come with a
// reference to release.
extern OSStatus AudioUnitGetProperty(
    AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *dataSize);
// NULL and 0 together remove a value, if the property can be without one.
extern OSStatus AudioUnitSetProperty(
    AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 dataSize);
extern OSStatus AudioUnitAddPropertyListener(
    AudioUnit unit, AudioUnitPropertyID property, AudioUnitPropertyListenerProc listener,
    void *refCon);
extern OSStatus AudioUnitRemovePropertyListenerWithUserData(
    AudioUnit unit, AudioUnitPropertyID property, AudioUnitPropertyListenerProc listener,
    void *refCon);

// Called before and after each rendering, on the render thread.
extern OSStatus AudioUnitAddRenderNotify(AudioUnit unit, AURenderCallback callback, void *refCon);
extern OSStatus AudioUnitRemoveRenderNotify(
    AudioUnit unit, AURenderCallback callback, void *refCon);

// Any thread.
extern OSStatus AudioUnitGetParameter(
    AudioUnit unit, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue *value);
extern OSStatus AudioUnitSetParameter(
    AudioUnit unit, AudioUnitParameterID parameter, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 bufferOffset);
extern OSStatus AudioUnitScheduleParameters(
    AudioUnit unit, const AudioUnitParameterEvent *events, UInt32 eventCount);

// Render thread. The sample time must move on from call to call: for one it has rendered already, a
// unit does not render again.
extern OSStatus AudioUnitRender(
    AudioUnit unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers);
extern OSStatus AudioUnitProcess(
    AudioUnit unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, AudioBufferList *buffers);
extern OSStatus AudioUnitProcessMultiple(
    AudioUnit unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 frameCount, UInt32 inputCount, const AudioBufferList **inputs, UInt32 outputCount,
    AudioBufferList **outputs);

// Clears the effect of past input; keeps parameters and formats.
extern OSStatus AudioUnitReset(AudioUnit unit, AudioUnitScope scope, AudioUnitElement element);

extern OSStatus AudioOutputUnitPublish(
    const AudioComponentDescription *description, CFStringRef name, UInt32 version, AudioUnit unit);
extern CFAbsoluteTime AudioComponentGetLastActiveTime(AudioComponent component);
extern OSStatus AudioUnitExtensionSetComponentList(CFStringRef extension, CFArrayRef components);
extern CFArrayRef AudioUnitExtensionCopyComponentList(CFStringRef extension);

AURICLE_END_DECLS

// For programs in C; the functions of this header are Swift's own in the library.
#ifndef __swift__
#include "InterAppAudio.h"
#endif

#endif
