// A clock in host time, samples, seconds, beats and time code at once, which other programs may follow and lead over MIDI.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREAUDIOCLOCK_H
#define AURICLE_COREAUDIOCLOCK_H

#include "../CoreAudioTypes/AudioTime.h"
#include "../CoreMIDI/MIDIServices.h"
#include "MusicPlayer.h"

struct OpaqueCAClock;
typedef struct OpaqueCAClock *CAClockRef;
typedef Float64 CAClockBeats;
typedef Float64 CAClockTempo;  // beats a minute
typedef Float64 CAClockSamples;
typedef Float64 CAClockSeconds;
typedef SMPTETimeType CAClockSMPTEFormat;

typedef UInt32 CAClockPropertyID;
AURICLE_ENUM(CAClockPropertyID) {
  kCAClockProperty_InternalTimebase = 0x696e7462,  // 'intb': UInt32, a time base
  kCAClockProperty_TimebaseSource = 0x69746273,  // 'itbs': the device or output unit of such a time base
  kCAClockProperty_SyncMode = 0x73796e6d,  // 'synm': UInt32, a mode
  kCAClockProperty_SyncSource = 0x73796e73,  // 'syns': MIDIEndpointRef, a source
  kCAClockProperty_SMPTEFormat = 0x736d7066,  // 'smpf': UInt32
  kCAClockProperty_SMPTEOffset = 0x736d706f,  // 'smpo': Float64: the time code, in seconds, at second 0
  kCAClockProperty_MIDIClockDestinations = 0x6d626364,  // 'mbcd': MIDIEndpointRef[]
  kCAClockProperty_MTCDestinations = 0x6d746364,  // 'mtcd': MIDIEndpointRef[]
  // 'mtfw': Float64, seconds that it continues without time code; 1 at first
  kCAClockProperty_MTCFreewheelTime = 0x6d746677,
  kCAClockProperty_TempoMap = 0x746d706f,  // 'tmpo': CATempoMapEntry[]; 120 at first
  kCAClockProperty_MeterTrack = 0x6d657472,  // 'metr': CAMeterTrackEntry[]; 4/4 at first
  kCAClockProperty_Name = 0x6e616d65,  // 'name': CFStringRef, not retained for the caller
  kCAClockProperty_SendMIDISPP = 0x6d737070,  // 'mspp': UInt32: whether a start elsewhere than at 0 sends its place
};

typedef UInt32 CAClockTimebase;
AURICLE_ENUM(CAClockTimebase) {
  kCAClockTimebase_HostTime = 0x686f7374,  // 'host'
  kCAClockTimebase_AudioDevice = 0x61756469,  // 'audi'
  kCAClockTimebase_AudioOutputUnit = 0x61756f75,  // 'auou'
};

typedef UInt32 CAClockSyncMode;
AURICLE_ENUM(CAClockSyncMode) {
  kCAClockSyncMode_Internal = 0x696e7472,  // 'intr'
  // 'mclk': follows clock, start, continue, stop and song position of MIDI
  kCAClockSyncMode_MIDIClockTransport = 0x6d636c6b,
  kCAClockSyncMode_MTCTransport = 0x6d6d7463,  // 'mmtc': follows MIDI time code
};

typedef UInt32 CAClockMessage;
AURICLE_ENUM(CAClockMessage) {
  kCAClockMessage_StartTimeSet = 0x7374696d,  // 'stim'
  kCAClockMessage_Started = 0x73747274,  // 'strt'
  kCAClockMessage_Stopped = 0x73746f70,  // 'stop'
  kCAClockMessage_Armed = 0x61726d64,  // 'armd'
  kCAClockMessage_Disarmed = 0x6461726d,  // 'darm'
  kCAClockMessage_PropertyChanged = 0x70636867,  // 'pchg': with the property's number
  kCAClockMessage_WrongSMPTEFormat = 0x3f736d70,  // '?smp'
};

typedef UInt32 CAClockTimeFormat;
AURICLE_ENUM(CAClockTimeFormat) {
  // These run always,
  kCAClockTimeFormat_HostTime = 0x686f7374,  // 'host'
  kCAClockTimeFormat_Samples = 0x73616d70,  // 'samp'
  kCAClockTimeFormat_AbsoluteSeconds = 0x61736563,  // 'asec'
  // and these between a start and a stop.
  kCAClockTimeFormat_Beats = 0x62656174,  // 'beat'
  kCAClockTimeFormat_Seconds = 0x73656373,  // 'secs'
  kCAClockTimeFormat_SMPTESeconds = 0x736d7073,  // 'smps'
  kCAClockTimeFormat_SMPTETime = 0x736d7074,  // 'smpt'
};

