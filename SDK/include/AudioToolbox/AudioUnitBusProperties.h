// Values of properties: states, busses, callbacks, channels, a host's song, output units.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITBUSPROPERTIES_H
#define AURICLE_AUDIOUNITBUSPROPERTIES_H

#include "AUComponent.h"

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

// ---- Busses, callbacks, channels.

// MakeConnection. A NULL source removes the connection.
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

// SetRenderCallback. A NULL procedure removes the callback.
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

// The amount by which a voice unit attenuates the other sound of the machine.
typedef UInt32 AUVoiceIOOtherAudioDuckingLevel;
AURICLE_ENUM(AUVoiceIOOtherAudioDuckingLevel) {
  kAUVoiceIOOtherAudioDuckingLevelDefault = 0,
  kAUVoiceIOOtherAudioDuckingLevelMin = 10,
  kAUVoiceIOOtherAudioDuckingLevelMid = 20,
  kAUVoiceIOOtherAudioDuckingLevelMax = 30,
};

typedef struct AUVoiceIOOtherAudioDuckingConfiguration {
  Boolean mEnableAdvancedDucking;  // follows speech
  AUVoiceIOOtherAudioDuckingLevel mDuckingLevel;
} AUVoiceIOOtherAudioDuckingConfiguration;

// AUHostIdentifier.
typedef struct AUHostVersionIdentifier {
  CFStringRef hostName;
  UInt32 hostVersion;
} AUHostVersionIdentifier;

// The same in sources of before 10.6: the version in parts.
typedef struct AUNumVersion {
  UInt8 nonRelRev;
  UInt8 stage;
  UInt8 minorAndBugRev;
  UInt8 majorRev;
} AUNumVersion;
typedef struct AUHostIdentifier {
  CFStringRef hostName;
  AUNumVersion hostVersion;
} AUHostIdentifier;

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

// ---- A host's report on its song.

// Any pointer passed to one of these may be NULL, and any of the procedures may be.

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

// HostCallbacks. Older hosts pass it without the last pointer, 8 bytes shorter.
typedef struct HostCallbackInfo {
  void *hostUserData;
  HostCallback_GetBeatAndTempo beatAndTempoProc;
  HostCallback_GetMusicalTimeLocation musicalTimeLocationProc;
  HostCallback_GetTransportState transportStateProc;
  HostCallback_GetTransportState2 transportStateProc2;
} HostCallbackInfo;

// ---- Output units.

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

#endif
