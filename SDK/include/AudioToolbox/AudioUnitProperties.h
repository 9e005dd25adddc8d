// Scopes, properties, and the types of their values.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITPROPERTIES_H
#define AURICLE_AUDIOUNITPROPERTIES_H

#include "AUComponent.h"

struct MIDIPacketList;
struct MIDIEventList;
struct OpaqueAudioFileID;

typedef UInt32 AudioUnitParameterUnit;
typedef UInt32 AudioUnitParameterOptions;
typedef UInt32 AUParameterMIDIMappingFlags;
typedef UInt32 AUScheduledAudioSliceFlags;
typedef UInt32 AUSpatializationAlgorithm;
typedef UInt32 AUReverbRoomType;

// ---- Scopes.

// Numbers to 1024 are taken by the interface.
AURICLE_ENUM(AudioUnitScope) {
  kAudioUnitScope_Global = 0,     // the unit as a whole; one element, 0
  kAudioUnitScope_Input = 1,      // one element an input bus
  kAudioUnitScope_Output = 2,     // one element an output bus
  kAudioUnitScope_Group = 3,      // one element a MIDI channel
  kAudioUnitScope_Part = 4,       // one element a part of a multitimbral instrument
  kAudioUnitScope_Note = 5,       // one element a sounding note
  kAudioUnitScope_Layer = 6,      // one element a layer of a part
  kAudioUnitScope_LayerItem = 7,  // one element an item of a layer
};

// ---- Properties, by number. Numbers below 64000 are taken by the interface.

// Every unit, or many kinds of unit. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAudioUnitProperty_ClassInfo = 0,  // Global or Part; CFDictionaryRef; read/write
  kAudioUnitProperty_MakeConnection = 1,  // Input; AudioUnitConnection; write
  kAudioUnitProperty_SampleRate = 2,  // Input / Output; Float64; read/write
  kAudioUnitProperty_ParameterList = 3,  // any; AudioUnitParameterID; read
  // Any (element = parameter ID); AudioUnitParameterInfo; read
  kAudioUnitProperty_ParameterInfo = 4,
  kAudioUnitProperty_FastDispatch = 5,  // Global; void* (function pointer); read
  kAudioUnitProperty_CPULoad = 6,  // Global; Float64; read
  kAudioUnitProperty_StreamFormat = 8,  // Input / Output; AudioStreamBasicDescription; read/write
  kAudioUnitProperty_SRCAlgorithm = 9,  // Global; UInt32, obsolete; read/write
  kAudioUnitProperty_ReverbRoomType = 10,  // Global; UInt32; read/write
  kAudioUnitProperty_BusCount = 11,  // any; UInt32 (same as ElementCount); read/write
  kAudioUnitProperty_ElementCount = 11,  // any; UInt32; read/write
  kAudioUnitProperty_Latency = 12,  // Global; Float64; read
  kAudioUnitProperty_SupportedNumChannels = 13,  // Global; AUChannelInfo array; read
  kAudioUnitProperty_MaximumFramesPerSlice = 14,  // Global; UInt32; read/write
  kAudioUnitProperty_SetExternalBuffer = 15,  // Global; AudioUnitExternalBuffer; write
  kAudioUnitProperty_ParameterValueStrings = 16,  // Any (element = parameter ID); CFArrayRef; read
  // Global; AudioUnitMIDIControlMapping array, obsolete; read
  kAudioUnitProperty_MIDIControlMapping = 17,
  kAudioUnitProperty_GetUIComponentList = 18,  // any; AudioComponentDescription array; read
  kAudioUnitProperty_AudioChannelLayout = 19,  // Input/Output; AudioChannelLayout; read/write
  kAudioUnitProperty_TailTime = 20,  // Global; Float64; read
  kAudioUnitProperty_BypassEffect = 21,  // Global; UInt32; read/write
  kAudioUnitProperty_LastRenderError = 22,  // Global; OSStatus; read
  kAudioUnitProperty_SetRenderCallback = 23,  // Input; AURenderCallbackStruct; write
  kAudioUnitProperty_FactoryPresets = 24,  // Global; CFArray of AUPreset structures; read
  kAudioUnitProperty_ContextName = 25,  // Global; CFString; read/write
  kAudioUnitProperty_RenderQuality = 26,  // Global; UInt32; read/write
  kAudioUnitProperty_HostCallbacks = 27,  // Global; HostCallbackInfo; write
  // Global; AUPreset with a borrowed name, obsolete; read/write
  kAudioUnitProperty_CurrentPreset = 28,
  kAudioUnitProperty_InPlaceProcessing = 29,  // Global; UInt32; read/write
  kAudioUnitProperty_ElementName = 30,  // any; CFStringRef; read/write
  kAudioUnitProperty_CocoaUI = 31,  // Global; AudioUnitCocoaViewInfo; read
  // Input/Output; array of AudioChannelLayoutTag; read
  kAudioUnitProperty_SupportedChannelLayoutTags = 32,
  kAudioUnitProperty_ParameterStringFromValue = 33,  // any; AudioUnitParameterStringFromValue; read
  kAudioUnitProperty_ParameterValueName = 33,  // any; same as ParameterStringFromValue; read
  kAudioUnitProperty_ParameterIDName = 34,  // any; AudioUnitParameterIDName; read
  kAudioUnitProperty_ParameterClumpName = 35,  // any; AudioUnitParameterIDName; read
  kAudioUnitProperty_PresentPreset = 36,  // Global/Part; AUPreset; read/write
  kAudioUnitProperty_OfflineRender = 37,  // Global; UInt32; read/write
  kAudioUnitProperty_ParameterValueFromString = 38,  // any; AudioUnitParameterValueFromString; read
  kAudioUnitProperty_IconLocation = 39,  // Global; CFURLRef; read
  kAudioUnitProperty_PresentationLatency = 40,  // Input/Output; Float64; write
  // any; array of AUParameterMIDIMapping; read/write
  kAudioUnitProperty_AllParameterMIDIMappings = 41,
  kAudioUnitProperty_AddParameterMIDIMapping = 42,  // any; array of AUParameterMIDIMapping; write
  // any; array of AUParameterMIDIMapping; write
  kAudioUnitProperty_RemoveParameterMIDIMapping = 43,
  kAudioUnitProperty_HotMapParameterMIDIMapping = 44,  // any; AUParameterMIDIMapping; read/write
  kAudioUnitProperty_DependentParameters = 45,  // any; array of AUDependentParameter; read
  kAudioUnitProperty_AUHostIdentifier = 46,  // Global; AUHostVersionIdentifier; write
  kAudioUnitProperty_MIDIOutputCallbackInfo = 47,  // Global; CFArrayRef; read
  kAudioUnitProperty_MIDIOutputCallback = 48,  // Global; AUMIDIOutputCallbackStruct; write
  // Global; AUInputSamplesInOutputCallbackStruct; read/write
  kAudioUnitProperty_InputSamplesInOutput = 49,
  kAudioUnitProperty_ClassInfoFromDocument = 50,  // Global; CFDictionary; read/write
  kAudioUnitProperty_ShouldAllocateBuffer = 51,  // input/output elements; UInt32; read/write
  // input/output elements; AudioUnitFrequencyResponseBin; read
  kAudioUnitProperty_FrequencyResponse = 52,
  kAudioUnitProperty_ParameterHistoryInfo = 53,  // Global; AudioUnitParameterHistoryInfo; read
  kAudioUnitProperty_NickName = 54,  // Global; CFStringRef; read/write
  // Global; block: void (^)(AUViewControllerBase *); write
  kAudioUnitProperty_RequestViewController = 56,
  kAudioUnitProperty_ParametersForOverview = 57,  // Global; array of AudioUnitParameter; read
  kAudioUnitProperty_SupportsMPE = 58,  // Global; UInt32; read
  kAudioUnitProperty_RenderContextObserver = 60,  // Global; AURenderContextObserver; read
  kAudioUnitProperty_LastRenderSampleTime = 61,  // Global; Float64; read
  kAudioUnitProperty_LoadedOutOfProcess = 62,  // Global; UInt32; read
  kAudioUnitProperty_MIDIOutputEventListCallback = 63,  // Global; AUMIDIEventListBlock; write
  kAudioUnitProperty_AudioUnitMIDIProtocol = 64,  // Global; SInt32; read
  kAudioUnitProperty_HostMIDIProtocol = 65,  // Global; SInt32; write
  kAudioUnitProperty_MIDIOutputBufferSizeHint = 66,  // Global; UInt32; read/write
};

