// Music sequences: numbers and layouts.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/MusicPlayer.h>

#include "Assertions.h"

ABI_VALUE(kMusicEventType_NULL, 0);
ABI_VALUE(kMusicEventType_ExtendedNote, 1);
ABI_VALUE(kMusicEventType_ExtendedControl, 2);
ABI_VALUE(kMusicEventType_ExtendedTempo, 3);
ABI_VALUE(kMusicEventType_User, 4);
ABI_VALUE(kMusicEventType_Meta, 5);
ABI_VALUE(kMusicEventType_MIDINoteMessage, 6);
ABI_VALUE(kMusicEventType_MIDIChannelMessage, 7);
ABI_VALUE(kMusicEventType_MIDIRawData, 8);
ABI_VALUE(kMusicEventType_Parameter, 9);
ABI_VALUE(kMusicEventType_AUPreset, 10);
ABI_CODE(kMusicSequenceType_Beats, 0x62656174, 'b', 'e', 'a', 't');
ABI_CODE(kMusicSequenceType_Seconds, 0x73656373, 's', 'e', 'c', 's');
ABI_CODE(kMusicSequenceType_Samples, 0x73616d70, 's', 'a', 'm', 'p');
ABI_VALUE(kMusicSequenceFile_AnyType, 0);
ABI_CODE(kMusicSequenceFile_MIDIType, 0x6d696469, 'm', 'i', 'd', 'i');
ABI_CODE(kMusicSequenceFile_iMelodyType, 0x696d656c, 'i', 'm', 'e', 'l');
ABI_VALUE(kMusicSequenceLoadSMF_PreserveTracks, 0);
ABI_VALUE(kMusicSequenceLoadSMF_ChannelsToTracks, 1);
ABI_VALUE(kMusicSequenceFileFlags_Default, 0);
ABI_VALUE(kMusicSequenceFileFlags_EraseFile, 1);
ABI_VALUE(kSequenceTrackProperty_LoopInfo, 0);
ABI_VALUE(kSequenceTrackProperty_OffsetTime, 1);
ABI_VALUE(kSequenceTrackProperty_MuteStatus, 2);
ABI_VALUE(kSequenceTrackProperty_SoloStatus, 3);
ABI_VALUE(kSequenceTrackProperty_AutomatedParameters, 4);
ABI_VALUE(kSequenceTrackProperty_TrackLength, 5);
ABI_VALUE(kSequenceTrackProperty_TimeResolution, 6);
ABI_VALUE(kAudioToolboxErr_InvalidSequenceType, -10846);
ABI_VALUE(kAudioToolboxErr_InvalidPlayerState, -10852);
ABI_VALUE(kAudioToolboxErr_InvalidEventType, -10853);
ABI_VALUE(kAudioToolboxErr_NoSequence, -10854);
ABI_VALUE(kAudioToolboxErr_IllegalTrackDestination, -10855);
ABI_VALUE(kAudioToolboxErr_StartOfTrack, -10856);
ABI_VALUE(kAudioToolboxErr_EndOfTrack, -10857);
ABI_VALUE(kAudioToolboxErr_TrackNotFound, -10858);
ABI_VALUE(kAudioToolboxErr_TrackIndexError, -10859);
ABI_VALUE(kAudioToolboxErr_CannotDoInCurrentContext, -10863);
ABI_VALUE(kAudioToolboxError_NoTrackDestination, -66720);

ABI_STRUCT(MIDINoteMessage, 8, 4);
ABI_FIELD(MIDINoteMessage, releaseVelocity, 3);
ABI_FIELD(MIDINoteMessage, duration, 4);
ABI_STRUCT(MIDIChannelMessage, 4, 1);
ABI_STRUCT(MIDIRawData, 8, 4);
ABI_FIELD(MIDIRawData, data, 4);
ABI_STRUCT(MIDIMetaEvent, 12, 4);
ABI_FIELD(MIDIMetaEvent, dataLength, 4);
ABI_FIELD(MIDIMetaEvent, data, 8);
ABI_STRUCT(MusicEventUserData, 8, 4);
ABI_FIELD(MusicEventUserData, data, 4);
ABI_STRUCT(ExtendedNoteOnEvent, 32, 4);
ABI_FIELD(ExtendedNoteOnEvent, duration, 8);
ABI_FIELD(ExtendedNoteOnEvent, extendedParams, 12);
ABI_STRUCT(ExtendedControlEvent, 12, 4);
ABI_STRUCT(ExtendedTempoEvent, 8, 8);
ABI_STRUCT(ParameterEvent, 16, 4);
ABI_FIELD(ParameterEvent, value, 12);
ABI_STRUCT(AUPresetEvent, 16, 8);
ABI_FIELD(AUPresetEvent, preset, 8);
ABI_STRUCT(CABarBeatTime, 12, 4);
ABI_FIELD(CABarBeatTime, subbeatDivisor, 8);
ABI_STRUCT(MusicTrackLoopInfo, 16, 8);
ABI_FIELD(MusicTrackLoopInfo, numberOfLoops, 8);
