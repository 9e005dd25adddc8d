// Graphs of many nodes and the bare calls of the same work, for `graph.c`.
// SPDX-License-Identifier: Apache-2.0
#include "graph-nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

UInt32 channelCount = 1;
const AudioComponentDescription *joint = &sumUnit;

void check(OSStatus status, const char *what) {
  if (status == noErr) return;
  fprintf(stderr, "%s: %d\n", what, (int)status);
  exit(1);
}

Float32 memory[kMaximumChannels][kMaximumFrames];
Float32 sound[kMaximumFrames];

__attribute__((constructor)) static void makeSound(void) {
  for (int frame = 0; frame < kMaximumFrames; ++frame) sound[frame] = (Float32)(frame % 64) / 128;
}

void renderGraph(Graph *graph, UInt32 frames, int slices) {
  List list;
  AudioTimeStamp stamp;
  memset(&stamp, 0, sizeof stamp);
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  for (int slice = 0; slice < slices; ++slice) {
    AudioUnitRenderActionFlags flags = 0;
    list.count = channelCount;
    for (UInt32 channel = 0; channel < channelCount; ++channel) {
      list.buffers[channel].mNumberChannels = 1;
      list.buffers[channel].mDataByteSize = frames * 4;
      list.buffers[channel].mData = memory[channel];
    }
    stamp.mSampleTime = graph->time;
    check(
        AudioUnitRender(graph->end, &flags, &stamp, 0, frames, (AudioBufferList *)&list),
        "rendering");
    graph->time += frames;
  }
}

static OSStatus source(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *list) {
  (void)refCon, (void)flags, (void)stamp, (void)bus;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel) {
    memcpy((&list->mBuffers[0] + channel)->mData, sound, frameCount * sizeof(Float32));
  }
  return noErr;
}

static AURenderCallbackStruct input = {source, NULL};

// Sets the input count of a built-in unit, and the benchmark's format on all its buses.
static void prepareJoint(AUGraph graph, AUNode node, UInt32 inputs) {
  AudioUnit unit;
  check(AUGraphNodeInfo(graph, node, NULL, &unit), "info");
  check(
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &inputs, sizeof inputs),
      "inputs");
  const AudioStreamBasicDescription format = streamFormat();
  for (UInt32 bus = 0; bus < inputs; ++bus) {
    AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus, &format, sizeof format);
  }
  AudioUnitSetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format);
}

int othersThan(int nodes, Boolean isWide) { return nodes - (isWide ? 2 : 1); }

Graph makeGraph(int nodes, Boolean isWide, const AudioComponentDescription *kind) {
  Graph result = {NULL, NULL, 0};
  AUNode end, last = 0;
  const int others = othersThan(nodes, isWide);
  check(NewAUGraph(&result.graph), "new");
  check(AUGraphAddNode(result.graph, &endUnit, &end), "add");
  if (isWide) {
    wantedInputs = (UInt32)others;
    check(AUGraphAddNode(result.graph, joint, &last), "add");
  }
  check(AUGraphOpen(result.graph), "open");
  if (isWide && joint != &sumUnit) prepareJoint(result.graph, last, (UInt32)others);
  // A chain of one node is the output unit alone.
  AUNode first = end, previous = 0;
  for (int index = 0; index < others; ++index) {
    AUNode node;
    check(AUGraphAddNode(result.graph, kind, &node), "add");
    if (kind != &gainUnit) {
      AudioUnit unit;
      AUGraphNodeInfo(result.graph, node, NULL, &unit);
      const AudioStreamBasicDescription format = streamFormat();
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format);
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format);
    }
    if (isWide) {
      check(AUGraphSetNodeInputCallback(result.graph, node, 0, &input), "callback");
      check(AUGraphConnectNodeInput(result.graph, node, 0, last, (UInt32)index), "connect");
    } else if (index == 0) {
      first = node;
    } else {
      check(AUGraphConnectNodeInput(result.graph, previous, 0, node, 0), "connect");
    }
    previous = node;
  }
  if (!isWide) {
    check(AUGraphSetNodeInputCallback(result.graph, first, 0, &input), "callback");
    last = previous;
  }
  if (others > 0) check(AUGraphConnectNodeInput(result.graph, last, 0, end, 0), "connect");
  check(AUGraphNodeInfo(result.graph, end, NULL, &result.end), "info");
  check(AUGraphInitialize(result.graph), "initialize");
  return result;
}

static Float32 branches[kMaximumNodes][kMaximumFrames];

void renderBare(int nodes, Boolean isWide, UInt32 frames, int slices) {
  for (int slice = 0; slice < slices; ++slice) {
    for (UInt32 channel = 0; channel < channelCount; ++channel) {
      if (isWide) {
        const int others = othersThan(nodes, isWide);
        for (int node = 0; node < others; ++node) {
          memcpy(branches[node], sound, frames * 4);
          bareGain(branches[node], frames, unity);
        }
        memcpy(memory[channel], branches[0], frames * 4);
        for (int node = 1; node < others; ++node) bareAdd(memory[channel], branches[node], frames);
        bareGain(memory[channel], frames, unity);
      } else {
        memcpy(memory[channel], sound, frames * 4);
        for (int node = 0; node < nodes; ++node) bareGain(memory[channel], frames, unity);
      }
    }
  }
}