// Units that are other programs. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  // Global; AudioUnitRemoteControlEventListener; read/write
  kAudioUnitProperty_RemoteControlEventListener = 100,
  kAudioUnitProperty_IsInterAppConnected = 101,  // Global; UInt32 (0-1); read
  kAudioUnitProperty_PeerURL = 102,              // Global; CFURLRef; read
};

// Units played by notes. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kMusicDeviceProperty_InstrumentCount = 1000,        // Global; UInt32; read
  kMusicDeviceProperty_InstrumentName = 1001,         // Global; CFStringRef; read
  kMusicDeviceProperty_GroupOutputBus = 1002,         // Group; UInt32, obsolete; read/write
  kMusicDeviceProperty_SoundBankFSSpec = 1003,        // Global; obsolete
  kMusicDeviceProperty_InstrumentNumber = 1004,       // Global; UInt32; read
  kAudioUnitProperty_UsesInternalReverb = 1005,       // Global; UInt32; read/write
  kMusicDeviceProperty_UsesInternalReverb = 1005,     // Global; UInt32; read/write
  kMusicDeviceProperty_MIDIXMLNames = 1006,           // Global; CFURLRef; read
  kMusicDeviceProperty_BankName = 1007,               // Global; CFStringRef; read
  kMusicDeviceProperty_SoundBankData = 1008,          // Global; pointer to DLS/SF2 bytes; write
  kMusicDeviceProperty_PartGroup = 1010,              // Part; AudioUnitElement; read/write
  kMusicDeviceProperty_StreamFromDisk = 1011,         // Global; UInt32; read/write
  kMusicDeviceProperty_SoundBankFSRef = 1012,         // Global; FSRef; write
  kMusicDeviceProperty_DualSchedulingMode = 1013,     // Global; UInt32; write
  kMusicDeviceProperty_SupportsStartStopNote = 1014,  // Global; UInt32; read
  kMusicDeviceProperty_SoundBankURL = 1100,           // Global; CFURLRef; read
};

