// A procedure stops itself in its call, and another is started meanwhile: whether that one is called, many times over.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Restart ROUNDS
#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../Await.h"
#include "Check.h"
#include "NamedDevice.h"

static AudioDeviceIOProcID once, after;
static _Atomic int hasStopped, calls;
static float level;

static OSStatus stop(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data) {
  (void)now, (void)input, (void)inputTime, (void)output, (void)outputTime, (void)data;
  if (!atomic_load(&hasStopped)) CHECK(AudioDeviceStop(device, once));
  atomic_store(&hasStopped, 1);
  post();
  return noErr;
}

static OSStatus play(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data) {
  (void)device, (void)now, (void)input, (void)inputTime, (void)outputTime, (void)data;
  float *samples = output->mBuffers[0].mData;
  for (UInt32 index = 0; index < output->mBuffers[0].mDataByteSize / 4; index++) samples[index] = level;
  atomic_fetch_add(&calls, 1);
  post();
  return noErr;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1, started = 0;
  AudioDeviceID device = defaultOutput();
  CHECK(AudioDeviceCreateIOProcID(device, stop, NULL, &once));
  CHECK(AudioDeviceCreateIOProcID(device, play, NULL, &after));
  for (int round = 1; round <= rounds; round++) {
    level = (float)round / 1024;
    atomic_store(&hasStopped, 0);
    atomic_store(&calls, 0);
    CHECK(AudioDeviceStart(device, once));
    AWAIT(atomic_load(&hasStopped));
    CHECK(AudioDeviceStart(device, after));
    AWAIT(atomic_load(&calls) >= 8);
    started += atomic_load(&calls) >= 8;
    CHECK(AudioDeviceStop(device, after));
  }
  printf("started %d of %d\n", started, rounds);
  CHECK(AudioDeviceDestroyIOProcID(device, once));
  CHECK(AudioDeviceDestroyIOProcID(device, after));
  return 0;
}
