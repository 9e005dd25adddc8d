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

#include "../Await.h"
#include "Check.h"
#include "NamedDevice.h"

enum { RATE = 48000, FRAMES = 2400 };

static _Atomic int overloads, isOver;

static void again(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data;
  post();
  if (atomic_load(&isOver)) return;
  memset(buffer->mAudioData, 1, FRAMES * 2);
  buffer->mAudioDataByteSize = FRAMES * 2;
  // While a stop returns buffers, it accepts none.
  OSStatus status = AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
  if (status != kAudioQueueErr_EnqueueDuringReset) CHECK(status);
}

static OSStatus overloaded(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses, (void)data;
  atomic_fetch_add(&overloads, 1);
  post();
  return noErr;
}

static AudioQueueRef queue;
static AudioQueueTimelineRef timeline;
static AudioTimeStamp now;
static int breaks, steps;

/// Reads the time, and returns whether a second is over.
static int isOneSecond(void) {
  Boolean isBroken = false;
  double before = now.mSampleTime;
  CHECK(AudioQueueGetCurrentTime(queue, timeline, &now, &isBroken));
  breaks += isBroken;
  steps += now.mSampleTime < before;
  return now.mSampleTime >= RATE;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  CFStringRef uid = CFStringCreateWithCString(NULL, argv[1], kCFStringEncodingUTF8);
  AudioDeviceID device = deviceNamed(argv[1]);
  AudioObjectPropertyAddress overload = {kAudioDeviceProcessorOverload, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectAddPropertyListener(device, &overload, overloaded, NULL));
  AudioStreamBasicDescription format = {RATE, kAudioFormatLinearPCM,
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 2, 1, 2, 1, 16, 0};
  CHECK(AudioQueueNewOutput(&format, again, NULL, NULL, NULL, 0, &queue));
  CHECK(AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &uid, sizeof uid));
  for (int index = 0; index < 3; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, FRAMES * 2, &buffer));
    again(NULL, queue, buffer);
  }
  CHECK(AudioQueueCreateTimeline(queue, &timeline));
  CHECK(AudioQueueStart(queue, NULL));
  AWAIT(isOneSecond());
  // Overloads are announced on another thread.
  AWAIT(atomic_load(&overloads) >= breaks);
  atomic_store(&isOver, 1);
  CHECK(AudioQueueStop(queue, true));
  printf("breaks %d, overloads %d, steps back %d\n", breaks, atomic_load(&overloads), steps);
  CHECK(AudioQueueDisposeTimeline(queue, timeline));
  CHECK(AudioQueueDispose(queue, true));
  CFRelease(uid);
  return 0;
}
