// A thread of the program finishes its work between two slices of a counted device, however long it needs.
// SPDX-License-Identifier: Apache-2.0
//
// usage: CountedTurns SLICES
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <pthread.h>

#include "Check.h"

static sem_t work, over;
static atomic_long finished;
static long slices, wanted;

static void *worker(void *data) {
  (void)data;
  for (unsigned turn = 1; sem_wait(&work) == 0; turn++) {
    // From nothing to some tenths of a millisecond of a processor.
    for (volatile unsigned step = 0; step < (turn * 2654435761u >> 14); step++);
    atomic_fetch_add(&finished, 1);
  }
  return NULL;
}

static OSStatus render(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *sound) {
  (void)data, (void)flags, (void)time, (void)bus;
  float value = (float)atomic_load(&finished) / 1048576;
  for (UInt32 index = 0; index < sound->mNumberBuffers; index++) {
    float *samples = sound->mBuffers[index].mData;
    for (UInt32 place = 0; place < sound->mBuffers[index].mDataByteSize / 4; place++) samples[place] = value;
  }
  (void)frames;
  slices++;
  if (slices <= wanted) sem_post(&work);
  if (slices == wanted + 32) sem_post(&over);
  return noErr;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  wanted = atol(argv[1]);
  sem_init(&work, 0, 0);
  sem_init(&over, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  AudioComponentDescription description = {
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  AURenderCallbackStruct callback = {render, NULL};
  CHECK(AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioUnitInitialize(unit));
  CHECK(AudioOutputUnitStart(unit));
  sem_wait(&over);
  CHECK(AudioOutputUnitStop(unit));
  CHECK(AudioComponentInstanceDispose(unit));
  printf("finished %ld\n", atomic_load(&finished));
  return 0;
}
