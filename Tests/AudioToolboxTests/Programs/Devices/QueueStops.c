// A queue that is stopped or reset in its own callback, or stopped from outside: prints the fate of its buffers.
// SPDX-License-Identifier: Apache-2.0
//
// usage: QueueStops output|input thread|loop stop|reset|outside
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Check.h"

enum { bufferFrames = 1024, bufferCount = 3, wanted = 6 };

static const char *way;
static _Atomic int calls, callsAfter, isStopped;

static void called(AudioQueueRef queue, AudioQueueBufferRef buffer) {
  int number = atomic_fetch_add(&calls, 1) + 1;
  if (atomic_load(&isStopped)) atomic_fetch_add(&callsAfter, 1);
  if (number < wanted || strcmp(way, "outside") == 0) {
    buffer->mAudioDataByteSize = bufferFrames * 8;
    // While a stop returns buffers, it accepts none.
    OSStatus status = AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    if (status != kAudioQueueErr_EnqueueDuringReset) CHECK(status);
  } else if (strcmp(way, "stop") == 0) {
    CHECK(AudioQueueStop(queue, true));
  } else {
    CHECK(AudioQueueReset(queue));
  }
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

static void turn(void) {
  if (CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.002, false) == kCFRunLoopRunFinished) usleep(2000);
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  int isInput = strcmp(argv[1], "input") == 0;
  CFRunLoopRef loop = strcmp(argv[2], "loop") == 0 ? CFRunLoopGetCurrent() : NULL;
  way = argv[3];
  AudioStreamBasicDescription format = {
      48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  AudioQueueRef queue;
  if (isInput) CHECK(AudioQueueNewInput(&format, recorded, NULL, loop, NULL, 0, &queue));
  else CHECK(AudioQueueNewOutput(&format, played, NULL, loop, NULL, 0, &queue));
  for (int index = 0; index < bufferCount; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, bufferFrames * 8, &buffer));
    memset(buffer->mAudioData, 0, bufferFrames * 8);
    buffer->mAudioDataByteSize = bufferFrames * 8;
    CHECK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
  }
  CHECK(AudioQueueStart(queue, NULL));
  for (int tries = 0; tries < 5000 && atomic_load(&calls) < wanted; tries++) turn();
  if (strcmp(way, "outside") == 0) {
    CHECK(AudioQueueStop(queue, true));
    atomic_store(&isStopped, 1);
  }
  for (int tries = 0; tries < 20; tries++) turn();
  UInt32 isRunning = 9, size = sizeof isRunning;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &isRunning, &size));
  printf("called %d, after the stop %d, running %u\n", atomic_load(&calls) >= wanted, atomic_load(&callsAfter), isRunning);
  CHECK(AudioQueueDispose(queue, true));
  return 0;
}
