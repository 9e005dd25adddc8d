// Sequences without sound: statuses of wrong calls, edits, iterators and times.
// SPDX-License-Identifier: Apache-2.0
#include "Tracks.h"

static void addNote(MusicTrack track, double time, int channel, int key, double duration) {
  const MIDINoteMessage note = {(UInt8)channel, (UInt8)key, 100, 64, (Float32)duration};
  OK(MusicTrackNewMIDINoteEvent(track, time, &note));
}

static double timeOf(MusicTrack track, UInt32 index) {
  MusicEventIterator iterator;
  double time = -1;
  OK(NewMusicEventIterator(track, &iterator));
  while (index-- > 0) OK(MusicEventIteratorNextEvent(iterator));
  OK(MusicEventIteratorGetEventInfo(iterator, &time, NULL, NULL, NULL));
  OK(DisposeMusicEventIterator(iterator));
  return time;
}

static void checkWrongCalls(void) {
  char rubbish[64] = "rubbish";
  MusicSequence bad = (MusicSequence)(void *)rubbish, sequence;
  MusicTrack badTrack = (MusicTrack)(void *)rubbish, track, tempo;
  MusicEventIterator badIterator = (MusicEventIterator)(void *)rubbish, iterator;
  UInt32 count = 7, size = 4;
  Float64 number;
  Boolean flag;
  STATUS(NewMusicSequence(NULL), kAudio_ParamError);
  STATUS(DisposeMusicSequence(NULL), kAudio_ParamError);
  STATUS(DisposeMusicSequence(bad), kAudio_ParamError);
  STATUS(MusicSequenceNewTrack(bad, &track), kAudio_ParamError);
  STATUS(MusicSequenceGetTrackCount(bad, &count), kAudio_ParamError);
  STATUS(MusicTrackGetSequence(badTrack, &sequence), kAudio_ParamError);
  STATUS(NewMusicEventIterator(badTrack, &iterator), kAudio_ParamError);
  STATUS(DisposeMusicEventIterator(badIterator), kAudio_ParamError);
  STATUS(MusicEventIteratorNextEvent(badIterator), kAudio_ParamError);
  STATUS(MusicSequenceFileLoad(bad, NULL, 0, 0), kAudio_ParamError);
  TRUE_(MusicSequenceGetInfoDictionary(bad) == NULL);

  OK(NewMusicSequence(&sequence));
  STATUS(MusicSequenceGetTrackCount(sequence, NULL), kAudio_ParamError);
  OK(MusicSequenceGetTrackCount(sequence, &count));
  TRUE_(count == 0);
  OK(MusicSequenceGetSecondsForBeats(sequence, 2, &number));
  TRUE_(number == 1.0);
  STATUS(MusicSequenceGetIndTrack(sequence, 0, &track), kAudioToolboxErr_TrackIndexError);
  STATUS(MusicSequenceNewTrack(sequence, NULL), kAudio_ParamError);
  OK(MusicSequenceNewTrack(sequence, &track));
  OK(MusicSequenceGetTempoTrack(sequence, &tempo));
  STATUS(MusicSequenceGetTrackIndex(sequence, tempo, &count), kAudioToolboxErr_TrackNotFound);
  STATUS(MusicSequenceDisposeTrack(sequence, tempo), kAudioToolboxErr_TrackNotFound);
  STATUS(MusicSequenceSetSequenceType(sequence, 1), kAudioToolboxErr_InvalidSequenceType);
  STATUS(MusicSequenceSetAUGraph(sequence, (AUGraph)(void *)rubbish), kAudio_ParamError);

  MIDINoteMessage note = {16, 60, 64, 0, 1};
  STATUS(MusicTrackNewMIDINoteEvent(track, 0, &note), kAudio_ParamError);
  note.channel = 0;
  STATUS(MusicTrackNewMIDINoteEvent(track, -1, &note), kAudio_ParamError);
  STATUS(MusicTrackNewMIDINoteEvent(track, NAN, &note), kAudio_ParamError);
  STATUS(MusicTrackNewMIDINoteEvent(track, kMusicTimeStamp_EndOfTrack, &note), kAudio_ParamError);
  STATUS(MusicTrackNewMIDINoteEvent(track, 0, NULL), kAudio_ParamError);
  note.duration = -1;
  STATUS(MusicTrackNewMIDINoteEvent(track, 0, &note), kAudio_ParamError);
  const MIDIChannelMessage message = {0xF8, 0, 0, 0};
  STATUS(MusicTrackNewMIDIChannelEvent(track, 0, &message), kAudio_ParamError);
  STATUS(MusicTrackNewExtendedTempoEvent(track, 0, 100), kAudioToolboxErr_InvalidEventType);
  STATUS(MusicTrackNewExtendedTempoEvent(tempo, 0, 0), kAudio_ParamError);
  const MIDIRawData none = {0, {0}};
  STATUS(MusicTrackNewMIDIRawDataEvent(track, 0, &none), kAudio_ParamError);
  const AUPresetEvent preset = {0, 0, NULL};
  STATUS(MusicTrackNewAUPresetEvent(track, 0, &preset), kAudio_ParamError);
  STATUS(MusicTrackMoveEvents(track, 2, 1, 1), kAudio_ParamError);
  STATUS(MusicTrackClear(track, -1, 1), kAudio_ParamError);
  STATUS(MusicTrackMerge(track, 0, 1, badTrack, 0), kAudio_ParamError);

  STATUS(MusicTrackGetProperty(track, 99, NULL, &size), kAudioUnitErr_InvalidProperty);
  STATUS(MusicTrackGetProperty(track, kSequenceTrackProperty_LoopInfo, &number, &size), kAudioUnitErr_InvalidPropertyValue);
  STATUS(MusicTrackGetProperty(track, kSequenceTrackProperty_TimeResolution, NULL, &size), kAudioUnitErr_InvalidProperty);
  SInt16 resolution = 96;
  STATUS(MusicTrackSetProperty(tempo, kSequenceTrackProperty_TimeResolution, &resolution, 2), kAudioUnitErr_PropertyNotWritable);
  size = 2;
  OK(MusicTrackGetProperty(tempo, kSequenceTrackProperty_TimeResolution, &resolution, &size));
  TRUE_(resolution == 480);
  OK(MusicTrackGetProperty(track, kSequenceTrackProperty_LoopInfo, NULL, &size));
  TRUE_(size == 16);
  Float64 negative = -1;
  STATUS(MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &negative, 8), kAudioUnitErr_InvalidPropertyValue);
  // A size of 0 means the size of the property.
  Float64 sized = 7;
  OK(MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &sized, 0));
  sized = 0;
  size = 0;
  OK(MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, &sized, &size));
  TRUE_(sized == 7 && size == 8);
  STATUS(MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &sized, 4), kAudioUnitErr_InvalidPropertyValue);

  OK(NewMusicEventIterator(track, &iterator));
  OK(MusicEventIteratorHasCurrentEvent(iterator, &flag));
  TRUE_(!flag);
  STATUS(MusicEventIteratorNextEvent(iterator), kAudioToolboxErr_EndOfTrack);
  STATUS(MusicEventIteratorPreviousEvent(iterator), kAudioToolboxErr_StartOfTrack);
  STATUS(MusicEventIteratorGetEventInfo(iterator, NULL, NULL, NULL, NULL), kAudioToolboxErr_EndOfTrack);
  STATUS(MusicEventIteratorDeleteEvent(iterator), kAudioToolboxErr_EndOfTrack);
  STATUS(MusicEventIteratorSeek(iterator, -1), kAudio_ParamError);
  OK(MusicTrackSetDestMIDIEndpoint(track, 5));
  AUNode node;
  MIDIEndpointRef endpoint = 0;
  STATUS(MusicTrackGetDestNode(track, &node), kAudioToolboxErr_IllegalTrackDestination);
  OK(MusicTrackGetDestMIDIEndpoint(track, &endpoint));
  TRUE_(endpoint == 5);
  STATUS(MusicTrackSetDestNode(track, 1), kAudioToolboxErr_IllegalTrackDestination);
  OK(MusicSequenceDisposeTrack(sequence, track));
  STATUS(MusicEventIteratorNextEvent(iterator), kAudio_ParamError);
  OK(DisposeMusicEventIterator(iterator));
  OK(DisposeMusicSequence(sequence));
  STATUS(MusicSequenceGetTrackCount(sequence, &count), kAudio_ParamError);
}

