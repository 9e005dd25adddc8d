// A graph that is initialized without a node, as programs do: nodes that are added later play.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"

static sem_t rendered;

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)refCon, (void)flags, (void)time, (void)bus, (void)frames, (void)buffers;
  sem_post(&rendered);
  return noErr;
}

int main(void) {
  AUGraph graph;
  AUNode node;
  Boolean before = 0, after = 1;
  AudioComponentDescription wanted = {
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AURenderCallbackStruct callback = {render, NULL};
  sem_init(&rendered, 0, 0);
  CHECK(NewAUGraph(&graph));
  CHECK(AUGraphOpen(graph));
  CHECK(AUGraphInitialize(graph));
  CHECK(AUGraphIsInitialized(graph, &before));
  CHECK(AUGraphAddNode(graph, &wanted, &node));
  CHECK(AUGraphSetNodeInputCallback(graph, node, 0, &callback));
  CHECK(AUGraphUpdate(graph, NULL));
  CHECK(AUGraphStart(graph));
  sem_wait(&rendered);
  CHECK(AUGraphStop(graph));
  CHECK(AUGraphUninitialize(graph));
  CHECK(AUGraphIsInitialized(graph, &after));
  printf("initialized %d, later %d\n", before, after);
  CHECK(DisposeAUGraph(graph));
  return 0;
}