// Units with a clock. Element 0 is the way out, element 1 the way in. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAudioOutputUnitProperty_CurrentDevice = 2000,  // Global; AudioObjectID; read/write
  kAudioOutputUnitProperty_IsRunning = 2001,  // Global; UInt32; read
  kAudioOutputUnitProperty_ChannelMap = 2002,  // Input/Output; Array of SInt32; read/write
  kAudioOutputUnitProperty_EnableIO = 2003,  // Output el.0 / Input el.1; UInt32; read/write
  kAudioOutputUnitProperty_StartTime = 2004,  // Global; AudioOutputUnitStartAtTimeParams; write
  kAudioOutputUnitProperty_SetInputCallback = 2005,  // Global; AURenderCallbackStruct; read/write
  kAudioOutputUnitProperty_HasIO = 2006,  // Output el.0 / Input el.1; UInt32; read
  kAudioOutputUnitProperty_StartTimestampsAtZero = 2007,  // Global; UInt32; read/write
  // Global; AudioOutputUnitMIDICallbacks; read/write
  kAudioOutputUnitProperty_MIDICallbacks = 2010,
  kAudioOutputUnitProperty_HostReceivesRemoteControlEvents = 2011,  // Global; UInt32; read
  // Global; AudioUnitRemoteControlEvent; write
  kAudioOutputUnitProperty_RemoteControlToHost = 2012,
  // Global; UInt32 (dummy, always 0); listen only
  kAudioOutputUnitProperty_HostTransportState = 2013,
  // Global; AudioComponentDescription; read
  kAudioOutputUnitProperty_NodeComponentDescription = 2014,
  kAudioOutputUnitProperty_OSWorkgroup = 2015,  // Global; os_workgroup_t; read
};

// Voice processing on the way in and out. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAUVoiceIOProperty_BypassVoiceProcessing = 2100,     // Global; UInt32; read/write
  kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101,  // Global; UInt32; read/write
  kAUVoiceIOProperty_VoiceProcessingQuality = 2103,    // Global; UInt32; read/write
  kAUVoiceIOProperty_MuteOutput = 2104,                // Global; UInt32; read/write
  // Global; AUVoiceIOMutedSpeechActivityEventListener; write
  kAUVoiceIOProperty_MutedSpeechActivityEventListener = 2106,
  // Global; AUVoiceIOOtherAudioDuckingConfiguration; read/write
  kAUVoiceIOProperty_OtherAudioDuckingConfiguration = 2108,
};

// N-band equalizer. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAUNBandEQProperty_NumberOfBands = 2200,       // Global; UInt32; read/write
  kAUNBandEQProperty_MaxNumberOfBands = 2201,    // Global; UInt32; read
  kAUNBandEQProperty_BiquadCoefficients = 2203,  // Global; array of Float64; read
};

// Mixers, spatial mixers, and converters of sample rate. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAudioUnitProperty_SpatializationAlgorithm = 3000,  // Input; UInt32; read/write
  kAudioUnitProperty_SpeakerConfiguration = 3001,  // Global; UInt32, obsolete; read/write
  kAudioUnitProperty_DopplerShift = 3002,  // Input; UInt32; write
  kAudioUnitProperty_3DMixerRenderingFlags = 3003,  // Input; UInt32; read/write
  kAudioUnitProperty_SpatialMixerRenderingFlags = 3003,  // Input; UInt32; read/write
  kAudioUnitProperty_3DMixerDistanceAtten = 3004,  // Input; obsolete
  kAudioUnitProperty_SpatialMixerSourceMode = 3005,  // Input; UInt32; read/write
  kAudioUnitProperty_MatrixLevels = 3006,  // Global; Float32 array; read/write
  kAudioUnitProperty_MeteringMode = 3007,  // any; UInt32; read/write
  kAudioUnitProperty_PannerMode = 3008,  // Global; obsolete
  kAudioUnitProperty_MatrixDimensions = 3009,  // Global; 2 x UInt32; read
  kAudioUnitProperty_3DMixerDistanceParams = 3010,  // Input; MixerDistanceParams; read/write
  kAudioUnitProperty_SpatialMixerDistanceParams = 3010,  // Input; MixerDistanceParams; read/write
  kAudioUnitProperty_MeterClipping = 3011,  // Global; AudioUnitMeterClipping; read
  kAudioUnitProperty_ReverbPreset = 3012,  // Global; write
  kAudioUnitProperty_3DMixerAttenuationCurve = 3013,  // Input; UInt32; read/write
  kAudioUnitProperty_SpatialMixerAttenuationCurve = 3013,  // Input; UInt32; read/write
  kAudioUnitProperty_SampleRateConverterComplexity = 3014,  // Global; UInt32; read/write
  kAudioUnitProperty_InputAnchorTimeStamp = 3016,  // Input; AudioTimeStamp; read/write
  kAudioUnitProperty_SpatialMixerOutputType = 3100,  // Global; UInt32; read/write
  kAudioUnitProperty_SpatialMixerPointSourceInHeadMode = 3103,  // Input; UInt32; read/write
  kAudioUnitProperty_SpatialMixerEnableHeadTracking = 3111,  // Global; UInt32; read/write
  kAudioUnitProperty_SpatialMixerPersonalizedHRTFMode = 3113,  // Global; UInt32; read/write
  kAudioUnitProperty_SpatialMixerAnyInputIsUsingPersonalizedHRTF = 3116,  // Global; UInt32; read
  kAudioUnitProperty_DistanceAttenuationData = 3600,  // Global; AUDistanceAttenuationData; read
};

// Units that see a file as a whole. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  // Global; same as OfflineProperty_InputSize; read/write
  kAudioOfflineUnitProperty_InputSize = 3020,
  kAudioUnitOfflineProperty_InputSize = 3020,  // Global; UInt64; read/write
  kAudioOfflineUnitProperty_OutputSize = 3021,  // Global; same as OfflineProperty_OutputSize; read
  kAudioUnitOfflineProperty_OutputSize = 3021,  // Global; UInt64; read
  kAudioUnitOfflineProperty_StartOffset = 3022,  // Global; UInt64; read/write
  kAudioUnitOfflineProperty_PreflightRequirements = 3023,  // Global; UInt32; read
  kAudioUnitOfflineProperty_PreflightName = 3024,  // Global; CFStringRef; read
};

