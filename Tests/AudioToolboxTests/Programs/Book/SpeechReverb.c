// Chapter 7: a text is spoken through a reverb into the default output, for some seconds.
// SPDX-License-Identifier: Apache-2.0
//
//   SpeechReverb TEXT
#include <ApplicationServices/ApplicationServices.h>
#include <AudioToolbox/AudioToolbox.h>
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

static AUNode add(AUGraph graph, OSType type, OSType subtype) {
  const AudioComponentDescription wanted = {type, subtype, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = 0;
  must(AUGraphAddNode(graph, &wanted, &node), "AUGraphAddNode");
  return node;
}

int main(int argc, char **argv) {
  AUGraph graph;
  AudioUnit speaker, room;
  SpeechChannel channel;
  Boolean isRunning = false;
  UInt32 size = sizeof channel, kind = kReverbRoomType_LargeHall;
  must(NewAUGraph(&graph), "NewAUGraph");
  const AUNode speech = add(graph, kAudioUnitType_Generator, kAudioUnitSubType_SpeechSynthesis);
  const AUNode reverb = add(graph, kAudioUnitType_Effect, kAudioUnitSubType_MatrixReverb);
  const AUNode output = add(graph, kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  must(AUGraphOpen(graph), "AUGraphOpen");
  must(AUGraphConnectNodeInput(graph, speech, 0, reverb, 0), "to the reverb");
  must(AUGraphConnectNodeInput(graph, reverb, 0, output, 0), "to the output");
  must(AUGraphNodeInfo(graph, reverb, NULL, &room), "the reverb");
  must(AUGraphInitialize(graph), "AUGraphInitialize");
  must(
      AudioUnitSetProperty(room, kAudioUnitProperty_ReverbRoomType, kAudioUnitScope_Global, 0, &kind, sizeof kind),
      "the room");
  must(AUGraphNodeInfo(graph, speech, NULL, &speaker), "the speaker");
  must(
      AudioUnitGetProperty(speaker, kAudioUnitProperty_SpeechChannel, kAudioUnitScope_Global, 0, &channel, &size),
      "the channel");
  must(SetSpeechInfo(channel, soSpeechDoneCallBack, (const void *)done), "SetSpeechInfo");
  must(AUGraphStart(graph), "AUGraphStart");
  CFStringRef text = CFStringCreateWithCString(NULL, argc > 1 ? argv[1] : "Hello.", kCFStringEncodingUTF8);
  must(SpeakCFString(channel, text, NULL), "SpeakCFString");
  AWAIT(isDone);
  must(AUGraphIsRunning(graph, &isRunning), "AUGraphIsRunning");
  printf("%s\n", isRunning ? "still running" : "stopped");
  must(AUGraphStop(graph), "AUGraphStop");
  must(DisposeAUGraph(graph), "DisposeAUGraph");
  CFRelease(text);
  return 0;
}
