// A player that starts a graph with a device at its end: the device plays the notes at their frames.
// SPDX-License-Identifier: Apache-2.0
//
// Prints the sequence's seconds of each note.
#include "../Await.h"
#include "ClickInstrument.h"

static OSStatus rendered(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                         UInt32 frames, AudioBufferList *buffers) {
  (void)data, (void)flags, (void)time, (void)bus, (void)frames, (void)buffers;
  post();
  return noErr;
}

static Float64 beatOf(MusicPlayer player) {
  Float64 beat = 0;
  OK(MusicPlayerGetTime(player, &beat));
  return beat;
}

int main(void) {
  AudioUnit head;
  AUNode instrument;
  AUGraph graph = clickGraph(kAudioUnitSubType_DefaultOutput, &head, &instrument);
  MusicSequence sequence;
  MusicTrack track, tempo;
  MusicPlayer player;
  Boolean running = false;
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  OK(AudioUnitGetProperty(head, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, &size));
  format.mSampleRate = 48000;
  OK(AudioUnitSetProperty(head, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceSetAUGraph(sequence, graph));
  OK(MusicSequenceNewTrack(sequence, &track));
  OK(MusicSequenceGetTempoTrack(sequence, &tempo));
  OK(MusicTrackNewExtendedTempoEvent(tempo, 2, 90));
  for (int index = 0; index < 6; index++) {
    const MIDINoteMessage note = {0, (UInt8)(60 + index), 64, 0, 0.1f};
    Float64 seconds;
    OK(MusicTrackNewMIDINoteEvent(track, index / 1.5, &note));
    OK(MusicSequenceGetSecondsForBeats(sequence, index / 1.5, &seconds));
    printf("%.9f\n", seconds);
  }
  OK(AUGraphAddRenderNotify(graph, rendered, NULL));
  OK(NewMusicPlayer(&player));
  OK(MusicPlayerSetSequence(player, sequence));
  OK(MusicPlayerStart(player));
  OK(AUGraphIsRunning(graph, &running));
  TRUE_(running);
  AWAIT(beatOf(player) >= 8);
  OK(MusicPlayerStop(player));
  OK(DisposeMusicPlayer(player));
  OK(AUGraphIsRunning(graph, &running));
  TRUE_(!running);
  OK(DisposeMusicSequence(sequence));
  OK(DisposeAUGraph(graph));
  return failures > 0;
}