static void checkTimes(void) {
  MusicSequence sequence;
  MusicTrack tempo, track;
  Float64 number;
  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceNewTrack(sequence, &track));
  OK(MusicSequenceGetTempoTrack(sequence, &tempo));
  OK(MusicTrackNewExtendedTempoEvent(tempo, 4, 60));
  OK(MusicTrackNewExtendedTempoEvent(tempo, 8, 240));
  const double beats[] = {0, 3, 4, 6, 8, 12}, seconds[] = {0, 1.5, 2, 4, 6, 7};
  for (int index = 0; index < 6; index++) {
    OK(MusicSequenceGetSecondsForBeats(sequence, beats[index], &number));
    TRUE_(fabs(number - seconds[index]) < 1e-12);
    OK(MusicSequenceGetBeatsForSeconds(sequence, seconds[index], &number));
    TRUE_(fabs(number - beats[index]) < 1e-12);
  }
  STATUS(MusicSequenceSetSequenceType(sequence, kMusicSequenceType_Seconds), kAudioToolboxErr_InvalidSequenceType);
  struct { MIDIMetaEvent event; UInt8 more[4]; } meter = {{0x58, 0, 0, 0, 4, {6}}, {0}};
  UInt8 *bytes = meter.event.data;
  memcpy(bytes, "\6\3\44\10", 4);
  OK(MusicTrackNewMetaEvent(tempo, 8, &meter.event));
  CABarBeatTime place;
  OK(MusicSequenceBeatsToBarBeatTime(sequence, 4.5, 480, &place));
  TRUE_(place.bar == 2 && place.beat == 1 && place.subbeat == 240 && place.subbeatDivisor == 480);
  OK(MusicSequenceBeatsToBarBeatTime(sequence, 8 + 3 + 1.25, 480, &place));
  TRUE_(place.bar == 4 && place.beat == 3 && place.subbeat == 240);
  OK(MusicSequenceBarBeatTimeToBeats(sequence, &place, &number));
  TRUE_(number == 12.25);
  place.beat = 0;
  STATUS(MusicSequenceBarBeatTimeToBeats(sequence, &place, &number), kAudio_ParamError);
  STATUS(MusicSequenceBeatsToBarBeatTime(sequence, 1, 0, &place), kAudio_ParamError);
  OK(DisposeMusicSequence(sequence));

  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceSetSequenceType(sequence, kMusicSequenceType_Samples));
  OK(MusicSequenceGetSecondsForBeats(sequence, 44100, &number));
  TRUE_(fabs(number - 1) < 1e-12);
  CFDataRef data = NULL;
  STATUS(MusicSequenceFileCreateData(sequence, kMusicSequenceFile_MIDIType, 0, 0, &data), kAudioToolboxErr_InvalidSequenceType);
  OK(MusicSequenceSetSequenceType(sequence, kMusicSequenceType_Seconds));
  OK(MusicSequenceGetSecondsForBeats(sequence, 3, &number));
  TRUE_(number == 3);
  OK(DisposeMusicSequence(sequence));
  signed char fps;
  Byte ticks;
  MusicSequenceGetSMPTEResolution(MusicSequenceSetSMPTEResolution(25, 200), &fps, &ticks);
  TRUE_(fps == -25 && ticks == 200);
}

