// Values of properties: descriptions of parameters, and MIDI.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITPARAMETERPROPERTIES_H
#define AURICLE_AUDIOUNITPARAMETERPROPERTIES_H

#include "../CoreMIDI/MIDIServices.h"
#include "AUComponent.h"


typedef UInt32 AudioUnitParameterUnit;
typedef UInt32 AudioUnitParameterOptions;
typedef UInt32 AUParameterMIDIMappingFlags;

// The unit of measurement of a parameter.
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

// Flags of a parameter. The curves are values of the bits under DisplayMask, not bits. The first four
// repeat the scope; sources of before 10.3 set them, and nobody reads them.
AURICLE_ENUM(AudioUnitParameterOptions) {
  kAudioUnitParameterFlag_Global = 0x00000001,
  kAudioUnitParameterFlag_Input = 0x00000002,
  kAudioUnitParameterFlag_Output = 0x00000004,
  kAudioUnitParameterFlag_Group = 0x00000008,
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
  kAudioUnitParameterFlag_CanRamp = 0x02000000,             // accepts ramped events
  kAudioUnitParameterFlag_ExpertMode = 0x04000000,          // not for everybody's eyes
  kAudioUnitParameterFlag_HasCFNameString = 0x08000000,     // cfNameString holds the name
  kAudioUnitParameterFlag_IsGlobalMeta = 0x10000000,        // changes parameters of any element
  kAudioUnitParameterFlag_IsElementMeta = 0x20000000,       // changes parameters of its element
  kAudioUnitParameterFlag_IsReadable = 0x40000000,          // can be read
  kAudioUnitParameterFlag_HasName = 0x00200000,             // older name
};
#define kAudioUnitParameterFlag_IsWritable ((AudioUnitParameterOptions)0x80000000u)  // can be set

// A parameter's curve: the mask of its flags, the flags with another one, and the test for one.
#define GetAudioUnitParameterDisplayType(flags) ((flags) & kAudioUnitParameterFlag_DisplayMask)
#define SetAudioUnitParameterDisplayType(flags, displayType)                               \
  (((flags) & ~(AudioUnitParameterOptions)kAudioUnitParameterFlag_DisplayMask) | (displayType))
#define AudioUnitDisplayTypeIsLogarithmic(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayLogarithmic)
#define AudioUnitDisplayTypeIsSquareRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquareRoot)
#define AudioUnitDisplayTypeIsSquared(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplaySquared)
#define AudioUnitDisplayTypeIsCubed(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubed)
#define AudioUnitDisplayTypeIsCubeRoot(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayCubeRoot)
#define AudioUnitDisplayTypeIsExponential(flags) \
  (GetAudioUnitParameterDisplayType(flags) == kAudioUnitParameterFlag_DisplayExponential)

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

// The same, under its older name.
typedef struct AudioUnitParameterValueName {
  AudioUnitParameterID inParamID;
  const AudioUnitParameterValue *inValue;
  CFStringRef outName;
} AudioUnitParameterValueName;

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

// ---- MIDI.

// The effect of a MIDI message on a parameter.
AURICLE_ENUM(AUParameterMIDIMappingFlags) {
  kAUParameterMIDIMapping_AnyChannelFlag = 1,
  kAUParameterMIDIMapping_AnyNoteFlag = 2,
  kAUParameterMIDIMapping_SubRange = 4,
  kAUParameterMIDIMapping_Toggle = 8,
  kAUParameterMIDIMapping_Bipolar = 16,
  kAUParameterMIDIMapping_Bipolar_On = 32,
};

// The MIDI message that moves a parameter, with the part of its range.
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

#endif
