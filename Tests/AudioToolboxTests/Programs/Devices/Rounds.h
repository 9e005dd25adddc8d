// Slices of the default device that are counted: its other clients would be called meanwhile.
// SPDX-License-Identifier: Apache-2.0
#ifndef ROUNDS_H
#define ROUNDS_H
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

static _Atomic int roundCount;

static inline OSStatus countRound(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)data, (void)flags, (void)time, (void)bus, (void)frames;
  for (UInt32 index = 0; index < buffers->mNumberBuffers; index++)
    memset(buffers->mBuffers[index].mData, 0, buffers->mBuffers[index].mDataByteSize);
  atomic_fetch_add(&roundCount, 1);
  post();
  return noErr;
}

// Plays some slices of silence on the default device.
static inline void awaitRounds(void) {
  const AudioComponentDescription wanted = {
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple, 0, 0};
  const AURenderCallbackStruct callback = {countRound, NULL};
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit));
  CHECK(AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioUnitInitialize(unit));
  CHECK(AudioOutputUnitStart(unit));
  AWAIT(atomic_load(&roundCount) >= 16);
  CHECK(AudioOutputUnitStop(unit));
  CHECK(AudioComponentInstanceDispose(unit));
}

#endif