AURICLE_ENUM(OSStatus) {
  kCAClock_UnknownPropertyError = -66816,
  kCAClock_InvalidPropertySizeError = -66815,
  kCAClock_InvalidTimeFormatError = -66814,
  kCAClock_InvalidSyncModeError = -66813,
  kCAClock_InvalidSyncSourceError = -66812,
  kCAClock_InvalidTimebaseError = -66811,
  kCAClock_InvalidTimebaseSourceError = -66810,
  kCAClock_InvalidSMPTEFormatError = -66809,
  kCAClock_InvalidSMPTEOffsetError = -66808,
  kCAClock_InvalidUnitError = -66807,
  kCAClock_InvalidPlayRateError = -66806,
  kCAClock_CannotSetTimeError = -66805,
};

typedef struct CAClockTime {
  CAClockTimeFormat format;
  UInt32 reserved;
  union {
    UInt64 hostTime;
    CAClockSamples samples;
    CAClockBeats beats;
    CAClockSeconds seconds;
    SMPTETime smpte;
  } time;
} CAClockTime;

typedef struct CATempoMapEntry {
  CAClockBeats beats;
  CAClockTempo tempoBPM;
} CATempoMapEntry;

typedef struct CAMeterTrackEntry {
  CAClockBeats beats;
  UInt16 meterNumer;
  UInt16 meterDenom;
} CAMeterTrackEntry;

// Called on the thread that changes the clock: a program's, or the library's for MIDI input.
typedef void (*CAClockListenerProc)(void *userData, CAClockMessage message, const void *param);

AURICLE_BEGIN_DECLS

// Flags are 0.
extern OSStatus CAClockNew(UInt32 reservedFlags, CAClockRef *outClock);
extern OSStatus CAClockDispose(CAClockRef clock);
extern OSStatus CAClockGetPropertyInfo(
    CAClockRef clock, CAClockPropertyID property, UInt32 *outSize, Boolean *outWritable);
extern OSStatus CAClockGetProperty(
    CAClockRef clock, CAClockPropertyID property, UInt32 *ioSize, void *outData);
extern OSStatus CAClockSetProperty(
    CAClockRef clock, CAClockPropertyID property, UInt32 size, const void *data);
extern OSStatus CAClockAddListener(
    CAClockRef clock, CAClockListenerProc listener, void *userData);
extern OSStatus CAClockRemoveListener(
    CAClockRef clock, CAClockListenerProc listener, void *userData);

// The place of its next start. Not while it runs.
extern OSStatus CAClockSetCurrentTime(CAClockRef clock, const CAClockTime *time);
extern OSStatus CAClockGetCurrentTime(
    CAClockRef clock, CAClockTimeFormat format, CAClockTime *outTime);
extern OSStatus CAClockGetStartTime(
    CAClockRef clock, CAClockTimeFormat format, CAClockTime *outTime);
extern OSStatus CAClockTranslateTime(
    CAClockRef clock, const CAClockTime *time, CAClockTimeFormat format, CAClockTime *outTime);
extern OSStatus CAClockGetCurrentTempo(
    CAClockRef clock, CAClockTempo *outTempo, CAClockTime *outTime);
extern OSStatus CAClockSetCurrentTempo(
    CAClockRef clock, CAClockTempo tempo, const CAClockTime *time);
extern OSStatus CAClockStart(CAClockRef clock);
extern OSStatus CAClockStop(CAClockRef clock);
// Makes it wait for the start of its source.
extern OSStatus CAClockArm(CAClockRef clock);
extern OSStatus CAClockDisarm(CAClockRef clock);
extern OSStatus CAClockSetPlayRate(CAClockRef clock, Float64 rate);
extern OSStatus CAClockGetPlayRate(CAClockRef clock, Float64 *outRate);

// Time code holds the clock's format and offset; subframes are parts of a frame.
extern OSStatus CAClockSecondsToSMPTETime(
    CAClockRef clock, CAClockSeconds seconds, UInt16 subframeDivisor, SMPTETime *outTime);
extern OSStatus CAClockSMPTETimeToSeconds(
    CAClockRef clock, const SMPTETime *time, CAClockSeconds *outSeconds);
extern OSStatus CAClockBeatsToBarBeatTime(
    CAClockRef clock, CAClockBeats beats, UInt16 subbeatDivisor, CABarBeatTime *outTime);
extern OSStatus CAClockBarBeatTimeToBeats(
    CAClockRef clock, const CABarBeatTime *time, CAClockBeats *outBeats);

// Follows MIDI that a program received itself.
extern OSStatus CAClockParseMIDI(CAClockRef clock, const MIDIPacketList *list);

AURICLE_END_DECLS

#endif
