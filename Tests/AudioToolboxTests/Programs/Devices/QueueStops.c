// A queue that is stopped or reset in its own callback, or stopped from outside: prints the fate of its buffers.
// SPDX-License-Identifier: Apache-2.0
//
// usage: QueueStops output|input thread|loop stop|reset|outside
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../AwaitLoop.h"
#include "Check.h"

enum { bufferFrames = 1024, bufferCount = 3, wanted = 6 };

static const char *way;
static _Atomic int calls, callsAfter, isStopped, isDone, rounds;

static void called(AudioQueueRef queue, AudioQueueBufferRef buffer) {
  int number = atomic_fetch_add(&calls, 1) + 1;
  if (atomic_load(&isStopped)) atomic_fetch_add(&callsAfter, 1);
  if (number < wanted || strcmp(way, "outside") == 0) {
    buffer->mAudioDataByteSize = bufferFrames * 8;
    // While a stop returns buffers, it accepts none.
    OSStatus status = AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    if (status != kAudioQueueErr_EnqueueDuringReset) CHECK(status);
  } else {
    CHECK(strcmp(way, "stop") == 0 ? AudioQueueStop(queue, true) : AudioQueueReset(queue));
    atomic_store(&isDone, 1);
  }
  postToLoop();
}

static void played(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data;
  called(queue, buffer);
}

static void recorded(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *time,
    UInt32 count, const AudioStreamPacketDescription *packets) {
  (void)data, (void)time, (void)count, (void)packets;
  called(queue, buffer);
}

// A further queue that plays, or records: the first would be called back meanwhile.
static void again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data;
  atomic_fetch_add(&rounds, 1);
  OSStatus status = AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
  if (status != kAudioQueueErr_EnqueueDuringReset) CHECK(status);
  postToLoop();
}

static void recordedAgain(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *time,
    UInt32 count, const AudioStreamPacketDescription *packets) {
  (void)time, (void)count, (void)packets;
  again(data, queue, buffer);
}

// Fills a queue with silence and starts it.
static void start(AudioQueueRef queue) {
  for (int index = 0; index < bufferCount; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, bufferFrames * 8, &buffer));
    memset(buffer->mAudioData, 0, bufferFrames * 8);
    buffer->mAudioDataByteSize = bufferFrames * 8;
    CHECK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
  }
  CHECK(AudioQueueStart(queue, NULL));
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  int isInput = strcmp(argv[1], "input") == 0;
  CFRunLoopRef loop = strcmp(argv[2], "loop") == 0 ? CFRunLoopGetCurrent() : NULL;
  way = argv[3];
  AudioStreamBasicDescription format = {
      48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  AudioQueueRef queue, other;
  beginAwaitLoop();
  if (isInput) CHECK(AudioQueueNewInput(&format, recorded, NULL, loop, NULL, 0, &queue));
  else CHECK(AudioQueueNewOutput(&format, played, NULL, loop, NULL, 0, &queue));
  start(queue);
  if (strcmp(way, "outside") == 0) {
    AWAIT_ON_LOOP(atomic_load(&calls) >= wanted);
    CHECK(AudioQueueStop(queue, true));
    atomic_store(&isStopped, 1);
  }
  AWAIT_ON_LOOP(atomic_load(&isDone) || atomic_load(&isStopped));
  if (isInput) CHECK(AudioQueueNewInput(&format, recordedAgain, NULL, loop, NULL, 0, &other));
  else CHECK(AudioQueueNewOutput(&format, again, NULL, loop, NULL, 0, &other));
  start(other);
  AWAIT_ON_LOOP(atomic_load(&rounds) >= wanted);
  UInt32 isRunning = 9, size = sizeof isRunning;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &isRunning, &size));
  printf("called %d, after the stop %d, running %u\n", atomic_load(&calls) >= wanted, atomic_load(&callsAfter), isRunning);
  CHECK(AudioQueueDispose(other, true));
  CHECK(AudioQueueDispose(queue, true));
  return 0;
}