// Scheduled players, the deferred renderer, speech. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAudioUnitProperty_ScheduleAudioSlice = 3300,  // Global; ScheduledAudioSlice; write
  // Global; AudioTimeStamp (sample time -1 or host time 0 = now); write
  kAudioUnitProperty_ScheduleStartTimeStamp = 3301,
  // Global; AudioTimeStamp (sample time -1 = not started); read
  kAudioUnitProperty_CurrentPlayTime = 3302,
  kAudioUnitProperty_ScheduledFileIDs = 3310,  // Global; array of AudioFileID; read/write
  kAudioUnitProperty_ScheduledFileRegion = 3311,  // Global; ScheduledAudioFileRegion; write
  kAudioUnitProperty_ScheduledFilePrime = 3312,  // Global; UInt32 (0 = default); write
  kAudioUnitProperty_ScheduledFileBufferSizeFrames = 3313,  // Global; UInt32; read/write
  kAudioUnitProperty_ScheduledFileNumberBuffers = 3314,  // Global; UInt32; read/write
  kAudioUnitProperty_DeferredRendererPullSize = 3320,  // Global; UInt32; read/write
  kAudioUnitProperty_DeferredRendererExtraLatency = 3321,  // Global; UInt32; read/write
  kAudioUnitProperty_DeferredRendererWaitFrames = 3322,  // Global; UInt32; read/write
  kAudioUnitProperty_Voice = 3330,  // Global; VoiceSpec; read/write
  kAudioUnitProperty_SpeechChannel = 3331,  // Global; SpeechChannel; read
};

// Net send and receive. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAUNetReceiveProperty_Hostname = 3511,  // Global; CFStringRef; read/write
  kAUNetReceiveProperty_Password = 3512,  // Global; CFStringRef; read/write
  kAUNetSendProperty_PortNum = 3513,  // Global; UInt32; read/write
  kAUNetSendProperty_TransmissionFormat = 3514,  // Global; AudioStreamBasicDescription; read/write
  kAUNetSendProperty_TransmissionFormatIndex = 3515,  // Global; UInt32; read/write
  kAUNetSendProperty_ServiceName = 3516,  // Global; CFStringRef; read/write
  kAUNetSendProperty_Disconnect = 3517,  // Global; UInt32; read/write
  kAUNetSendProperty_Password = 3518,  // Global; CFStringRef; read/write
};

// State of plug-ins of other kinds. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAudioUnitMigrateProperty_FromPlugin = 4000,  // Global; CFArray of AudioUnitOtherPluginDesc; read
  // Global; AudioUnitParameterValueTranslation; read/write
  kAudioUnitMigrateProperty_OldAutomation = 4001,
};

// Samplers. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAUSamplerProperty_BankAndPreset = 4100,       // Global; AUSamplerBankPresetData, obsolete; write
  kAUSamplerProperty_LoadPresetFromBank = 4100,  // Global; AUSamplerBankPresetData, obsolete; write
  kAUSamplerProperty_LoadAudioFiles = 4101,      // Global; CFArrayRef; write
  kAUSamplerProperty_LoadInstrument = 4102,      // Global; AUSamplerInstrumentData; write
  kAUMIDISynthProperty_EnablePreload = 4119,     // Global; UInt32; write
};


// ---- Keys of a ClassInfo dictionary: a unit's state, as an .aupreset file holds it.

#define kAUPresetVersionKey "version"              // number, 0
#define kAUPresetTypeKey "type"                    // number
#define kAUPresetSubtypeKey "subtype"              // number
#define kAUPresetManufacturerKey "manufacturer"    // number
#define kAUPresetDataKey "data"                    // data: parameters, big-endian
#define kAUPresetNameKey "name"                    // string
#define kAUPresetNumberKey "preset-number"         // number
#define kAUPresetRenderQualityKey "render-quality" // number
#define kAUPresetCPULoadKey "cpu-load"             // number
#define kAUPresetElementNameKey "element-name"     // dictionary: scope, then element, then string
#define kAUPresetExternalFileRefs "file-references"  // dictionary of paths
#define kAUPresetPartKey "part"                    // only in the state of a part
#define kAUPresetVSTDataKey "vstdata"              // data
#define kAUPresetVSTPresetKey "vstpreset"          // data
#define kAUPresetMASDataKey "masdata"              // data

// ---- Values of properties: busses, callbacks, channels.

// MakeConnection. A NULL source takes the connection away.
typedef struct AudioUnitConnection {
  AudioUnit sourceAudioUnit;
  UInt32 sourceOutputNumber;
  UInt32 destInputNumber;
} AudioUnitConnection;

// SupportedNumChannels: an array of these. Not negative: so many channels. -1 and -1: any number,
// the same on both sides. -1 and -2: any numbers. Less than -2: so many over all busses of the
// scope.
typedef struct AUChannelInfo {
  SInt16 inChannels;
  SInt16 outChannels;
} AUChannelInfo;

// SetExternalBuffer.
typedef struct AudioUnitExternalBuffer {
  Byte *buffer;
  UInt32 size;
} AudioUnitExternalBuffer;

// SetRenderCallback. A NULL procedure takes the callback away.
typedef struct AURenderCallbackStruct {
  AURenderCallback inputProc;
  void *inputProcRefCon;
} AURenderCallbackStruct;

// FactoryPresets (an array of these), PresentPreset. Factory presets count from 0; -1 is the
// user's.
typedef struct AUPreset {
  SInt32 presetNumber;
  CFStringRef presetName;
} AUPreset;

// FrequencyResponse.
typedef struct AudioUnitFrequencyResponseBin {
  Float64 mFrequency;
  Float64 mMagnitude;
} AudioUnitFrequencyResponseBin;

// Bins of FrequencyResponse.
AURICLE_ENUM(UInt32) {
  kNumberOfResponseFrequencies = 1024,
};

