// Values of properties: offline units, players, instruments, transmission.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITPLAYERPROPERTIES_H
#define AURICLE_AUDIOUNITPLAYERPROPERTIES_H

#include "../CoreAudioTypes/AudioFormats.h"
#include "AUComponent.h"

struct OpaqueAudioFileID;

typedef UInt32 AUScheduledAudioSliceFlags;

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

// ---- Instruments and others.

// The source from which an instrument is loaded.
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

// A plug-in of another kind, by its codes there.
typedef struct AudioUnitOtherPluginDesc {
  UInt32 format;
  AudioClassDescription plugin;
} AudioUnitOtherPluginDesc;

// A value of a parameter there, and the one that it is here.
typedef struct AudioUnitParameterValueTranslation {
  AudioUnitOtherPluginDesc otherDesc;
  UInt32 otherParamID;
  Float32 otherValue;
  AudioUnitParameterID auParamID;
  AudioUnitParameterValue auValue;
} AudioUnitParameterValueTranslation;

#endif
