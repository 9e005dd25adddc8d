// Plays by one unit on a device; at SIGUSR1 starts another that wants its input, too, which may not be used by then.
// SPDX-License-Identifier: Apache-2.0
//
// usage: FurtherSide DEVICE
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"
#include "NamedDevice.h"

static _Atomic int calls;

static OSStatus play(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  (void)data, (void)flags, (void)time, (void)bus, (void)frames;
  for (UInt32 index = 0; index < list->mNumberBuffers; index++)
    memset(list->mBuffers[index].mData, 0, list->mBuffers[index].mDataByteSize);
  atomic_fetch_add(&calls, 1);
  post();
  return noErr;
}

static AudioUnit unit(AudioDeviceID device, UInt32 hasInput) {
  AudioComponentDescription wanted = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AURenderCallbackStruct callback = {play, NULL};
  AudioUnit made;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &made));
  CHECK(AudioUnitSetProperty(made, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &hasInput, sizeof hasInput));
  CHECK(AudioUnitSetProperty(
      made, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &device, sizeof device));
  CHECK(AudioUnitSetProperty(
      made, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioUnitInitialize(made));
  return made;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  sigset_t told;
  int number;
  sigemptyset(&told);
  sigaddset(&told, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &told, NULL);
  AudioDeviceID device = deviceNamed(argv[1]);
  AudioUnit first = unit(device, 0), second = unit(device, 1);
  CHECK(AudioOutputUnitStart(first));
  printf("ready\n");
  fflush(stdout);
  sigwait(&told, &number);
  OSStatus status = AudioOutputUnitStart(second);
  int before = atomic_load(&calls);
  AWAIT(atomic_load(&calls) >= before + 10);
  printf("second %d, the first goes on %d\n", status == noErr, atomic_load(&calls) >= before + 10);
  CHECK(AudioOutputUnitStop(first));
  CHECK(AudioComponentInstanceDispose(first));
  CHECK(AudioComponentInstanceDispose(second));
  return 0;
}