// Values of RenderQuality.
AURICLE_ENUM(UInt32) {
  kRenderQuality_Max = 127,
  kRenderQuality_High = 96,
  kRenderQuality_Medium = 64,
  kRenderQuality_Low = 32,
  kRenderQuality_Min = 0,
};

// AUHostIdentifier.
typedef struct AUHostVersionIdentifier {
  CFStringRef hostName;
  UInt32 hostVersion;
} AUHostVersionIdentifier;

// CocoaUI: one class name or more.
typedef struct AudioUnitCocoaViewInfo {
  CFURLRef mCocoaAUViewBundleLocation;
  CFStringRef mCocoaAUViewClass[1];
} AudioUnitCocoaViewInfo;

// DependentParameters.
typedef struct AUDependentParameter {
  AudioUnitScope mScope;
  AudioUnitParameterID mParameterID;
} AUDependentParameter;

// InputSamplesInOutput.
typedef struct AUInputSamplesInOutputCallbackStruct {
  AUInputSamplesInOutputCallback inputToOutputCallback;
  void *userData;
} AUInputSamplesInOutputCallbackStruct;

// ---- Values of properties: what a host tells of its song.

// Any pointer given to one of these may be NULL, and any of the procedures may be.

typedef OSStatus (*HostCallback_GetBeatAndTempo)(
    void *hostUserData, Float64 *currentBeat, Float64 *currentTempo);
typedef OSStatus (*HostCallback_GetMusicalTimeLocation)(
    void *hostUserData, UInt32 *deltaSampleOffsetToNextBeat, Float32 *timeSignatureNumerator,
    UInt32 *timeSignatureDenominator, Float64 *currentMeasureDownBeat);
typedef OSStatus (*HostCallback_GetTransportState)(
    void *hostUserData, Boolean *isPlaying, Boolean *transportStateChanged,
    Float64 *currentSampleInTimeLine, Boolean *isCycling, Float64 *cycleStartBeat,
    Float64 *cycleEndBeat);
typedef OSStatus (*HostCallback_GetTransportState2)(
    void *hostUserData, Boolean *isPlaying, Boolean *isRecording, Boolean *transportStateChanged,
    Float64 *currentSampleInTimeLine, Boolean *isCycling, Float64 *cycleStartBeat,
    Float64 *cycleEndBeat);

// HostCallbacks. Older hosts give it without the last pointer, 8 bytes shorter.
typedef struct HostCallbackInfo {
  void *hostUserData;
  HostCallback_GetBeatAndTempo beatAndTempoProc;
  HostCallback_GetMusicalTimeLocation musicalTimeLocationProc;
  HostCallback_GetTransportState transportStateProc;
  HostCallback_GetTransportState2 transportStateProc2;
} HostCallbackInfo;

// ---- Values of properties: parameters.

// What a parameter is measured in.
AURICLE_ENUM(AudioUnitParameterUnit) {
  kAudioUnitParameterUnit_Generic = 0,               // no unit; between minimum and maximum
  kAudioUnitParameterUnit_Indexed = 1,               // a choice by number
  kAudioUnitParameterUnit_Boolean = 2,               // 0 or 1
  kAudioUnitParameterUnit_Percent = 3,               // %
  kAudioUnitParameterUnit_Seconds = 4,               // s
  kAudioUnitParameterUnit_SampleFrames = 5,          // frames
  kAudioUnitParameterUnit_Phase = 6,                 // degrees, -180 to 180
  kAudioUnitParameterUnit_Rate = 7,                  // a factor of speed
  kAudioUnitParameterUnit_Hertz = 8,                 // Hz
  kAudioUnitParameterUnit_Cents = 9,                 // hundredths of a semitone
  kAudioUnitParameterUnit_RelativeSemiTones = 10,    // semitones
  kAudioUnitParameterUnit_MIDINoteNumber = 11,       // 0 to 127
  kAudioUnitParameterUnit_MIDIController = 12,       // 0 to 127
  kAudioUnitParameterUnit_Decibels = 13,             // dB
  kAudioUnitParameterUnit_LinearGain = 14,           // a factor
  kAudioUnitParameterUnit_Degrees = 15,              // degrees
  kAudioUnitParameterUnit_EqualPowerCrossfade = 16,  // 0 to 100, mixed at constant power
  kAudioUnitParameterUnit_MixerFaderCurve1 = 17,     // 0 to 1, a fader's curve
  kAudioUnitParameterUnit_Pan = 18,                  // -1 left to 1 right
  kAudioUnitParameterUnit_Meters = 19,               // m
  kAudioUnitParameterUnit_AbsoluteCents = 20,        // hundredths of a semitone above MIDI note 0
  kAudioUnitParameterUnit_Octaves = 21,              // octaves
  kAudioUnitParameterUnit_BPM = 22,                  // beats a minute
  kAudioUnitParameterUnit_Beats = 23,                // beats
  kAudioUnitParameterUnit_Milliseconds = 24,         // ms
  kAudioUnitParameterUnit_Ratio = 25,                // a ratio
  kAudioUnitParameterUnit_CustomUnit = 26,           // unitName says
  kAudioUnitParameterUnit_MIDI2Controller = 27,      // 0 to 2^32 - 1
};

