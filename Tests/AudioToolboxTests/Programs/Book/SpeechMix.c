// Chapter 8: a voice and another sound are mixed into the default output.
// SPDX-License-Identifier: Apache-2.0
//
// The other sound is a tone on both sides, where the book has an input.
#include <ApplicationServices/ApplicationServices.h>
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../Await.h"

static volatile int isDone;

static void done(SpeechChannel channel, SRefCon refCon) {
  (void)channel, (void)refCon;
  isDone = 1;
  post();
}

static void must(OSStatus status, const char *what) {
  if (status == noErr) return;
  fprintf(stderr, "%s: %d\n", what, (int)status);
  exit(1);
}

static OSStatus tone(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  double *phase = refCon;
  (void)flags, (void)stamp, (void)bus;
  for (UInt32 frame = 0; frame < frames; frame++, *phase += 6.283185307179586 * 441 / 44100) {
    for (UInt32 index = 0; index < list->mNumberBuffers; index++) {
      ((Float32 *)list->mBuffers[index].mData)[frame] = 0.05f * (Float32)sin(*phase);
    }
  }
  return noErr;
}

static AUNode add(AUGraph graph, OSType type, OSType subtype) {
  const AudioComponentDescription wanted = {type, subtype, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = 0;
  must(AUGraphAddNode(graph, &wanted, &node), "AUGraphAddNode");
  return node;
}

int main(void) {
  AUGraph graph;
  AudioUnit speaker;
  SpeechChannel channel;
  double phase = 0;
  UInt32 size = sizeof channel;
  must(NewAUGraph(&graph), "NewAUGraph");
  const AUNode speech = add(graph, kAudioUnitType_Generator, kAudioUnitSubType_SpeechSynthesis);
  const AUNode mixer = add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer);
  const AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  must(AUGraphOpen(graph), "AUGraphOpen");
  const AURenderCallbackStruct source = {tone, &phase};
  must(AUGraphSetNodeInputCallback(graph, mixer, 0, &source), "the tone");
  must(AUGraphConnectNodeInput(graph, speech, 0, mixer, 1), "to the mixer");
  must(AUGraphConnectNodeInput(graph, mixer, 0, output, 0), "to the output");
  must(AUGraphInitialize(graph), "AUGraphInitialize");
  must(AUGraphNodeInfo(graph, speech, NULL, &speaker), "the speaker");
  must(
      AudioUnitGetProperty(speaker, kAudioUnitProperty_SpeechChannel, kAudioUnitScope_Global, 0, &channel, &size),
      "the channel");
  must(SetSpeechInfo(channel, soSpeechDoneCallBack, (const void *)done), "SetSpeechInfo");
  must(AUGraphStart(graph), "AUGraphStart");
  must(SpeakCFString(channel, CFSTR("The voice is mixed with a tone."), NULL), "SpeakCFString");
  AWAIT(isDone);
  must(AUGraphStop(graph), "AUGraphStop");
  must(DisposeAUGraph(graph), "DisposeAUGraph");
  return 0;
}
