// Players of graphs that are pulled: each event at its very frame, through tempos, loops, mutes, jumps and rates.
// SPDX-License-Identifier: Apache-2.0
#include "ClickInstrument.h"

#include <Auricle/AuricleMusicPlayer.h>

enum { kRate = 48000 };

static Float32 sound[kRate * 12];

static void addNote(MusicTrack track, double time, int channel, int key, int velocity, double duration) {
  const MIDINoteMessage message = {(UInt8)channel, (UInt8)key, (UInt8)velocity, 0, (Float32)duration};
  OK(MusicTrackNewMIDINoteEvent(track, time, &message));
}

// Counts the messages for a key at a frame.
static int came(UInt8 status, UInt8 data1, double frame) {
  int count = 0;
  for (int index = 0; index < heardCount; index++) {
    if (heard[index].status == status && heard[index].data1 == data1 && heard[index].frame == (UInt64)llround(frame)) count += 1;
  }
  return count;
}

static int countOf(UInt8 status) {
  int count = 0;
  for (int index = 0; index < heardCount; index++) count += (heard[index].status & 0xF0) == status;
  return count;
}

static void checkWrongCalls(void) {
  char rubbish[64] = "rubbish";
  MusicPlayer bad = (MusicPlayer)(void *)rubbish, player;
  MusicSequence sequence;
  Float64 number;
  UInt64 time;
  Boolean flag = true;
  STATUS(NewMusicPlayer(NULL), kAudio_ParamError);
  STATUS(DisposeMusicPlayer(bad), kAudio_ParamError);
  STATUS(MusicPlayerStart(NULL), kAudio_ParamError);
  STATUS(MusicPlayerStop(bad), kAudio_ParamError);
  STATUS(MusicPlayerGetTime(bad, &number), kAudio_ParamError);
  OK(NewMusicPlayer(&player));
  STATUS(MusicPlayerStart(player), kAudioToolboxErr_NoSequence);
  STATUS(MusicPlayerPreroll(player), kAudioToolboxErr_NoSequence);
  STATUS(MusicPlayerGetSequence(player, &sequence), kAudioToolboxErr_NoSequence);
  STATUS(MusicPlayerSetSequence(player, (MusicSequence)(void *)rubbish), kAudio_ParamError);
  STATUS(MusicPlayerSetTime(player, -1), kAudio_ParamError);
  STATUS(MusicPlayerGetTime(player, NULL), kAudio_ParamError);
  STATUS(MusicPlayerSetPlayRateScalar(player, 0), kAudio_ParamError);
  STATUS(MusicPlayerGetHostTimeForBeats(player, 1, &time), kAudioToolboxErr_InvalidPlayerState);
  STATUS(MusicPlayerGetBeatsForHostTime(player, 1, &number), kAudioToolboxErr_InvalidPlayerState);
  OK(MusicPlayerIsPlaying(player, &flag));
  TRUE_(!flag);
  OK(MusicPlayerGetPlayRateScalar(player, &number));
  TRUE_(number == 1);
  OK(DisposeMusicPlayer(player));
  STATUS(DisposeMusicPlayer(player), kAudio_ParamError);
}

typedef struct Called {
  int count;
  double time, start, end;
  MusicTrack track;
} Called;

static void userCalled(
    void *data, MusicSequence sequence, MusicTrack track, MusicTimeStamp time,
    const MusicEventUserData *event, MusicTimeStamp start, MusicTimeStamp end) {
  Called *called = (Called *)data;
  (void)sequence;
  TRUE_(event->length == 3 && event->data[0] == 'h');
  called->count += 1;
  called->time = time;
  called->start = start;
  called->end = end;
  called->track = track;
}

