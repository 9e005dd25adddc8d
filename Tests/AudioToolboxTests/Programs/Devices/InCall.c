// Disposes output units in calls of their device: their own, and those of another unit. Freed memory is overwritten.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

enum { kTimes = 50 };

static AudioUnit own, other;
static _Atomic int disposed, calls, otherCalls, isOtherGone, lateCalls;
static OSStatus statuses[3];

static void silence(AudioBufferList *list) {
  for (UInt32 index = 0; index < list->mNumberBuffers; index++)
    memset(list->mBuffers[index].mData, 0, list->mBuffers[index].mDataByteSize);
}

static OSStatus end(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  (void)data, (void)flags, (void)time, (void)bus, (void)frames;
  silence(list);
  statuses[0] = AudioOutputUnitStop(own);
  statuses[1] = AudioUnitUninitialize(own);
  statuses[2] = AudioComponentInstanceDispose(own);
  atomic_fetch_add(&disposed, 1);
  post();
  return noErr;
}

static OSStatus endOther(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
  (void)data, (void)flags, (void)time, (void)bus, (void)frames;
  silence(list);
  if (atomic_load(&otherCalls) > 0 && !atomic_load(&isOtherGone)) {
    AudioComponentInstanceDispose(other);
    atomic_store(&isOtherGone, 1);
  }
  if (atomic_load(&isOtherGone)) atomic_fetch_add(&calls, 1);
  post();
  return noErr;
}

static OSStatus count(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  (void)data, (void)flags, (void)time, (void)bus, (void)frames;
  silence(list);
  atomic_fetch_add(&otherCalls, 1);
  if (atomic_load(&isOtherGone)) atomic_fetch_add(&lateCalls, 1);
  return noErr;
}

static AudioUnit unit(AURenderCallback procedure) {
  AudioComponentDescription wanted = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AURenderCallbackStruct callback = {procedure, NULL};
  AudioUnit made;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &made));
  CHECK(AudioUnitSetProperty(
      made, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioUnitInitialize(made));
  return made;
}

int main(void) {
  mallopt(M_PERTURB, 0xA5);
  for (int index = 0; index < kTimes; index++) {
    own = unit(end);
    CHECK(AudioOutputUnitStart(own));
    AWAIT(atomic_load(&disposed) == index + 1);
  }
  printf("stop %d, uninitialize %d, dispose %d, %d times\n", statuses[0], statuses[1], statuses[2], atomic_load(&disposed));
  own = unit(endOther);
  other = unit(count);
  CHECK(AudioOutputUnitStart(own));
  CHECK(AudioOutputUnitStart(other));
  AWAIT(atomic_load(&calls) >= 10);
  CHECK(AudioOutputUnitStop(own));
  printf("calls of the other after its end: %d\n", atomic_load(&lateCalls));
  CHECK(AudioComponentInstanceDispose(own));
  return 0;
}