// Flags of a parameter. The curves are values of the bits under DisplayMask, not bits.
AURICLE_ENUM(AudioUnitParameterOptions) {
  kAudioUnitParameterFlag_CFNameRelease = 0x00000010,       // the reader releases cfNameString
  kAudioUnitParameterFlag_OmitFromPresets = 0x00002000,     // not saved
  kAudioUnitParameterFlag_PlotHistory = 0x00004000,         // its past is worth drawing
  kAudioUnitParameterFlag_MeterReadOnly = 0x00008000,       // a meter
  kAudioUnitParameterFlag_DisplayMask = 0x00470000,         // the bits that choose a curve
  kAudioUnitParameterFlag_DisplaySquareRoot = 0x00010000,   // curve
  kAudioUnitParameterFlag_DisplaySquared = 0x00020000,      // curve
  kAudioUnitParameterFlag_DisplayCubed = 0x00030000,        // curve
  kAudioUnitParameterFlag_DisplayCubeRoot = 0x00040000,     // curve
  kAudioUnitParameterFlag_DisplayExponential = 0x00050000,  // curve
  kAudioUnitParameterFlag_HasClump = 0x00100000,            // clumpID holds a group
  // ParameterValueStrings, or strings from values, exist
  kAudioUnitParameterFlag_ValuesHaveStrings = 0x00200000,
  kAudioUnitParameterFlag_DisplayLogarithmic = 0x00400000,  // curve
  kAudioUnitParameterFlag_IsHighResolution = 0x00800000,    // fine steps
  kAudioUnitParameterFlag_NonRealTime = 0x01000000,         // not to be changed while rendering
  kAudioUnitParameterFlag_CanRamp = 0x02000000,             // takes ramped events
  kAudioUnitParameterFlag_ExpertMode = 0x04000000,          // not for everybody's eyes
  kAudioUnitParameterFlag_HasCFNameString = 0x08000000,     // cfNameString holds the name
  kAudioUnitParameterFlag_IsGlobalMeta = 0x10000000,        // changes parameters of any element
  kAudioUnitParameterFlag_IsElementMeta = 0x20000000,       // changes parameters of its element
  kAudioUnitParameterFlag_IsReadable = 0x40000000,          // can be read
  kAudioUnitParameterFlag_HasName = 0x00200000,             // older name
};
#define kAudioUnitParameterFlag_IsWritable ((AudioUnitParameterOptions)0x80000000u)  // can be set

AURICLE_ENUM(UInt32) {
  kAudioUnitClumpID_System = 0,  // reserved: no group
};

AURICLE_ENUM(SInt32) {
  kAudioUnitParameterName_Full = -1,  // inDesiredLength: the whole name
};

// ParameterInfo.
typedef struct AudioUnitParameterInfo {
  char name[52];            // UTF-8; for readers that see no HasCFNameString
  CFStringRef unitName;     // with kAudioUnitParameterUnit_CustomUnit
  UInt32 clumpID;           // with kAudioUnitParameterFlag_HasClump
  CFStringRef cfNameString; // with kAudioUnitParameterFlag_HasCFNameString
  AudioUnitParameterUnit unit;
  AudioUnitParameterValue minValue;
  AudioUnitParameterValue maxValue;
  AudioUnitParameterValue defaultValue;
  AudioUnitParameterOptions flags;
} AudioUnitParameterInfo;

// ParameterIDName and ParameterClumpName: in the id and the length wished for, out the name.
typedef struct AudioUnitParameterNameInfo {
  AudioUnitParameterID inID;
  SInt32 inDesiredLength;
  CFStringRef outName;
} AudioUnitParameterNameInfo;
typedef AudioUnitParameterNameInfo AudioUnitParameterIDName;

// ParameterStringFromValue. A NULL value means the present one.
typedef struct AudioUnitParameterStringFromValue {
  AudioUnitParameterID inParamID;
  const AudioUnitParameterValue *inValue;
  CFStringRef outString;
} AudioUnitParameterStringFromValue;

// ParameterValueFromString.
typedef struct AudioUnitParameterValueFromString {
  AudioUnitParameterID inParamID;
  CFStringRef inString;
  AudioUnitParameterValue outValue;
} AudioUnitParameterValueFromString;

// ParameterHistoryInfo.
typedef struct AudioUnitParameterHistoryInfo {
  Float32 updatesPerSecond;
  Float32 historyDurationInSeconds;
} AudioUnitParameterHistoryInfo;

// ---- Values of properties: MIDI.

// How a MIDI message moves a parameter.
AURICLE_ENUM(AUParameterMIDIMappingFlags) {
  kAUParameterMIDIMapping_AnyChannelFlag = 1,
  kAUParameterMIDIMapping_AnyNoteFlag = 2,
  kAUParameterMIDIMapping_SubRange = 4,
  kAUParameterMIDIMapping_Toggle = 8,
  kAUParameterMIDIMapping_Bipolar = 16,
  kAUParameterMIDIMapping_Bipolar_On = 32,
};

// Which MIDI message moves which parameter, over which part of its range.
typedef struct AUParameterMIDIMapping {
  AudioUnitScope mScope;
  AudioUnitElement mElement;
  AudioUnitParameterID mParameterID;
  AUParameterMIDIMappingFlags mFlags;
  AudioUnitParameterValue mSubRangeMin;
  AudioUnitParameterValue mSubRangeMax;
  UInt8 mStatus;
  UInt8 mData1;
  UInt8 reserved1;
  UInt8 reserved2;
  UInt32 reserved3;
} AUParameterMIDIMapping;

// MIDI that a unit sends, on one of the outputs of MIDIOutputCallbackInfo. Render thread.
typedef OSStatus (*AUMIDIOutputCallback)(
    void *userData, const AudioTimeStamp *timeStamp, UInt32 midiOutput,
    const struct MIDIPacketList *packets);

typedef struct AUMIDIOutputCallbackStruct {
  AUMIDIOutputCallback midiOutputCallback;
  void *userData;
} AUMIDIOutputCallbackStruct;

#if defined(__BLOCKS__) && !defined(__swift__)
typedef OSStatus (^AUMIDIEventListBlock)(
    AUEventSampleTime eventSampleTime, UInt8 cable, const struct MIDIEventList *events);
#endif

