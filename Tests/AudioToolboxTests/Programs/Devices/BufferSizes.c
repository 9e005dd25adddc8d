// A device buffer of a size: a counting client of the default unit, and of an audio queue, in turn.
// SPDX-License-Identifier: Apache-2.0
//
// usage: BufferSizes FRAMES unit|late|queue COUNT
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Check.h"
#include "NamedDevice.h"

static sem_t done;
static long rendered, wanted;
static UInt32 mostFrames;

static void fill(float *samples, UInt32 frames) {
  for (UInt32 frame = 0; frame < frames; frame++, rendered++)
    samples[2 * frame] = samples[2 * frame + 1] = rendered < wanted ? (float)(rendered + 1) / 1048576 : 0;
  if (rendered >= wanted) sem_post(&done);
}

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)refCon, (void)flags, (void)time, (void)bus;
  if (frames > mostFrames) mostFrames = frames;
  fill(buffers->mBuffers[0].mData, frames);
  return noErr;
}

static void returned(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data;
  if (rendered >= wanted) return;
  fill(buffer->mAudioData, buffer->mAudioDataBytesCapacity / 8);
  buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
  CHECK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

static void setSize(UInt32 frames) {
  AudioObjectPropertyAddress address = {kAudioDevicePropertyBufferFrameSize, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectSetPropertyData(defaultOutput(), &address, 0, NULL, sizeof frames, &frames));
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  UInt32 frames = (UInt32)atoi(argv[1]);
  wanted = atol(argv[3]);
  sem_init(&done, 0, 0);
  AudioStreamBasicDescription format = {
      48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  if (strcmp(argv[2], "queue") == 0) {
    AudioQueueRef queue;
    setSize(frames);
    CHECK(AudioQueueNewOutput(&format, returned, NULL, NULL, NULL, 0, &queue));
    for (int index = 0; index < 3; index++) {
      AudioQueueBufferRef buffer;
      CHECK(AudioQueueAllocateBuffer(queue, 8 * 3000, &buffer));
      returned(NULL, queue, buffer);
    }
    CHECK(AudioQueueStart(queue, NULL));
    sem_wait(&done);
    CHECK(AudioQueueDispose(queue, false));
    return 0;
  }
  AudioComponentDescription description = {
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  AURenderCallbackStruct callback = {render, NULL};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  if (strcmp(argv[2], "unit") == 0) setSize(frames);
  CHECK(AudioUnitInitialize(unit));
  if (strcmp(argv[2], "late") == 0) setSize(frames);
  CHECK(AudioOutputUnitStart(unit));
  sem_wait(&done);
  CHECK(AudioOutputUnitStop(unit));
  UInt32 most = 0, size = sizeof most;
  CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most, &size));
  printf("within the slice %d\n", mostFrames <= most);
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
