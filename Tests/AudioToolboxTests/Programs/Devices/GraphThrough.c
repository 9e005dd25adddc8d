// A graph with one I/O unit at both ends: the recording goes through a mixer at half its level, and is played; or straight.
// SPDX-License-Identifier: Apache-2.0
//
// usage: GraphThrough mixer|straight
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

static void changed(void *data, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element) {
  (void)data, (void)unit, (void)property, (void)scope, (void)element;
  post();
}

static UInt32 isRunning(AudioUnit unit) {
  UInt32 running = 1, size = sizeof running;
  CHECK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &running, &size));
  return running;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  AUGraph graph;
  CHECK(NewAUGraph(&graph));
  AudioComponentDescription io = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentDescription mixer = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode ioNode, mixerNode, second;
  CHECK(AUGraphAddNode(graph, &io, &ioNode));
  printf("second output node %d\n", (int)AUGraphAddNode(graph, &io, &second));
  CHECK(AUGraphAddNode(graph, &mixer, &mixerNode));
  CHECK(AUGraphOpen(graph));
  AudioUnit unit, mixing;
  CHECK(AUGraphNodeInfo(graph, ioNode, NULL, &unit));
  CHECK(AUGraphNodeInfo(graph, mixerNode, NULL, &mixing));
  UInt32 one = 1, size;
  CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one, sizeof one));
  AudioStreamBasicDescription format;
  size = sizeof format;
  CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &format, &size));
  format.mFormatFlags |= kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerFrame = format.mBytesPerPacket = 4;
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof format));
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  if (strcmp(argv[1], "mixer") == 0) {
    CHECK(AudioUnitSetProperty(mixing, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &one, sizeof one));
    CHECK(AudioUnitSetProperty(mixing, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format));
    CHECK(AUGraphConnectNodeInput(graph, ioNode, 1, mixerNode, 0));
    CHECK(AUGraphConnectNodeInput(graph, mixerNode, 0, ioNode, 0));
  } else {
    CHECK(AUGraphConnectNodeInput(graph, ioNode, 1, ioNode, 0));
  }
  UInt32 count = 0;
  CHECK(AUGraphCountNodeInteractions(graph, ioNode, &count));
  printf("interactions %u\n", count);
  CHECK(AUGraphInitialize(graph));
  if (strcmp(argv[1], "mixer") == 0) {
    CHECK(AudioUnitSetParameter(mixing, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5f, 0));
  }
  CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, changed, NULL));
  CHECK(AUGraphStart(graph));
  AWAIT(!isRunning(unit));
  printf("running %u\n", isRunning(unit));
  CHECK(AUGraphStop(graph));
  CHECK(AUGraphUninitialize(graph));
  CHECK(DisposeAUGraph(graph));
  return 0;
}
