// Plays a tone through a procedure of the default device, a second through an older registration; prints the device's properties.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Procedures FRAMES
#include <CoreAudio/CoreAudio.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Check.h"
#include "LastNotice.h"
#include "NamedDevice.h"
#include "Rounds.h"

static _Atomic long played;
static _Atomic int notices, periods;
static double nextSample = -1;
static int jumps;

static OSStatus tone(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data) {
  (void)device, (void)now, (void)input, (void)inputTime;
  long *frame = data;
  AudioBuffer *buffer = &output->mBuffers[0];
  UInt32 frames = buffer->mDataByteSize / 4 / buffer->mNumberChannels;
  float *samples = buffer->mData;
  if (nextSample >= 0 && outputTime->mSampleTime != nextSample) jumps += 1;
  nextSample = outputTime->mSampleTime + frames;
  for (UInt32 index = 0; index < frames; index++) {
    float value = 0.25f * (float)sin(2 * M_PI * (double)((*frame)++ % 48) / 48);
    for (UInt32 channel = 0; channel < buffer->mNumberChannels; channel++) *samples++ += value;
  }
  atomic_fetch_add(&played, frames);
  post();
  return noErr;
}

static OSStatus same(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data) {
  (void)device, (void)now, (void)input, (void)inputTime, (void)outputTime;
  long *frame = data;
  AudioBuffer *buffer = &output->mBuffers[0];
  UInt32 frames = buffer->mDataByteSize / 4 / buffer->mNumberChannels;
  float *samples = buffer->mData;
  for (UInt32 index = 0; index < frames; index++) {
    for (UInt32 channel = 0; channel < buffer->mNumberChannels; channel++) {
      *samples++ = 0.25f * (float)sin(2 * M_PI * (double)(*frame % 48) / 48);
    }
    *frame += 1;
  }
  return noErr;
}

static OSStatus noticed(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)data;
  for (UInt32 index = 0; index < count; index++) {
    if (addresses[index].mSelector == kAudioDevicePropertyDeviceIsRunning) atomic_fetch_add(&notices, 1);
    if (addresses[index].mSelector == kAudioDevicePropertyBufferFrameSize) atomic_fetch_add(&periods, 1);
  }
  post();
  return noErr;
}

static AudioObjectPropertyAddress at(UInt32 selector, UInt32 scope) {
  AudioObjectPropertyAddress address = {selector, scope, kAudioObjectPropertyElementMain};
  return address;
}

static void describe(AudioDeviceID device) {
  AudioObjectPropertyAddress address = at(kAudioDevicePropertyDeviceUID, kAudioObjectPropertyScopeGlobal);
  CFStringRef uid = NULL;
  UInt32 size = sizeof uid;
  CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &uid));
  AudioDeviceID again = 0;
  size = sizeof again;
  address = at(kAudioHardwarePropertyTranslateUIDToDevice, kAudioObjectPropertyScopeGlobal);
  CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, sizeof uid, &uid, &size, &again));
  AudioDeviceID old = 0;
  AudioValueTranslation translation = {&uid, sizeof uid, &old, sizeof old};
  size = sizeof translation;
  CHECK(AudioHardwareGetProperty(kAudioHardwarePropertyDeviceForUID, &size, &translation));
  CFRelease(uid);
  printf("uid %s\n", again == device && old == device ? "translated" : "lost");
  Float64 rate = 0;
  size = sizeof rate;
  CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyNominalSampleRate, &size, &rate));
  UInt32 frames = 256;
  address = at(kAudioDevicePropertyBufferFrameSize, kAudioObjectPropertyScopeOutput);
  CHECK(AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof frames, &frames));
  frames = 0;
  size = sizeof frames;
  CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &frames));
  address = at(kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeOutput);
  CHECK(AudioObjectGetPropertyDataSize(device, &address, 0, NULL, &size));
  AudioBufferList *list = malloc(size);
  CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, list));
  printf("rate %.0f, %u frames, %u stream of %u\n", rate, frames, list->mNumberBuffers, list->mBuffers[0].mNumberChannels);
  free(list);
  address = at('none', kAudioObjectPropertyScopeGlobal);
  size = 4;
  printf("unknown %d, gone %d, small %d\n", AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &frames) == 'who?',
      AudioObjectGetPropertyDataSize(9999, &address, 0, NULL, &size) == '!obj',
      (address.mSelector = kAudioDevicePropertyNominalSampleRate,
          AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &frames) == '!siz'));
}

