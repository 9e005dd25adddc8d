// Scopes, and the numbers of the properties.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITPROPERTYIDS_H
#define AURICLE_AUDIOUNITPROPERTYIDS_H

#include "AUComponent.h"

// ---- Scopes.

// Numbers to 1024 are reserved for the interface.
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

// ---- Properties, by number. Numbers below 64000 are reserved for the interface.

// Every unit, or many kinds of unit. Scope; value; access.
AURICLE_ENUM(AudioUnitPropertyID) {
  kAudioUnitProperty_ClassInfo = 0,  // Global or Part; CFDictionaryRef; read/write
  kAudioUnitProperty_MakeConnection = 1,  // Input; AudioUnitConnection; write
  kAudioUnitProperty_SampleRate = 2,  // Input / Output; Float64; read/write
  kAudioUnitProperty_ParameterList = 3,  // any; AudioUnitParameterID; read
  // Any (element = parameter ID); AudioUnitParameterInfo; read
  kAudioUnitProperty_ParameterInfo = 4,
  kAudioUnitProperty_FastDispatch = 5,  // Global; void* (function pointer); read
  kAudioUnitProperty_CPULoad = 6,  // Global; Float64; read/write, a limit from 0 to 1
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

#endif
