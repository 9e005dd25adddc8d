// Music sequences: tracks of events in beats, in and out of MIDI files, and players of them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MUSICPLAYER_H
#define AURICLE_MUSICPLAYER_H

#include "../CoreFoundation/CoreFoundation.h"
#include "../CoreMIDI/MIDIServices.h"
#include "AUGraph.h"
#include "MusicDevice.h"

struct OpaqueMusicPlayer;
struct OpaqueMusicSequence;
struct OpaqueMusicTrack;
struct OpaqueMusicEventIterator;

typedef struct OpaqueMusicPlayer *MusicPlayer;
typedef struct OpaqueMusicSequence *MusicSequence;
typedef struct OpaqueMusicTrack *MusicTrack;
typedef struct OpaqueMusicEventIterator *MusicEventIterator;

// Beats from the start of a sequence.
typedef Float64 MusicTimeStamp;
// The end of a track, as a time; so are all later times.
#define kMusicTimeStamp_EndOfTrack 1000000000.0

typedef UInt32 MusicEventType;
AURICLE_ENUM(MusicEventType) {
  kMusicEventType_NULL = 0,
  kMusicEventType_ExtendedNote = 1,        // ExtendedNoteOnEvent
  kMusicEventType_ExtendedControl = 2,     // ExtendedControlEvent
  kMusicEventType_ExtendedTempo = 3,       // ExtendedTempoEvent
  kMusicEventType_User = 4,                // MusicEventUserData
  kMusicEventType_Meta = 5,                // MIDIMetaEvent
  kMusicEventType_MIDINoteMessage = 6,     // MIDINoteMessage
  kMusicEventType_MIDIChannelMessage = 7,  // MIDIChannelMessage
  kMusicEventType_MIDIRawData = 8,         // MIDIRawData
  kMusicEventType_Parameter = 9,           // ParameterEvent
  kMusicEventType_AUPreset = 10,           // AUPresetEvent
};

// The meaning of a beat.
typedef UInt32 MusicSequenceType;
AURICLE_ENUM(MusicSequenceType) {
  kMusicSequenceType_Beats = 0x62656174,    // 'beat': the tempo says
  kMusicSequenceType_Seconds = 0x73656373,  // 'secs': a second
  kMusicSequenceType_Samples = 0x73616d70,  // 'samp': a frame at 44100 Hz
};

typedef UInt32 MusicSequenceFileTypeID;
AURICLE_ENUM(MusicSequenceFileTypeID) {
  kMusicSequenceFile_AnyType = 0,
  kMusicSequenceFile_MIDIType = 0x6d696469,      // 'midi'
  kMusicSequenceFile_iMelodyType = 0x696d656c,   // 'imel': neither read nor written here
};

typedef UInt32 MusicSequenceLoadFlags;
AURICLE_ENUM(MusicSequenceLoadFlags) {
  kMusicSequenceLoadSMF_PreserveTracks = 0,
  // A track for each channel, and a last one for the rest.
  kMusicSequenceLoadSMF_ChannelsToTracks = 1,
};

typedef UInt32 MusicSequenceFileFlags;
AURICLE_ENUM(MusicSequenceFileFlags) {
  kMusicSequenceFileFlags_Default = 0,
  kMusicSequenceFileFlags_EraseFile = 1,
};

// Properties of tracks.
AURICLE_ENUM(UInt32) {
  kSequenceTrackProperty_LoopInfo = 0,             // MusicTrackLoopInfo
  kSequenceTrackProperty_OffsetTime = 1,           // MusicTimeStamp
  kSequenceTrackProperty_MuteStatus = 2,           // Boolean
  kSequenceTrackProperty_SoloStatus = 3,           // Boolean
  kSequenceTrackProperty_AutomatedParameters = 4,  // UInt32: parameter events are points of a curve
  kSequenceTrackProperty_TrackLength = 5,          // MusicTimeStamp
  kSequenceTrackProperty_TimeResolution = 6,       // SInt16, of the tempo track, read only
};

AURICLE_ENUM(OSStatus) {
  kAudioToolboxErr_InvalidSequenceType = -10846,
  kAudioToolboxErr_InvalidPlayerState = -10852,
  kAudioToolboxErr_InvalidEventType = -10853,
  kAudioToolboxErr_NoSequence = -10854,
  kAudioToolboxErr_IllegalTrackDestination = -10855,
  kAudioToolboxErr_StartOfTrack = -10856,
  kAudioToolboxErr_EndOfTrack = -10857,
  kAudioToolboxErr_TrackNotFound = -10858,
  kAudioToolboxErr_TrackIndexError = -10859,
  kAudioToolboxErr_CannotDoInCurrentContext = -10863,
  kAudioToolboxError_NoTrackDestination = -66720,
};