// A player whose clock is the frames of the program, also where their numbers leap.
static void checkStepping(void) {
  MusicSequence sequence;
  MusicTrack track;
  MusicPlayer player;
  Float64 beat;
  Boolean flag = false;
  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceNewTrack(sequence, &track));
  struct { UInt32 length; UInt8 data[4]; } user = {3, {'h', 'e', 'y', 0}};
  OK(MusicTrackNewUserEvent(track, 1, (const MusicEventUserData *)(void *)&user));
  Called called = {0, 0, 0, 0, NULL};
  OK(MusicSequenceSetUserCallback(sequence, userCalled, &called));
  OK(NewMusicPlayer(&player));
  STATUS(AuricleMusicPlayerStartStepping(player, kRate, false), kAudioToolboxErr_NoSequence);
  OK(MusicPlayerSetSequence(player, sequence));
  STATUS(AuricleMusicPlayerStartStepping(player, 0, false), kAudio_ParamError);
  STATUS(AuricleMusicTrackSetDestUnit(NULL, NULL), kAudio_ParamError);
  OK(AuricleMusicPlayerStartStepping(player, kRate, false));
  OK(MusicPlayerIsPlaying(player, &flag));
  TRUE_(flag);
  AuricleMusicPlayerStep(player, NULL, 777, kRate / 4, kRate, 0);
  OK(MusicPlayerGetTime(player, &beat));
  TRUE_(fabs(beat - 0.5) < 1e-9 && called.count == 0);
  AuricleMusicPlayerStep(player, NULL, 777 + kRate / 4, kRate / 2, kRate, 0);
  TRUE_(called.count == 1 && called.time == 1 && called.track == track);
  AuricleMusicPlayerStep(player, NULL, 0, kRate / 4, kRate, 0);
  OK(MusicPlayerGetTime(player, &beat));
  TRUE_(fabs(beat - 2) < 1e-9);
  OK(AuricleMusicTrackSetDestUnit(track, NULL));
  OK(MusicPlayerStop(player));
  OK(DisposeMusicPlayer(player));
  OK(DisposeMusicSequence(sequence));
}

