// A procedure that is started at a time of its device: its first cycle begins there or after it.
// SPDX-License-Identifier: Apache-2.0
//
// usage: StartAtTime FRAME
#include <CoreAudio/CoreAudio.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"
#include "NamedDevice.h"

static sem_t done;
static int calls;
static double first;

static OSStatus play(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data) {
  (void)device, (void)now, (void)input, (void)inputTime, (void)data;
  if (calls++ == 0) first = outputTime->mSampleTime;
  float *samples = output->mBuffers[0].mData;
  for (UInt32 index = 0; index < output->mBuffers[0].mDataByteSize / 4; index++) samples[index] = 0.5f;
  if (calls == 20) sem_post(&done);
  return noErr;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  sem_init(&done, 0, 0);
  AudioObjectID device = defaultOutput();
  AudioDeviceIOProcID token;
  CHECK(AudioDeviceCreateIOProcID(device, play, NULL, &token));
  AudioTimeStamp time = {.mSampleTime = atof(argv[1]), .mFlags = kAudioTimeStampSampleTimeValid}, none = {0};
  printf("no time %d\n", AudioDeviceStartAtTime(device, token, &none, 0) == kAudioHardwareIllegalOperationError);
  CHECK(AudioDeviceStartAtTime(device, token, &time, 0));
  sem_wait(&done);
  printf("not before %d, within a period %d\n", first >= time.mSampleTime, first < time.mSampleTime + 512);
  AudioDeviceIOProcID second;
  CHECK(AudioDeviceCreateIOProcID(device, play, NULL, &second));
  CHECK(AudioDeviceStop(device, token));
  CHECK(AudioDeviceDestroyIOProcID(device, token));
  CHECK(AudioDeviceDestroyIOProcID(device, second));
  return 0;
}
