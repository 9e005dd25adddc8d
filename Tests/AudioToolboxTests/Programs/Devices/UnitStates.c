// Settings that an output unit accepts before it is initialized, after that, and while it runs: a line of codes a state.
// SPDX-License-Identifier: Apache-2.0
//
// usage: UnitStates SUBTYPE
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"
#include "NamedDevice.h"

static sem_t rendered;
static _Atomic UInt32 frameBytes;

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)refCon, (void)flags, (void)time, (void)bus;
  atomic_store(&frameBytes, buffers->mBuffers[0].mDataByteSize / frames);
  sem_post(&rendered);
  return noErr;
}

static AudioUnit unit;
static OSStatus set(AudioUnitPropertyID property, AudioUnitScope scope, const void *data, UInt32 size) {
  return AudioUnitSetProperty(unit, property, scope, 0, data, size);
}

static OSStatus setFormat(double rate, UInt32 channels, int isFloat) {
  UInt32 bytes = channels * (isFloat ? 4 : 2);
  AudioStreamBasicDescription format = {rate, kAudioFormatLinearPCM,
      (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked, bytes, 1, bytes,
      channels, isFloat ? 32 : 16, 0};
  return set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, &format, sizeof format);
}

static void setAll(const char *state) {
  AudioChannelLayout stereo = {.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo};
  AURenderCallbackStruct callback = {render, NULL};
  AudioObjectID device = defaultOutput();
  Float64 rate = 22050;
  UInt32 frames = 8192;
  SInt32 swapped[2] = {1, 0};
  OSStatus codes[] = {
      setFormat(44100, 2, 1), set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, &rate, sizeof rate),
      setFormat(32000, 2, 0), set(kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Input, &stereo, sizeof stereo),
      set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, &frames, sizeof frames),
      set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, &callback, sizeof callback),
      set(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, swapped, sizeof swapped),
      set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, &device, sizeof device),
      setFormat(48000, 1, 1), setFormat(48000, 2, 0)};
  printf("%s:", state);
  for (unsigned place = 0; place < sizeof codes / sizeof *codes; place++) printf(" %d", (int)codes[place]);
  printf("\n");
}

/// Waits until a render has the format that was set last: two channels of 16 bits.
static void waitForFormat(int isGeneric) {
  do {
    if (isGeneric) {
      float samples[2][64];
      struct { AudioBufferList list; AudioBuffer second; } out = {{2, {{1, 256, samples[0]}}}, {1, 256, samples[1]}};
      AudioUnitRenderActionFlags flags = 0;
      AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
      CHECK(AudioUnitRender(unit, &flags, &time, 0, 64, &out.list));
    }
    sem_wait(&rendered);
  } while (atomic_load(&frameBytes) != 4);
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  const char *code = argv[1];
  AudioComponentDescription wanted = {kAudioUnitType_Output,
      (UInt32)code[0] << 24 | (UInt32)code[1] << 16 | (UInt32)code[2] << 8 | (UInt32)code[3],
      kAudioUnitManufacturer_Apple, 0, 0};
  int isGeneric = wanted.componentSubType == kAudioUnitSubType_GenericOutput;
  sem_init(&rendered, 0, 0);
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit));
  setAll("open");
  CHECK(AudioUnitInitialize(unit));
  setAll("initialized");
  CHECK(AudioOutputUnitStart(unit));
  waitForFormat(isGeneric);
  setAll("running");
  // Renders before the last change are not counted.
  while (sem_trywait(&rendered) == 0) {}
  waitForFormat(isGeneric);
  UInt32 running = 0, size = sizeof running;
  AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &running, &size);
  printf("runs %u\n", running);
  CHECK(AudioOutputUnitStop(unit));
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