// Parts of a MIDI event's offset in dual scheduling mode.
AURICLE_ENUM(UInt32) {
  kMusicDeviceSampleFrameMask_SampleOffset = 16777215,
  kMusicDeviceSampleFrameMask_IsScheduled = 16777216,
};

// ---- Values of properties: output units.

// MIDICallbacks: MIDI that comes in with the audio.
typedef struct AudioOutputUnitMIDICallbacks {
  void *userData;
  void (*MIDIEventProc)(
      void *userData, UInt32 status, UInt32 data1, UInt32 data2, UInt32 offsetSampleFrame);
  void (*MIDISysExProc)(void *userData, const UInt8 *data, UInt32 length);
} AudioOutputUnitMIDICallbacks;

// StartTime.
typedef struct AudioOutputUnitStartAtTimeParams {
  AudioTimeStamp mTimestamp;
  UInt32 mFlags;
} AudioOutputUnitStartAtTimeParams;

// ---- Values of properties: mixers and rooms.

// Values of SampleRateConverterComplexity.
AURICLE_ENUM(UInt32) {
  kAudioUnitSampleRateConverterComplexity_Linear = 0x6c696e65,     // 'line'
  kAudioUnitSampleRateConverterComplexity_Normal = 0x6e6f726d,     // 'norm'
  kAudioUnitSampleRateConverterComplexity_Mastering = 0x62617473,  // 'bats'
};

// Values of ReverbRoomType.
AURICLE_ENUM(UInt32) {
  kReverbRoomType_SmallRoom = 0,
  kReverbRoomType_MediumRoom = 1,
  kReverbRoomType_LargeRoom = 2,
  kReverbRoomType_MediumHall = 3,
  kReverbRoomType_LargeHall = 4,
  kReverbRoomType_Plate = 5,
  kReverbRoomType_MediumChamber = 6,
  kReverbRoomType_LargeChamber = 7,
  kReverbRoomType_Cathedral = 8,
  kReverbRoomType_LargeRoom2 = 9,
  kReverbRoomType_MediumHall2 = 10,
  kReverbRoomType_MediumHall3 = 11,
  kReverbRoomType_LargeHall2 = 12,
};

// Values of SpatializationAlgorithm.
AURICLE_ENUM(UInt32) {
  kSpatializationAlgorithm_EqualPowerPanning = 0,
  kSpatializationAlgorithm_SphericalHead = 1,
  kSpatializationAlgorithm_HRTF = 2,
  kSpatializationAlgorithm_SoundField = 3,
  kSpatializationAlgorithm_VectorBasedPanning = 4,
  kSpatializationAlgorithm_StereoPassThrough = 5,
  kSpatializationAlgorithm_HRTFHQ = 6,
  kSpatializationAlgorithm_UseOutputType = 7,
};

// Values of SpatialMixerSourceMode.
AURICLE_ENUM(UInt32) {
  kSpatialMixerSourceMode_SpatializeIfMono = 0,
  kSpatialMixerSourceMode_Bypass = 1,
  kSpatialMixerSourceMode_PointSource = 2,
  kSpatialMixerSourceMode_AmbienceBed = 3,
};

// Values of SpatialMixerAttenuationCurve.
AURICLE_ENUM(UInt32) {
  kSpatialMixerAttenuationCurve_Power = 0,
  kSpatialMixerAttenuationCurve_Exponential = 1,
  kSpatialMixerAttenuationCurve_Inverse = 2,
  kSpatialMixerAttenuationCurve_Linear = 3,
};

// Bits of SpatialMixerRenderingFlags.
AURICLE_ENUM(UInt32) {
  kSpatialMixerRenderingFlags_InterAuralDelay = 1,
  kSpatialMixerRenderingFlags_DistanceAttenuation = 4,
};

// Values of SpatialMixerOutputType.
AURICLE_ENUM(UInt32) {
  kSpatialMixerOutputType_Headphones = 1,
  kSpatialMixerOutputType_BuiltInSpeakers = 2,
  kSpatialMixerOutputType_ExternalSpeakers = 3,
};

// Values of SpatialMixerPointSourceInHeadMode.
AURICLE_ENUM(UInt32) {
  kSpatialMixerPointSourceInHeadMode_Mono = 0,
  kSpatialMixerPointSourceInHeadMode_Bypass = 1,
};

// Values of SpatialMixerPersonalizedHRTFMode.
AURICLE_ENUM(UInt32) {
  kSpatialMixerPersonalizedHRTFMode_Off = 0,
  kSpatialMixerPersonalizedHRTFMode_On = 1,
  kSpatialMixerPersonalizedHRTFMode_Auto = 2,
};

// Bits of 3DMixerRenderingFlags.
AURICLE_ENUM(UInt32) {
  k3DMixerRenderingFlags_InterAuralDelay = 1,
  k3DMixerRenderingFlags_DopplerShift = 2,
  k3DMixerRenderingFlags_DistanceAttenuation = 4,
  k3DMixerRenderingFlags_DistanceFilter = 8,
  k3DMixerRenderingFlags_DistanceDiffusion = 16,
  k3DMixerRenderingFlags_LinearDistanceAttenuation = 32,
  k3DMixerRenderingFlags_ConstantReverbBlend = 64,
};

// Values of 3DMixerAttenuationCurve.
AURICLE_ENUM(UInt32) {
  k3DMixerAttenuationCurve_Power = 0,
  k3DMixerAttenuationCurve_Exponential = 1,
  k3DMixerAttenuationCurve_Inverse = 2,
  k3DMixerAttenuationCurve_Linear = 3,
};

// MeterClipping.
typedef struct AudioUnitMeterClipping {
  Float32 peakValueSinceLastCall;
  Boolean sawInfinity;
  Boolean sawNotANumber;
} AudioUnitMeterClipping;