// A note; the duration is in beats.
typedef struct MIDINoteMessage {
  UInt8 channel;
  UInt8 note;
  UInt8 velocity;
  UInt8 releaseVelocity;
  Float32 duration;
} MIDINoteMessage;

typedef struct MIDIChannelMessage {
  UInt8 status;  // with the channel
  UInt8 data1;
  UInt8 data2;
  UInt8 reserved;
} MIDIChannelMessage;

// Bytes that are sent as they are; a system exclusive message begins with F0.
typedef struct MIDIRawData {
  UInt32 length;
  UInt8 data[1];
} MIDIRawData;

typedef struct MIDIMetaEvent {
  UInt8 metaEventType;
  UInt8 unused1;
  UInt8 unused2;
  UInt8 unused3;
  UInt32 dataLength;
  UInt8 data[1];
} MIDIMetaEvent;

// The arguments of a sequence's callback.
typedef struct MusicEventUserData {
  UInt32 length;
  UInt8 data[1];
} MusicEventUserData;

typedef struct ExtendedNoteOnEvent {
  MusicDeviceInstrumentID instrumentID;
  MusicDeviceGroupID groupID;
  Float32 duration;
  MusicDeviceNoteParams extendedParams;
} ExtendedNoteOnEvent;

typedef struct ExtendedControlEvent {
  MusicDeviceGroupID groupID;
  AudioUnitParameterID controlID;
  AudioUnitParameterValue value;
} ExtendedControlEvent;

typedef struct ExtendedTempoEvent {
  Float64 bpm;
} ExtendedTempoEvent;

typedef struct ParameterEvent {
  AudioUnitParameterID parameterID;
  AudioUnitScope scope;
  AudioUnitElement element;
  AudioUnitParameterValue value;
} ParameterEvent;

// A ClassInfo for the track's unit. The track retains it.
typedef struct AUPresetEvent {
  AudioUnitScope scope;
  AudioUnitElement element;
  CFPropertyListRef preset;
} AUPresetEvent;

// A place as musicians count: bars and beats from 1, subbeats from 0.
typedef struct CABarBeatTime {
  SInt32 bar;
  UInt16 beat;
  UInt16 subbeat;
  UInt16 subbeatDivisor;
  UInt16 reserved;
} CABarBeatTime;

// The last loopDuration beats of a track are played again numberOfLoops times; 0: for ever. A duration
// of 0 is no loop.
typedef struct MusicTrackLoopInfo {
  MusicTimeStamp loopDuration;
  SInt32 numberOfLoops;
} MusicTrackLoopInfo;

// Called on the thread that plays, which for a graph is the one that renders.
typedef void (*MusicSequenceUserCallback)(
    void *clientData, MusicSequence sequence, MusicTrack track, MusicTimeStamp eventTime,
    const MusicEventUserData *eventData, MusicTimeStamp startSliceBeat,
    MusicTimeStamp endSliceBeat);

// Frames a second (24, 25, 29 or 30) and ticks a frame as the resolution of a file in seconds.
static inline SInt16 MusicSequenceSetSMPTEResolution(signed char fps, Byte ticks) {
  const signed char negative = (signed char)(fps > 0 ? -fps : fps);
  return (SInt16)(negative * 256 + ticks);
}
static inline void MusicSequenceGetSMPTEResolution(
    SInt16 resolution, signed char *fps, Byte *ticks) {
  *ticks = (Byte)(resolution & 0xff);
  *fps = (signed char)((resolution - *ticks) / 256);
}

AURICLE_BEGIN_DECLS

// A new sequence has a tempo track, of 120 beats a minute, and no others.
extern OSStatus NewMusicSequence(MusicSequence *outSequence);
// Players that hold it stop, and let it go.
extern OSStatus DisposeMusicSequence(MusicSequence sequence);
extern OSStatus MusicSequenceNewTrack(MusicSequence sequence, MusicTrack *outTrack);
extern OSStatus MusicSequenceDisposeTrack(MusicSequence sequence, MusicTrack track);
// The tempo track is not counted, and has no index.
extern OSStatus MusicSequenceGetTrackCount(MusicSequence sequence, UInt32 *outCount);
extern OSStatus MusicSequenceGetIndTrack(
    MusicSequence sequence, UInt32 index, MusicTrack *outTrack);
extern OSStatus MusicSequenceGetTrackIndex(
    MusicSequence sequence, MusicTrack track, UInt32 *outIndex);
