// An output unit that is initialized before its side, its device and its format are set, as players do.
// SPDX-License-Identifier: Apache-2.0
//
// usage: LateSettings FRAMES
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../Await.h"
#include "Check.h"
#include "NamedDevice.h"

static _Atomic long rendered;

/// Counts, in whole numbers of 16 bits.
static OSStatus count(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *buffers) {
  (void)refCon, (void)flags, (void)time, (void)bus;
  long first = atomic_load(&rendered);
  SInt16 *samples = buffers->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frames; frame++) {
    samples[2 * frame] = (SInt16)((first + frame) % 30000);
    samples[2 * frame + 1] = (SInt16)-samples[2 * frame];
  }
  atomic_fetch_add(&rendered, frames);
  post();
  return noErr;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
      kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &description);
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(component, &unit));
  CHECK(AudioUnitInitialize(unit));
  UInt32 yes = 1, size = 0;
  CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &yes, sizeof yes));
  AudioObjectID device = defaultOutput();
  CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Input, 0, &device,
      sizeof device));
  AudioStreamBasicDescription format = {.mSampleRate = 48000, .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, .mBytesPerPacket = 4,
      .mFramesPerPacket = 1, .mBytesPerFrame = 4, .mChannelsPerFrame = 2, .mBitsPerChannel = 16};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  AudioChannelLayout layout[2];
  CHECK(AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, 0, &size, NULL));
  printf("layout of %u bytes", size);
  size = sizeof layout;
  CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, 0, layout, &size));
  printf(", %sstereo\n", layout->mChannelLayoutTag == kAudioChannelLayoutTag_Stereo ? "" : "not ");
  AURenderCallbackStruct callback = {count, NULL};
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  CHECK(AudioOutputUnitStart(unit));
  AWAIT(atomic_load(&rendered) >= atol(argv[1]));
  // Not while it runs.
  printf("running %d\n", (int)AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &yes,
      sizeof yes));
  CHECK(AudioOutputUnitStop(unit));
  CHECK(AudioUnitUninitialize(unit));
  printf("uninitialized %d\n", (int)AudioOutputUnitStart(unit));
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
