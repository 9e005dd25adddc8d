// Plays while devices come and go: the notifications, the unit's current device, and the state of the session.
// SPDX-License-Identifier: Apache-2.0
//
// usage: HotPlug def|ahal UID; ends when the first device is gone and the unit is as expected.
#include <AudioToolbox/AudioSession.h>
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../AwaitLoop.h"
#include "Check.h"
#include "NamedDevice.h"

static _Atomic int devices, defaults, alive, running, begun, ended;
static _Atomic long slices;

static OSStatus told(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object;
  (void)data;
  for (UInt32 index = 0; index < count; index++) {
    switch (addresses[index].mSelector) {
    case kAudioHardwarePropertyDevices: atomic_fetch_add(&devices, 1); break;
    case kAudioHardwarePropertyDefaultOutputDevice: atomic_fetch_add(&defaults, 1); break;
    case kAudioDevicePropertyDeviceIsAlive: atomic_fetch_add(&alive, 1); break;
    }
  }
  postToLoop();
  return noErr;
}

static void ofUnit(void *data, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element) {
  (void)data, (void)unit, (void)scope, (void)element;
  if (property == kAudioOutputUnitProperty_IsRunning) atomic_fetch_add(&running, 1);
  postToLoop();
}

static void interrupted(void *data, UInt32 state) {
  (void)data;
  atomic_fetch_add(state == kAudioSessionBeginInterruption ? &begun : &ended, 1);
  postToLoop();
}

static OSStatus constant(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)data, (void)flags, (void)time, (void)bus;
  for (UInt32 index = 0; index < buffers->mNumberBuffers; index++) {
    float *samples = buffers->mBuffers[index].mData;
    UInt32 count = frames * buffers->mBuffers[index].mNumberChannels;
    for (UInt32 sample = 0; sample < count; sample++) samples[sample] = 0.25f;
  }
  atomic_fetch_add(&slices, 1);
  post();
  return noErr;
}

static void listen(AudioObjectID object, UInt32 selector) {
  AudioObjectPropertyAddress address = {selector, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectAddPropertyListener(object, &address, told, NULL));
}

static UInt32 ofUnitNow(AudioUnit unit, AudioUnitPropertyID property) {
  UInt32 value = 0, size = sizeof value;
  CHECK(AudioUnitGetProperty(unit, property, kAudioUnitScope_Global, 0, &value, &size));
  return value;
}

// Whether the first device has gone, and the unit is as expected.
static int isDone(AudioUnit unit, AudioObjectID first, int follows) {
  int isRunning = (int)ofUnitNow(unit, kAudioOutputUnitProperty_IsRunning);
  AudioObjectID present = ofUnitNow(unit, kAudioOutputUnitProperty_CurrentDevice);
  return atomic_load(&alive) && atomic_load(&devices) &&
      (follows ? present != first && isRunning && atomic_load(&ended) : !isRunning && atomic_load(&running) > 1);
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  beginAwaitLoop();
  setvbuf(stdout, NULL, _IOLBF, 0);
  int follows = !strcmp(argv[1], "def");
  listen(kAudioObjectSystemObject, kAudioHardwarePropertyDevices);
  listen(kAudioObjectSystemObject, kAudioHardwarePropertyDefaultOutputDevice);
  CHECK(AudioSessionInitialize(NULL, NULL, interrupted, NULL));
  CHECK(AudioSessionSetActive(true));
  AudioComponentDescription description = {.componentType = kAudioUnitType_Output,
      .componentSubType = follows ? kAudioUnitSubType_DefaultOutput : kAudioUnitSubType_HALOutput,
      .componentManufacturer = kAudioUnitManufacturer_Apple};
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  AudioObjectID first = deviceNamed(argv[2]);
  if (!follows) {
    CHECK(AudioUnitSetProperty(
        unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &first, sizeof first));
  }
  AURenderCallbackStruct callback = {constant, NULL};
  CHECK(AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, ofUnit, NULL));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_CurrentDevice, ofUnit, NULL));
  listen(first, kAudioDevicePropertyDeviceIsAlive);
  CHECK(AudioUnitInitialize(unit));
  CHECK(AudioOutputUnitStart(unit));
  printf("playing on the first %d\n", ofUnitNow(unit, kAudioOutputUnitProperty_CurrentDevice) == first);
  // The session notifies on this run loop, the device and the unit on other threads.
  AWAIT_ON_LOOP(isDone(unit, first, follows));
  UInt32 lives = 1, size = sizeof lives;
  AudioObjectPropertyAddress address = {kAudioDevicePropertyDeviceIsAlive, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectGetPropertyData(first, &address, 0, NULL, &size, &lives));
  printf("devices %d, alive %d to %u\n", devices > 0, alive > 0, lives);
  if (follows) {
    printf("default %d, interruption %d %d\n", defaults > 0, begun, ended);
    // It plays on.
    const long before = atomic_load(&slices);
    AWAIT(atomic_load(&slices) > before + 16);
  }
  printf("running %u, on the first %d\n", ofUnitNow(unit, kAudioOutputUnitProperty_IsRunning),
      ofUnitNow(unit, kAudioOutputUnitProperty_CurrentDevice) == first);
  OSStatus status = AudioOutputUnitStop(unit);
  printf("stop %d, start again %d\n", (int)status, follows ? 0 : AudioOutputUnitStart(unit) != noErr);
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
