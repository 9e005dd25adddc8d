// Plays a second of sound through a queue, and counts where its time line breaks.
// SPDX-License-Identifier: Apache-2.0
//
// usage: QueueTimeline DEVICE
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Check.h"
#include "NamedDevice.h"

enum { RATE = 48000, FRAMES = 2400 };

static _Atomic int overloads, isOver;

static void again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data;
  if (atomic_load(&isOver)) return;
  memset(buffer->mAudioData, 1, FRAMES * 2);
  buffer->mAudioDataByteSize = FRAMES * 2;
  CHECK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

static OSStatus overloaded(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses, (void)data;
  atomic_fetch_add(&overloads, 1);
  return noErr;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  CFStringRef uid = CFStringCreateWithCString(NULL, argv[1], kCFStringEncodingUTF8);
  AudioDeviceID device = deviceNamed(argv[1]);
  AudioObjectPropertyAddress overload = {kAudioDeviceProcessorOverload, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectAddPropertyListener(device, &overload, overloaded, NULL));
  AudioStreamBasicDescription format = {RATE, kAudioFormatLinearPCM,
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 2, 1, 2, 1, 16, 0};
  AudioQueueRef queue;
  CHECK(AudioQueueNewOutput(&format, again, NULL, NULL, NULL, 0, &queue));
  CHECK(AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &uid, sizeof uid));
  for (int index = 0; index < 3; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, FRAMES * 2, &buffer));
    again(NULL, queue, buffer);
  }
  AudioQueueTimelineRef timeline;
  CHECK(AudioQueueCreateTimeline(queue, &timeline));
  CHECK(AudioQueueStart(queue, NULL));
  int breaks = 0, steps = 0;
  AudioTimeStamp time = {0};
  while (time.mSampleTime < RATE) {
    Boolean isBroken = false;
    double before = time.mSampleTime;
    CHECK(AudioQueueGetCurrentTime(queue, timeline, &time, &isBroken));
    breaks += isBroken;
    steps += time.mSampleTime < before;
    usleep(1000);
  }
  atomic_store(&isOver, 1);
  CHECK(AudioQueueStop(queue, true));
  printf("breaks %d, overloads %d, steps back %d\n", breaks, atomic_load(&overloads), steps);
  CHECK(AudioQueueDisposeTimeline(queue, timeline));
  CHECK(AudioQueueDispose(queue, true));
  CFRelease(uid);
  return 0;
}