extern OSStatus MusicSequenceGetTempoTrack(MusicSequence sequence, MusicTrack *outTrack);
// NULL returns to the sequence's own: a synthesiser, a dynamics processor and the default output.
extern OSStatus MusicSequenceSetAUGraph(MusicSequence sequence, AUGraph graph);
extern OSStatus MusicSequenceGetAUGraph(MusicSequence sequence, AUGraph *outGraph);
// All tracks that are there.
extern OSStatus MusicSequenceSetMIDIEndpoint(MusicSequence sequence, MIDIEndpointRef endpoint);
extern OSStatus MusicSequenceSetSequenceType(MusicSequence sequence, MusicSequenceType type);
extern OSStatus MusicSequenceGetSequenceType(MusicSequence sequence, MusicSequenceType *outType);
extern OSStatus MusicSequenceFileLoad(
    MusicSequence sequence, CFURLRef url, MusicSequenceFileTypeID type,
    MusicSequenceLoadFlags flags);
extern OSStatus MusicSequenceFileLoadData(
    MusicSequence sequence, CFDataRef data, MusicSequenceFileTypeID type,
    MusicSequenceLoadFlags flags);
// The resolution: ticks a beat, or for a sequence in seconds the result of
// MusicSequenceSetSMPTEResolution; 0 is the tempo track's, or 25 frames of 40 ticks.
extern OSStatus MusicSequenceFileCreate(
    MusicSequence sequence, CFURLRef url, MusicSequenceFileTypeID type,
    MusicSequenceFileFlags flags, SInt16 resolution);
extern OSStatus MusicSequenceFileCreateData(
    MusicSequence sequence, MusicSequenceFileTypeID type, MusicSequenceFileFlags flags,
    SInt16 resolution, CFDataRef *outData);
extern OSStatus MusicSequenceLoadSMFDataWithFlags(
    MusicSequence sequence, CFDataRef data, MusicSequenceLoadFlags flags);
extern OSStatus MusicSequenceSaveSMFData(
    MusicSequence sequence, CFDataRef *outData, UInt16 resolution);
extern OSStatus MusicSequenceReverse(MusicSequence sequence);
extern OSStatus MusicSequenceGetSecondsForBeats(
    MusicSequence sequence, MusicTimeStamp beats, Float64 *outSeconds);
extern OSStatus MusicSequenceGetBeatsForSeconds(
    MusicSequence sequence, Float64 seconds, MusicTimeStamp *outBeats);
extern OSStatus MusicSequenceSetUserCallback(
    MusicSequence sequence, MusicSequenceUserCallback callback, void *clientData);
extern OSStatus MusicSequenceBeatsToBarBeatTime(
    MusicSequence sequence, MusicTimeStamp beats, UInt32 subbeatDivisor,
    CABarBeatTime *outBarBeatTime);
extern OSStatus MusicSequenceBarBeatTimeToBeats(
    MusicSequence sequence, const CABarBeatTime *barBeatTime, MusicTimeStamp *outBeats);
// The caller releases it. NULL for an invalid sequence.
extern CFDictionaryRef MusicSequenceGetInfoDictionary(MusicSequence sequence);

extern OSStatus MusicTrackGetSequence(MusicTrack track, MusicSequence *outSequence);
extern OSStatus MusicTrackSetDestNode(MusicTrack track, AUNode node);
extern OSStatus MusicTrackSetDestMIDIEndpoint(MusicTrack track, MIDIEndpointRef endpoint);
extern OSStatus MusicTrackGetDestNode(MusicTrack track, AUNode *outNode);
extern OSStatus MusicTrackGetDestMIDIEndpoint(MusicTrack track, MIDIEndpointRef *outEndpoint);
extern OSStatus MusicTrackSetProperty(
    MusicTrack track, UInt32 propertyID, void *data, UInt32 length);
// Without memory for the value, its size alone.
extern OSStatus MusicTrackGetProperty(
    MusicTrack track, UInt32 propertyID, void *data, UInt32 *ioLength);
// The edited events lie at or after the first time, and before the second.
extern OSStatus MusicTrackMoveEvents(
    MusicTrack track, MusicTimeStamp start, MusicTimeStamp end, MusicTimeStamp moveTime);
extern OSStatus NewMusicTrackFrom(
    MusicTrack source, MusicTimeStamp start, MusicTimeStamp end, MusicTrack *outTrack);
extern OSStatus MusicTrackClear(MusicTrack track, MusicTimeStamp start, MusicTimeStamp end);
extern OSStatus MusicTrackCut(MusicTrack track, MusicTimeStamp start, MusicTimeStamp end);
extern OSStatus MusicTrackCopyInsert(
    MusicTrack source, MusicTimeStamp start, MusicTimeStamp end, MusicTrack destination,
    MusicTimeStamp insertTime);
extern OSStatus MusicTrackMerge(
    MusicTrack source, MusicTimeStamp start, MusicTimeStamp end, MusicTrack destination,
    MusicTimeStamp insertTime);

