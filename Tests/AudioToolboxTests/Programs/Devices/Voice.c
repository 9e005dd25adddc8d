// Plays noise through the voice unit and writes its recording: without the echo of the noise.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Voice OUT.raw FRAMES
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../Await.h"
#include "Check.h"

static AudioUnit unit;
static FILE *out;
static _Atomic long written, wrong;
static uint32_t state = 1;

static OSStatus hear(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *nothing) {
  (void)refCon, (void)nothing;
  AudioBufferList list = {1, {{1, frames * 4, NULL}}};
  if (AudioUnitRender(unit, flags, time, bus, frames, &list) != noErr) {
    atomic_fetch_add(&wrong, 1);
    return noErr;
  }
  fwrite(list.mBuffers[0].mData, 4, frames, out);
  atomic_fetch_add(&written, frames);
  post();
  return noErr;
}

static OSStatus play(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)refCon, (void)flags, (void)time, (void)bus;
  float *samples = buffers->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frames; frame++) {
    state = state * 1664525 + 1013904223;
    samples[frame] = ((float)(state >> 8) / 8388608 - 1) * 0.25f;
  }
  return noErr;
}

static UInt32 word(AudioUnitPropertyID property) {
  UInt32 value = 99, size = sizeof value;
  CHECK(AudioUnitGetProperty(unit, property, kAudioUnitScope_Global, 0, &value, &size));
  return value;
}

static void change(void *data, AudioUnit from, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element) {
  (void)data, (void)from, (void)property, (void)scope, (void)element;
  post();
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  out = fopen(argv[1], "wb");
  AudioComponentDescription description = {.componentType = kAudioUnitType_Output,
      .componentManufacturer = kAudioUnitManufacturer_Apple, .componentSubType = kAudioUnitSubType_VoiceProcessingIO};
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  UInt32 off = 0;
  OSStatus enable = AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &off, sizeof off);
  UInt32 bypass = word(kAUVoiceIOProperty_BypassVoiceProcessing), levels = word(kAUVoiceIOProperty_VoiceProcessingEnableAGC);
  UInt32 quality = word(kAUVoiceIOProperty_VoiceProcessingQuality), muted = word(kAUVoiceIOProperty_MuteOutput);
  CHECK(AudioUnitSetProperty(unit, kAUVoiceIOProperty_VoiceProcessingEnableAGC, kAudioUnitScope_Global, 0, &off, sizeof off));
  AudioStreamBasicDescription format = {.mSampleRate = 48000, .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, .mBytesPerPacket = 4,
      .mFramesPerPacket = 1, .mBytesPerFrame = 4, .mChannelsPerFrame = 1, .mBitsPerChannel = 32};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof format));
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  // One channel is played on both.
  SInt32 map[2] = {0, 0};
  CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, map, sizeof map));
  AURenderCallbackStruct input = {hear, NULL}, output = {play, NULL};
  CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &input, sizeof input));
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &output, sizeof output));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, change, NULL));
  CHECK(AudioUnitInitialize(unit));
  CHECK(AudioOutputUnitStart(unit));
  AWAIT(!word(kAudioOutputUnitProperty_IsRunning) || atomic_load(&written) >= atol(argv[2]));
  CHECK(AudioOutputUnitStop(unit));
  fclose(out);
  printf("enable %d, bypass %u, levelled %u, quality %u, muted %u, wrong %ld\n", (int)enable, bypass, levels, quality, muted,
      atomic_load(&wrong));
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