// SpatialMixerDistanceParams.
typedef struct MixerDistanceParams {
  Float32 mReferenceDistance;
  Float32 mMaxDistance;
  Float32 mMaxAttenuation;
} MixerDistanceParams;

// DistanceAttenuationData: a curve by points.
typedef struct AUDistanceAttenuationData {
  UInt32 inNumberOfPairs;
  struct AUDistanceAttenuationPair {
    Float32 inDistance;
    Float32 outGain;
  } pairs[1];
} AUDistanceAttenuationData;

// ---- Values of properties: offline units and players.

// Values of PreflightRequirements.
AURICLE_ENUM(UInt32) {
  kOfflinePreflight_NotRequired = 0,
  kOfflinePreflight_Optional = 1,
  kOfflinePreflight_Required = 2,
};

// State of a scheduled slice, and how it wants to be played.
AURICLE_ENUM(AUScheduledAudioSliceFlags) {
  kScheduledAudioSliceFlag_Complete = 1,
  kScheduledAudioSliceFlag_BeganToRender = 2,
  kScheduledAudioSliceFlag_BeganToRenderLate = 4,
  kScheduledAudioSliceFlag_Loop = 8,
  kScheduledAudioSliceFlag_Interrupt = 16,
  kScheduledAudioSliceFlag_InterruptAtLoop = 32,
};

typedef struct ScheduledAudioSlice ScheduledAudioSlice;
typedef struct ScheduledAudioFileRegion ScheduledAudioFileRegion;

typedef void (*ScheduledAudioSliceCompletionProc)(void *userData, ScheduledAudioSlice *slice);
typedef void (*ScheduledAudioFileRegionCompletionProc)(
    void *userData, ScheduledAudioFileRegion *region, OSStatus status);

// ScheduleAudioSlice: buffers to play at a time. They stay the caller's until the slice is
// complete.
struct ScheduledAudioSlice {
  AudioTimeStamp mTimeStamp;
  ScheduledAudioSliceCompletionProc mCompletionProc;
  void *mCompletionProcUserData;
  AUScheduledAudioSliceFlags mFlags;
  UInt32 mReserved;
  void *mReserved2;
  UInt32 mNumberFrames;
  AudioBufferList *mBufferList;
};

// ScheduledFileRegion: part of a file to play at a time.
struct ScheduledAudioFileRegion {
  AudioTimeStamp mTimeStamp;
  ScheduledAudioFileRegionCompletionProc mCompletionProc;
  void *mCompletionProcUserData;
  struct OpaqueAudioFileID *mAudioFile;
  UInt32 mLoopCount;
  SInt64 mStartFrame;     // of the file
  UInt32 mFramesToPlay;   // the highest number: to the end
};

// ---- Values of properties: instruments and others.

// What an instrument is loaded from.
AURICLE_ENUM(UInt8) {
  kInstrumentType_DLSPreset = 1,
  kInstrumentType_SF2Preset = 1,
  kInstrumentType_AUPreset = 2,
  kInstrumentType_Audiofile = 3,
  kInstrumentType_EXS24 = 4,
};

// Banks of a sampler.
AURICLE_ENUM(UInt8) {
  kAUSampler_DefaultPercussionBankMSB = 120,
  kAUSampler_DefaultMelodicBankMSB = 121,
  kAUSampler_DefaultBankLSB = 0,
};

// LoadInstrument.
typedef struct AUSamplerInstrumentData {
  CFURLRef fileURL;
  UInt8 instrumentType;
  UInt8 bankMSB;
  UInt8 bankLSB;
  UInt8 presetID;
} AUSamplerInstrumentData;

// LoadPresetFromBank.
typedef struct AUSamplerBankPresetData {
  CFURLRef bankURL;
  UInt8 bankMSB;
  UInt8 bankLSB;
  UInt8 presetID;
  UInt8 reserved;
} AUSamplerBankPresetData;

// Transmission formats by index.
AURICLE_ENUM(UInt32) {
  kAUNetSendPresetFormat_PCMFloat32 = 0,
  kAUNetSendPresetFormat_PCMInt24 = 1,
  kAUNetSendPresetFormat_PCMInt16 = 2,
  kAUNetSendPresetFormat_Lossless24 = 3,
  kAUNetSendPresetFormat_Lossless16 = 4,
  kAUNetSendPresetFormat_ULaw = 5,
  kAUNetSendPresetFormat_IMA4 = 6,
  kAUNetSendPresetFormat_AAC_128kbpspc = 7,
  kAUNetSendPresetFormat_AAC_96kbpspc = 8,
  kAUNetSendPresetFormat_AAC_80kbpspc = 9,
  kAUNetSendPresetFormat_AAC_64kbpspc = 10,
  kAUNetSendPresetFormat_AAC_48kbpspc = 11,
  kAUNetSendPresetFormat_AAC_40kbpspc = 12,
  kAUNetSendPresetFormat_AAC_32kbpspc = 13,
  kAUNetSendPresetFormat_AAC_LD_64kbpspc = 14,
  kAUNetSendPresetFormat_AAC_LD_48kbpspc = 15,
  kAUNetSendPresetFormat_AAC_LD_40kbpspc = 16,
  kAUNetSendPresetFormat_AAC_LD_32kbpspc = 17,
  kAUNetSendNumPresetFormats = 18,
};

// Kinds of plug-in whose state can be migrated.
AURICLE_ENUM(UInt32) {
  kOtherPluginFormat_Undefined = 0,
  kOtherPluginFormat_kMAS = 1,
  kOtherPluginFormat_kVST = 2,
  kOtherPluginFormat_AU = 3,
};

#endif