extern OSStatus MusicTrackNewMIDINoteEvent(
    MusicTrack track, MusicTimeStamp time, const MIDINoteMessage *message);
extern OSStatus MusicTrackNewMIDIChannelEvent(
    MusicTrack track, MusicTimeStamp time, const MIDIChannelMessage *message);
extern OSStatus MusicTrackNewMIDIRawDataEvent(
    MusicTrack track, MusicTimeStamp time, const MIDIRawData *data);
extern OSStatus MusicTrackNewExtendedNoteEvent(
    MusicTrack track, MusicTimeStamp time, const ExtendedNoteOnEvent *note);
extern OSStatus MusicTrackNewParameterEvent(
    MusicTrack track, MusicTimeStamp time, const ParameterEvent *parameter);
// For the tempo track.
extern OSStatus MusicTrackNewExtendedTempoEvent(
    MusicTrack track, MusicTimeStamp time, Float64 bpm);
extern OSStatus MusicTrackNewMetaEvent(
    MusicTrack track, MusicTimeStamp time, const MIDIMetaEvent *event);
extern OSStatus MusicTrackNewUserEvent(
    MusicTrack track, MusicTimeStamp time, const MusicEventUserData *data);
extern OSStatus MusicTrackNewAUPresetEvent(
    MusicTrack track, MusicTimeStamp time, const AUPresetEvent *preset);

// It begins at the first event.
extern OSStatus NewMusicEventIterator(MusicTrack track, MusicEventIterator *outIterator);
extern OSStatus DisposeMusicEventIterator(MusicEventIterator iterator);
// To the first event at a time or after it, or behind the last.
extern OSStatus MusicEventIteratorSeek(MusicEventIterator iterator, MusicTimeStamp time);
extern OSStatus MusicEventIteratorNextEvent(MusicEventIterator iterator);
extern OSStatus MusicEventIteratorPreviousEvent(MusicEventIterator iterator);
// The data belong to the track, and are valid until the event is changed or gone. Any result may be NULL.
extern OSStatus MusicEventIteratorGetEventInfo(
    MusicEventIterator iterator, MusicTimeStamp *outTime, MusicEventType *outType,
    const void **outData, UInt32 *outDataSize);
extern OSStatus MusicEventIteratorSetEventInfo(
    MusicEventIterator iterator, MusicEventType type, const void *data);
extern OSStatus MusicEventIteratorSetEventTime(MusicEventIterator iterator, MusicTimeStamp time);
// The next event is the current one then.
extern OSStatus MusicEventIteratorDeleteEvent(MusicEventIterator iterator);
extern OSStatus MusicEventIteratorHasPreviousEvent(
    MusicEventIterator iterator, Boolean *outHasPrevious);
extern OSStatus MusicEventIteratorHasNextEvent(MusicEventIterator iterator, Boolean *outHasNext);
extern OSStatus MusicEventIteratorHasCurrentEvent(
    MusicEventIterator iterator, Boolean *outHasCurrent);

extern OSStatus NewMusicPlayer(MusicPlayer *outPlayer);
extern OSStatus DisposeMusicPlayer(MusicPlayer player);
// Not while it plays. NULL removes the sequence.
extern OSStatus MusicPlayerSetSequence(MusicPlayer player, MusicSequence sequence);
extern OSStatus MusicPlayerGetSequence(MusicPlayer player, MusicSequence *outSequence);
// In beats. While it plays, the time played so far is reported.
extern OSStatus MusicPlayerSetTime(MusicPlayer player, MusicTimeStamp time);
extern OSStatus MusicPlayerGetTime(MusicPlayer player, MusicTimeStamp *outTime);
// While something is played, and not before the beat at which it was started.
extern OSStatus MusicPlayerGetHostTimeForBeats(
    MusicPlayer player, MusicTimeStamp beats, UInt64 *outHostTime);
extern OSStatus MusicPlayerGetBeatsForHostTime(
    MusicPlayer player, UInt64 hostTime, MusicTimeStamp *outBeats);
extern OSStatus MusicPlayerPreroll(MusicPlayer player);
// The sequence's graph is opened, initialised and started where it is not.
extern OSStatus MusicPlayerStart(MusicPlayer player);
extern OSStatus MusicPlayerStop(MusicPlayer player);
// From the start to the stop, also behind the end of the sequence.
extern OSStatus MusicPlayerIsPlaying(MusicPlayer player, Boolean *outIsPlaying);
extern OSStatus MusicPlayerSetPlayRateScalar(MusicPlayer player, Float64 scaleRate);
extern OSStatus MusicPlayerGetPlayRateScalar(MusicPlayer player, Float64 *outScaleRate);

AURICLE_END_DECLS

#endif
