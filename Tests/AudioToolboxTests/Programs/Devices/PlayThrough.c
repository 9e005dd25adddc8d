// Plays its input: an I/O unit whose input callback renders element 1, and whose render callback plays it.
// SPDX-License-Identifier: Apache-2.0
//
// usage: PlayThrough SUBTYPE FRAMES
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

static AudioUnit unit;
static _Atomic long recorded, played, wrong;
static float memory[2][8192];
static UInt32 inMemory;
static double firstHeard = -1, firstPlayed = -1;

static OSStatus hear(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *nothing) {
  (void)refCon;
  if (bus != 1 || nothing != NULL) atomic_fetch_add(&wrong, 1);
  if (firstHeard < 0) firstHeard = time->mSampleTime;
  struct {
    AudioBufferList list;
    AudioBuffer second;
  } buffers;
  buffers.list.mNumberBuffers = 2;
  for (int channel = 0; channel < 2; channel++) {
    AudioBuffer *buffer = &buffers.list.mBuffers[channel];
    buffer->mNumberChannels = 1;
    buffer->mDataByteSize = frames * 4;
    buffer->mData = memory[channel];
  }
  OSStatus status = AudioUnitRender(unit, flags, time, 1, frames, &buffers.list);
  if (status != noErr) atomic_fetch_add(&wrong, 1);
  inMemory = frames;
  atomic_fetch_add(&recorded, frames);
  if (AudioUnitRender(unit, flags, time, 1, frames + 1, &buffers.list) != kAudioUnitErr_CannotDoInCurrentContext)
    atomic_fetch_add(&wrong, 1);
  return noErr;
}

static OSStatus play(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)refCon, (void)flags, (void)bus;
  if (firstPlayed < 0) firstPlayed = time->mSampleTime;
  if (frames != inMemory) atomic_fetch_add(&wrong, 1);
  for (UInt32 channel = 0; channel < buffers->mNumberBuffers; channel++) {
    memcpy(buffers->mBuffers[channel].mData, memory[channel], frames * 4);
  }
  atomic_fetch_add(&played, frames);
  post();
  return noErr;
}

static int isRunning(void) {
  UInt32 running = 0, size = sizeof running;
  CHECK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &running, &size));
  return running != 0;
}

static void change(void *data, AudioUnit from, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element) {
  (void)data, (void)from, (void)property, (void)scope, (void)element;
  post();
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  const char *code = argv[1];
  AudioComponentDescription description = {.componentType = kAudioUnitType_Output,
      .componentManufacturer = kAudioUnitManufacturer_Apple,
      .componentSubType = (UInt32)code[0] << 24 | (UInt32)code[1] << 16 | (UInt32)code[2] << 8 | (UInt32)code[3]};
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  UInt32 one = 1, size = sizeof one, has = 0;
  CHECK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Input, 1, &has, &size));
  CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one, sizeof one));
  AudioStreamBasicDescription device;
  size = sizeof device;
  CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &device, &size));
  AudioStreamBasicDescription format = {.mSampleRate = device.mSampleRate, .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, .mBytesPerPacket = 4,
      .mFramesPerPacket = 1, .mBytesPerFrame = 4, .mChannelsPerFrame = 2, .mBitsPerChannel = 32};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof format));
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  AURenderCallbackStruct input = {hear, NULL}, output = {play, NULL};
  CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &input, sizeof input));
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &output, sizeof output));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, change, NULL));
  CHECK(AudioUnitInitialize(unit));
  CHECK(AudioOutputUnitStart(unit));
  AWAIT(!isRunning() || atomic_load(&played) >= atol(argv[2]));
  CHECK(AudioOutputUnitStop(unit));
  printf("has %u, rate %.0f, same %d, wrong %ld\n", has, device.mSampleRate,
      atomic_load(&recorded) == atomic_load(&played), atomic_load(&wrong));
  printf("first %.0f %.0f\n", firstHeard, firstPlayed);
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