static void checkEdits(void) {
  MusicSequence sequence;
  MusicTrack track, other;
  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceNewTrack(sequence, &track));
  for (int beat = 0; beat < 8; beat++) addNote(track, beat, 0, 60 + beat, 0.5);
  TRUE_(lengthOf(track) == 7.5);
  STATUS(MusicTrackMoveEvents(track, 1, 2, -1.5), kAudio_ParamError);
  OK(MusicTrackMoveEvents(track, 7, kMusicTimeStamp_EndOfTrack, 1));
  TRUE_(lengthOf(track) == 8.5);
  OK(MusicTrackCut(track, 2, 4));  // 0 1 4 5 6 8 -> 0 1 2 3 4 6
  TRUE_(countEvents(track) == 6 && timeOf(track, 2) == 2 && timeOf(track, 5) == 6);
  OK(MusicTrackClear(track, 2, 4));  // 0 1 4 6
  TRUE_(countEvents(track) == 4 && timeOf(track, 2) == 4);
  OK(NewMusicTrackFrom(track, 1, kMusicTimeStamp_EndOfTrack, &other));  // 0 3 5
  TRUE_(countEvents(other) == 3 && timeOf(other, 1) == 3);
  OK(MusicTrackCopyInsert(track, 0, 2, other, 3));  // 0 3 4 5 7
  TRUE_(countEvents(other) == 5 && timeOf(other, 2) == 4 && timeOf(other, 3) == 5);
  OK(MusicTrackMerge(track, 0, 2, other, 3));  // 0 3 3 4 4 5 7
  TRUE_(countEvents(other) == 7 && timeOf(other, 2) == 3 && timeOf(other, 6) == 7);

  MusicEventIterator iterator, second;
  double time;
  OK(NewMusicEventIterator(track, &iterator));  // 0 1 4 6
  OK(NewMusicEventIterator(track, &second));
  OK(MusicEventIteratorSeek(second, 4));
  OK(MusicEventIteratorSeek(iterator, 0.5));
  OK(MusicEventIteratorSetEventTime(iterator, 5));  // 0 4 5 6
  OK(MusicEventIteratorGetEventInfo(second, &time, NULL, NULL, NULL));
  TRUE_(time == 4);
  OK(MusicEventIteratorGetEventInfo(iterator, &time, NULL, NULL, NULL));
  TRUE_(time == 5);
  OK(MusicEventIteratorDeleteEvent(iterator));
  OK(MusicEventIteratorGetEventInfo(iterator, &time, NULL, NULL, NULL));
  TRUE_(time == 6);
  Boolean has;
  OK(MusicEventIteratorHasNextEvent(iterator, &has));
  TRUE_(!has);
  OK(MusicEventIteratorNextEvent(iterator));
  STATUS(MusicEventIteratorNextEvent(iterator), kAudioToolboxErr_EndOfTrack);
  OK(MusicEventIteratorPreviousEvent(iterator));
  const ParameterEvent parameter = {3, 0, 0, 0.25f};
  STATUS(MusicEventIteratorSetEventInfo(iterator, 99, &parameter), kAudioToolboxErr_InvalidEventType);
  STATUS(MusicEventIteratorSetEventInfo(iterator, kMusicEventType_Parameter, NULL), kAudio_ParamError);
  OK(MusicEventIteratorSetEventInfo(iterator, kMusicEventType_Parameter, &parameter));
  MusicEventType type;
  const void *data;
  UInt32 size;
  OK(MusicEventIteratorGetEventInfo(iterator, &time, &type, &data, &size));
  TRUE_(type == kMusicEventType_Parameter && size == 16 && memcmp(data, &parameter, 16) == 0);
  OK(DisposeMusicEventIterator(iterator));
  OK(DisposeMusicEventIterator(second));
  OK(MusicSequenceReverse(sequence));  // both tracks end with beat 7.5: 0 4 6 becomes 7 3 and 1.5
  TRUE_(timeOf(track, 0) == 1.5 && timeOf(track, 1) == 3 && timeOf(track, 2) == 7);
  OK(DisposeMusicSequence(sequence));
}

static void checkSeconds(void) {
  MusicSequence sequence, loaded;
  MusicTrack track, found;
  CFDataRef data = NULL;
  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceSetSequenceType(sequence, kMusicSequenceType_Seconds));
  OK(MusicSequenceNewTrack(sequence, &track));
  addNote(track, 1.25, 3, 61, 0.5);
  OK(MusicSequenceFileCreateData(sequence, kMusicSequenceFile_MIDIType, 0, 0, &data));
  OK(NewMusicSequence(&loaded));
  OK(MusicSequenceLoadSMFDataWithFlags(loaded, data, 0));
  MusicSequenceType type;
  OK(MusicSequenceGetSequenceType(loaded, &type));
  TRUE_(type == kMusicSequenceType_Seconds);
  OK(MusicSequenceGetIndTrack(loaded, 0, &found));
  checkSame(track, found);
  CFRelease(data);
  OK(DisposeMusicSequence(loaded));
  OK(DisposeMusicSequence(sequence));
}

int main(void) {
  checkWrongCalls();
  checkTimes();
  checkEdits();
  checkSeconds();
  printf("failures %d\n", failures);
  return failures > 0;
}
