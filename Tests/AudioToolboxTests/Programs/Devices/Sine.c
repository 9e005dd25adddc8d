// A tone through an output unit, as a player does: a render callback, start, stop.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Sine SUBTYPE RATE CHANNELS FRAMES
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Rounds.h"

static _Atomic long rendered;
static _Atomic int changes;
static double nextTime = 0;
static int jumps;

static OSStatus tone(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)flags, (void)bus;
  const double *rate = refCon;
  if (fabs(time->mSampleTime - nextTime) > 0.5) jumps += 1;
  nextTime = time->mSampleTime + frames;
  long first = atomic_load(&rendered);
  for (UInt32 index = 0; index < buffers->mNumberBuffers; index++) {
    float *samples = buffers->mBuffers[index].mData;
    for (UInt32 frame = 0; frame < frames; frame++) {
      samples[frame] = (float)(0.5 * sin(2 * M_PI * 1000 * (double)(first + frame) / *rate));
    }
  }
  atomic_fetch_add(&rendered, frames);
  post();
  return noErr;
}

static void heard(void *refCon, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element) {
  (void)refCon, (void)unit, (void)property, (void)scope, (void)element;
  atomic_fetch_add(&changes, 1);
}

int main(int argc, char **argv) {
  if (argc < 5) return 64;
  double rate = atof(argv[2]);
  UInt32 channels = (UInt32)atoi(argv[3]);
  long wanted = atol(argv[4]);
  AudioComponentDescription description = {.componentType = kAudioUnitType_Output,
      .componentManufacturer = kAudioUnitManufacturer_Apple};
  const char *code = argv[1];
  description.componentSubType = (UInt32)code[0] << 24 | (UInt32)code[1] << 16 | (UInt32)code[2] << 8 | (UInt32)code[3];
  AudioComponent component = AudioComponentFindNext(NULL, &description);
  if (component == NULL) {
    fprintf(stderr, "no such component\n");
    return 1;
  }
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(component, &unit));
  AudioStreamBasicDescription format = {.mSampleRate = rate, .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, .mBytesPerPacket = 4,
      .mFramesPerPacket = 1, .mBytesPerFrame = 4, .mChannelsPerFrame = channels, .mBitsPerChannel = 32};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  printf("device side %d\n", (int)AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0,
      &format, sizeof format));
  UInt32 one = 1, size = sizeof one;
  printf("enable %d\n", (int)AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &one, size));
  UInt32 frames = 0;
  CHECK(AudioUnitGetProperty(unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &frames, &size));
  printf("period %u\n", frames);
  AURenderCallbackStruct callback = {tone, &rate};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, heard, NULL));
  printf("too early %d\n", (int)AudioOutputUnitStart(unit));
  CHECK(AudioUnitInitialize(unit));
  CHECK(AudioOutputUnitStart(unit));
  CHECK(AudioOutputUnitStart(unit));
  UInt32 running = 0;
  CHECK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &running, &size));
  AWAIT(atomic_load(&rendered) >= wanted);
  CHECK(AudioOutputUnitStop(unit));
  long stopped = atomic_load(&rendered);
  awaitRounds();
  printf("running %u, after the stop %ld, jumps %d, changes %d\n", running, atomic_load(&rendered) - stopped, jumps,
      atomic_load(&changes));
  CHECK(AudioUnitUninitialize(unit));
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