int main(void) {
  AudioUnit head;
  AUNode instrument, found;
  AUGraph graph = clickGraph(kAudioUnitSubType_GenericOutput, &head, &instrument), same;
  MusicSequence sequence;
  MusicPlayer player;
  MusicTrack tempo, track, looped, other;
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  Float64 beat;
  checkWrongCalls();
  checkStepping();
  OK(AudioUnitGetProperty(head, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size));
  format.mSampleRate = kRate;
  OK(AudioUnitSetProperty(head, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format));
  OK(AudioUnitSetProperty(head, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));

  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceSetAUGraph(sequence, graph));
  OK(MusicSequenceGetAUGraph(sequence, &same));
  TRUE_(same == graph);
  OK(MusicSequenceGetTempoTrack(sequence, &tempo));
  OK(MusicSequenceNewTrack(sequence, &track));
  OK(MusicSequenceNewTrack(sequence, &looped));
  OK(MusicSequenceNewTrack(sequence, &other));
  OK(MusicTrackGetDestNode(track, &found));
  TRUE_(found == instrument);
  OK(MusicTrackSetDestNode(track, instrument));
  STATUS(MusicTrackSetDestNode(track, 99), kAudioToolboxErr_IllegalTrackDestination);
  OK(MusicTrackNewExtendedTempoEvent(tempo, 0, 97));
  OK(MusicTrackNewExtendedTempoEvent(tempo, 3, 143.5));
  OK(MusicTrackNewExtendedTempoEvent(tempo, 7.25, 61));
  for (int index = 0; index < 24; index++) addNote(track, index / 3.0, 0, 40 + index, 64, 1 / 3.0);
  // Two beats at the end of three, for ever, and later by a half.
  addNote(looped, 0, 1, 20, 32, 0.25);
  addNote(looped, 1.75, 1, 21, 32, 0.25);
  Float64 length = 3, offset = 0.5;
  MusicTrackLoopInfo loop = {2, 0};
  OK(MusicTrackSetProperty(looped, kSequenceTrackProperty_TrackLength, &length, sizeof length));
  OK(MusicTrackSetProperty(looped, kSequenceTrackProperty_LoopInfo, &loop, sizeof loop));
  OK(MusicTrackSetProperty(looped, kSequenceTrackProperty_OffsetTime, &offset, sizeof offset));
  // All the other kinds.
  const MIDIChannelMessage control = {0xB2, 7, 99, 0};
  OK(MusicTrackNewMIDIChannelEvent(other, 1.5, &control));
  struct { UInt32 length; UInt8 data[4]; } raw = {4, {0xF0, 0x7D, 5, 0xF7}};
  OK(MusicTrackNewMIDIRawDataEvent(other, 2, (const MIDIRawData *)(void *)&raw));
  // SysEx of many packets, and one that is too long for them.
  static struct { UInt32 length; UInt8 data[6000]; } longRaw;
  for (int index = 0; index < 2; index++) {
    longRaw.length = index == 0 ? 1000 : 6000;
    for (UInt32 byte = 1; byte < longRaw.length; byte++) longRaw.data[byte] = (UInt8)((byte - 1) % 128);
    longRaw.data[0] = 0xF0;
    longRaw.data[1] = 0x7E - (UInt8)index;
    longRaw.data[longRaw.length - 1] = 0xF7;
    OK(MusicTrackNewMIDIRawDataEvent(other, index == 0 ? 2.25 : 2.75, (const MIDIRawData *)(void *)&longRaw));
  }
  const ExtendedNoteOnEvent extended = {kMusicNoteEvent_UseGroupInstrument, 3, 0.5f, {2, 60.25f, 80, {{0, 0}}}};
  OK(MusicTrackNewExtendedNoteEvent(other, 2.5, &extended));
  const ParameterEvent parameter = {9, kAudioUnitScope_Global, 0, 0.75f};
  OK(MusicTrackNewParameterEvent(other, 3.5, &parameter));
  struct { UInt32 length; UInt8 data[4]; } user = {3, {'h', 'e', 'y', 0}};
  OK(MusicTrackNewUserEvent(other, 4.5, (const MusicEventUserData *)(void *)&user));
  Called called = {0, 0, 0, 0, NULL};
  OK(MusicSequenceSetUserCallback(sequence, userCalled, &called));

  OK(NewMusicPlayer(&player));
  OK(MusicPlayerSetSequence(player, sequence));
  OK(MusicPlayerPreroll(player));
  OK(MusicPlayerStart(player));
  STATUS(MusicPlayerSetSequence(player, NULL), kAudioToolboxErr_InvalidPlayerState);
  // Before the first slice, the beginning has the time of now.
  UInt64 begun = 0;
  OK(MusicPlayerGetHostTimeForBeats(player, 2, &begun));
  OK(MusicPlayerGetBeatsForHostTime(player, begun, &beat));
  TRUE_(fabs(beat - 2) < 1e-3);
  STATUS(MusicTrackSetDestMIDIEndpoint(other, 5), kAudioToolboxErr_InvalidPlayerState);
  STATUS(MusicTrackSetDestNode(other, instrument), kAudioToolboxErr_InvalidPlayerState);
  pull(head, kRate * 6, 441, sound);
  OK(MusicPlayerGetTime(player, &beat));
  Float64 seconds;
  OK(MusicSequenceGetSecondsForBeats(sequence, beat, &seconds));
  TRUE_(fabs(seconds - 6) < 1e-9);
  for (int index = 0; index < 24; index++) {
    double start, end;
    OK(MusicSequenceGetSecondsForBeats(sequence, index / 3.0, &start));
    OK(MusicSequenceGetSecondsForBeats(sequence, index / 3.0 + (Float32)(1 / 3.0), &end));
    if (end > 5.99) break;
    TRUE_(came(0x90, (UInt8)(40 + index), start * kRate) == 1);
    TRUE_(came(0x80, (UInt8)(40 + index), end * kRate) == 1);
    TRUE_(sound[llround(start * kRate)] >= 0.5f);
  }
  int loops = 0;
  for (double place = 0.5 + 1.75; ; place += 2) {
    double at;
    OK(MusicSequenceGetSecondsForBeats(sequence, place, &at));
    if (at > 5.99) break;
    TRUE_(came(0x91, 21, at * kRate) == 1);
    loops += 1;
  }
  TRUE_(loops >= 4);
  int of20 = 0;
  for (int index = 0; index < heardCount; index++) of20 += heard[index].status == 0x91 && heard[index].data1 == 20;
  TRUE_(of20 == 1);
  const double times[] = {1.5, 2, 2.5, 3, 3.5};
  double at[5];
  for (int index = 0; index < 5; index++) {
    OK(MusicSequenceGetSecondsForBeats(sequence, times[index], &at[index]));
    at[index] *= kRate;
  }
  TRUE_(came(0xB2, 7, at[0]) == 1);
  TRUE_(countOf(0xF0) == 3);
  double exact;
  OK(MusicSequenceGetSecondsForBeats(sequence, 2.25, &exact));
  TRUE_(came(0xF0, 0x7D, at[1]) == 1 && came(0xF0, 0x7E, exact * kRate) == 1);
  TRUE_(came(1, 3, at[2]) == 1 && came(2, 3, at[3]) == 1 && came(3, 9, at[4]) == 1);
  TRUE_(called.count == 1 && called.time == 4.5 && called.start <= 4.5 && called.end > 4.5 && called.track == other);

  // Muted from here on: its notes end.
  Boolean muted = true;
  const int before = heardCount;
  OK(MusicTrackSetProperty(looped, kSequenceTrackProperty_MuteStatus, &muted, sizeof muted));
  pull(head, kRate * 2, 512, NULL);
  for (int index = before; index < heardCount; index++) TRUE_(heard[index].status != 0x91);

  // A stop ends notes; the next start goes on at the same beat, with edits that were made meanwhile.
  OK(MusicPlayerStop(player));
  TRUE_(countOf(0x90) == countOf(0x80));
  OK(MusicPlayerGetTime(player, &beat));
  const int silent = heardCount;
  pull(head, kRate, 512, NULL);
  TRUE_(heardCount == silent);
  addNote(track, beat + 1, 0, 5, 100, 1);
  OK(MusicPlayerSetPlayRateScalar(player, 2));
  OK(MusicPlayerStart(player));
  const double start = pulledTime;
  double now, then;
  OK(MusicSequenceGetSecondsForBeats(sequence, beat, &now));
  OK(MusicSequenceGetSecondsForBeats(sequence, beat + 1, &then));
  pull(head, kRate * 2, 1000, NULL);
  TRUE_(came(0x90, 5, start + (then - now) * kRate / 2) == 1);

  // A jump while it plays: earlier settings are applied, and playing goes on there.
  OK(MusicPlayerSetPlayRateScalar(player, 1));
  OK(MusicPlayerSetTime(player, 2.25));
  const double jump = pulledTime;
  heardCount = 0;
  pull(head, kRate, 333, NULL);
  TRUE_(came(0xB2, 7, jump) == 1);
  OK(MusicSequenceGetSecondsForBeats(sequence, 2.25, &now));
  OK(MusicSequenceGetSecondsForBeats(sequence, 2.5, &then));
  TRUE_(came(1, 3, jump + (then - now) * kRate) == 1);
  UInt64 host = 0;
  OK(MusicPlayerGetHostTimeForBeats(player, 4, &host));
  OK(MusicPlayerGetBeatsForHostTime(player, host, &beat));
  TRUE_(fabs(beat - 4) < 1e-3);
  STATUS(MusicPlayerGetHostTimeForBeats(player, 1, &host), kAudio_ParamError);

  // An edit while it plays, in the very next slice; a curve; a solo.
  OK(MusicPlayerSetTime(player, 20));
  heardCount = 0;
  MusicTrack curve;
  UInt32 automated = 1;
  OK(MusicSequenceNewTrack(sequence, &curve));
  OK(MusicTrackSetProperty(curve, kSequenceTrackProperty_AutomatedParameters, &automated, sizeof automated));
  const ParameterEvent from = {4, 0, 0, 0}, to = {4, 0, 0, 1};
  OK(MusicTrackNewParameterEvent(curve, 20.5, &from));
  OK(MusicTrackNewParameterEvent(curve, 21.5, &to));
  addNote(track, 20.25, 0, 6, 100, 0.1);
  const double edited = pulledTime;
  pull(head, kRate * 2, 480, NULL);
  TRUE_(came(0x90, 6, edited + 0.25 * kRate * 60 / 61) == 1);
  int points = 0;
  for (int index = 0; index < heardCount; index++) {
    if (heard[index].status != 4) continue;
    const double progress = ((double)heard[index].frame - edited) / (kRate * 60 / 61.0) - 0.5;
    TRUE_(fabs(progress - heard[index].value) < 1e-3);
    points += 1;
  }
  TRUE_(points > 90 && points < 105);
  Boolean solo = true;
  OK(MusicTrackSetProperty(curve, kSequenceTrackProperty_SoloStatus, &solo, sizeof solo));
  OK(MusicPlayerSetTime(player, 0));
  heardCount = 0;
  pull(head, kRate, 480, NULL);
  TRUE_(countOf(0x90) == 0);

  // An instrument without support for universal packets gets its SysEx by slices.
  AUGraph plain;
  AudioUnit plainHead;
  OK(MusicPlayerStop(player));
  clickTakesLists = 0;
  plain = clickGraph(kAudioUnitSubType_GenericOutput, &plainHead, &instrument);
  OK(MusicSequenceSetAUGraph(sequence, plain));
  OK(MusicPlayerSetTime(player, 0));
  heardCount = 0;
  solo = false;
  OK(MusicTrackSetProperty(curve, kSequenceTrackProperty_SoloStatus, &solo, sizeof solo));
  OK(MusicPlayerStart(player));
  pull(plainHead, kRate * 3, 480, NULL);
  TRUE_(countOf(0xF0) == 3);
  OK(MusicPlayerStop(player));
  OK(MusicPlayerStart(player));

  // A sequence that goes away under its player.
  OK(DisposeMusicSequence(sequence));
  pull(plainHead, kRate, 480, NULL);
  Boolean playing = true;
  OK(MusicPlayerIsPlaying(player, &playing));
  TRUE_(!playing);
  OK(DisposeMusicPlayer(player));
  OK(DisposeAUGraph(graph));
  OK(DisposeAUGraph(plain));
  printf("failures %d\n", failures);
  return failures > 0;
}
