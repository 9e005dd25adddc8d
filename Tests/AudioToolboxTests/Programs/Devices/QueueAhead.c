// Buffers of a queue are the program's again when they were played, and a queue holds two periods of its device.
// SPDX-License-Identifier: Apache-2.0
//
// usage: QueueAhead BUFFER-FRAMES CHANNELS COUNT stop|drop
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Check.h"

enum { bufferCount = 24 };

static sem_t ended, half;
static UInt32 bufferFrames, channels;
static long enqueued, wanted, returned;
static int early;

static void fill(AudioQueueRef queue, AudioQueueBufferRef buffer) {
  float *samples = buffer->mAudioData;
  for (UInt32 frame = 0; frame < bufferFrames; frame++, enqueued++)
    for (UInt32 channel = 0; channel < channels; channel++)
      samples[channels * frame + channel] = (float)(enqueued + 1) / 1048576;
  buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
  // While a stop returns buffers, none is accepted.
  OSStatus status = AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
  if (status != kAudioQueueErr_EnqueueDuringReset) CHECK(status);
}

static void isReturned(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data;
  AudioTimeStamp time;
  returned += bufferFrames;
  if (AudioQueueGetCurrentTime(queue, NULL, &time, NULL) == noErr) {
    if (time.mSampleTime < (double)returned) early++;
  }
  if (enqueued < wanted) fill(queue, buffer);
  if (returned >= wanted / 2) sem_post(&half);
}

static void changed(void *data, AudioQueueRef queue, AudioQueuePropertyID property) {
  (void)data;
  UInt32 running = 1, size = sizeof running;
  CHECK(AudioQueueGetProperty(queue, property, &running, &size));
  if (!running) sem_post(&ended);
}

int main(int argc, char **argv) {
  if (argc < 5) return 64;
  bufferFrames = (UInt32)atoi(argv[1]);
  channels = (UInt32)atoi(argv[2]);
  wanted = atol(argv[3]);
  sem_init(&ended, 0, 0);
  sem_init(&half, 0, 0);
  AudioStreamBasicDescription format = {48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 4 * channels,
      1, 4 * channels, channels, 32, 0};
  AudioQueueRef queue;
  CHECK(AudioQueueNewOutput(&format, isReturned, NULL, NULL, NULL, 0, &queue));
  CHECK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, changed, NULL));
  for (int index = 0; index < bufferCount; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, 4 * channels * bufferFrames, &buffer));
    fill(queue, buffer);
  }
  CHECK(AudioQueueStart(queue, NULL));
  sem_wait(&half);
  int isDropped = strcmp(argv[4], "drop") == 0;
  if (!isDropped) while (returned < wanted) sem_wait(&half);
  CHECK(AudioQueueStop(queue, isDropped));
  sem_wait(&ended);
  printf("early %d\n", early);
  CHECK(AudioQueueDispose(queue, true));
  return 0;
}
