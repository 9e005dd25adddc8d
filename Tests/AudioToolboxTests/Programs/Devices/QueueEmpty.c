// Buffers without bytes between others: each is returned in its turn. A format without sizes is that of packed samples.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"

enum { bufferCount = 4, bufferBytes = 4096 };

static AudioQueueBufferRef buffers[bufferCount];
static int order[bufferCount], count;
static sem_t all;

static void returned(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data, (void)queue;
  for (int place = 0; place < bufferCount && count < bufferCount; place++)
    if (buffers[place] == buffer) {
      order[count++] = place;
      break;
    }
  if (count == bufferCount) sem_post(&all);
}

int main(void) {
  sem_init(&all, 0, 0);
  AudioStreamBasicDescription format = {48000, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger, 0, 0, 0, 2, 16, 0};
  AudioQueueRef queue;
  AudioQueueBufferRef large;
  CHECK(AudioQueueNewOutput(&format, returned, NULL, NULL, NULL, 0, &queue));
  printf("1 GiB %d\n", (int)AudioQueueAllocateBuffer(queue, 1u << 30, &large));
  for (int place = 0; place < bufferCount; place++) {
    CHECK(AudioQueueAllocateBuffer(queue, bufferBytes, &buffers[place]));
    // The first and the third have no bytes.
    buffers[place]->mAudioDataByteSize = place % 2 ? bufferBytes : 0;
    CHECK(AudioQueueEnqueueBuffer(queue, buffers[place], 0, NULL));
  }
  CHECK(AudioQueueStart(queue, NULL));
  sem_wait(&all);
  printf("order %d %d %d %d\n", order[0], order[1], order[2], order[3]);
  CHECK(AudioQueueDispose(queue, true));
  return 0;
}