// One notice for each side that is listened to, and none where nothing changed.
static void period(AudioDeviceID device) {
  AudioObjectPropertyAddress sides[2] = {at(kAudioDevicePropertyBufferFrameSize, kAudioObjectPropertyScopeGlobal),
      at(kAudioDevicePropertyBufferFrameSize, kAudioObjectPropertyScopeOutput)};
  for (int side = 0; side < 2; side++) CHECK(AudioObjectAddPropertyListener(device, &sides[side], noticed, NULL));
  UInt32 frames[3] = {1024, 1024, 256};
  for (int index = 0; index < 3; index++) {
    CHECK(AudioObjectSetPropertyData(device, &sides[0], 0, NULL, sizeof frames[0], &frames[index]));
  }
  awaitLastNotice(device, kAudioDevicePropertyIOCycleUsage, kAudioObjectPropertyScopeGlobal, 0.5f);
  for (int side = 0; side < 2; side++) CHECK(AudioObjectRemovePropertyListener(device, &sides[side], noticed, NULL));
  AudioObjectPropertyAddress usage = at(kAudioDevicePropertyIOProcStreamUsage, kAudioObjectPropertyScopeOutput);
  AudioObjectPropertyAddress named = at(kAudioHardwarePropertyTranslateUIDToDevice, kAudioObjectPropertyScopeGlobal);
  Boolean isSettable = true;
  CHECK(AudioObjectIsPropertySettable(kAudioObjectSystemObject, &named, &isSettable));
  printf("periods told %d, usage %d, translation settable %d\n", atomic_load(&periods),
      AudioObjectHasProperty(device, &usage), isSettable);
}

int main(int argc, char **argv) {
  long wanted = argc > 1 ? atol(argv[1]) : 48000;
  AudioDeviceID device = defaultOutput();
  describe(device);
  period(device);
  AudioObjectPropertyAddress running = at(kAudioDevicePropertyDeviceIsRunning, kAudioObjectPropertyScopeGlobal);
  CHECK(AudioObjectAddPropertyListener(device, &running, noticed, NULL));
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  printf("stopped %d\n", AudioDeviceGetCurrentTime(device, &time) == 'stop');
  long first = 0, second = 0;
  AudioDeviceIOProcID token = NULL;
  CHECK(AudioDeviceCreateIOProcID(device, tone, &first, &token));
  CHECK(AudioDeviceAddIOProc(device, same, &second));
  CHECK(AudioDeviceStart(device, same));
  CHECK(AudioDeviceStart(device, token));
  AWAIT(atomic_load(&played) >= wanted);
  CHECK(AudioDeviceGetCurrentTime(device, &time));
  CHECK(AudioDeviceStop(device, token));
  long stopped = atomic_load(&played);
  CHECK(AudioDeviceStop(device, same));
  awaitRounds();
  printf("after the stop %ld, jumps %d, time %d\n", atomic_load(&played) - stopped, jumps, time.mSampleTime > 0);
  CHECK(AudioDeviceDestroyIOProcID(device, token));
  CHECK(AudioDeviceRemoveIOProc(device, same));
  CHECK(AudioObjectRemovePropertyListener(device, &running, noticed, NULL));
  printf("notices %d, no token %d\n", atomic_load(&notices) >= 2, AudioDeviceStart(device, token) == 'nope');
  return 0;
}
