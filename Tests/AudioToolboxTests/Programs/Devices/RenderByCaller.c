// An output unit that its caller renders, as hosts do that have a device of another kind.
// SPDX-License-Identifier: Apache-2.0
//
// usage: RenderByCaller SUBTYPE
#include <AudioToolbox/AudioToolbox.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Check.h"

static OSStatus fill(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
  (void)flags, (void)time, (void)bus;
  *(UInt32 *)refCon += frames;
  for (UInt32 buffer = 0; buffer < list->mNumberBuffers; buffer++) {
    float *samples = list->mBuffers[buffer].mData;
    for (UInt32 sample = 0; sample < frames * list->mBuffers[buffer].mNumberChannels; sample++) samples[sample] = 0.25f;
  }
  return noErr;
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  const unsigned char *code = (const unsigned char *)arguments[1];
  AudioComponentDescription wanted = {kAudioUnitType_Output,
      (OSType)code[0] << 24 | (OSType)code[1] << 16 | (OSType)code[2] << 8 | code[3], kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  UInt32 pulled = 0;
  AURenderCallbackStruct callback = {fill, &pulled};
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit));
  // The device's format is known from here on.
  CHECK(AudioUnitInitialize(unit));
  CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size));
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  CHECK(AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback, sizeof callback));
  // Without a callback it renders silence.
  AudioUnit alone;
  float silence[1024] = {1};
  AudioBufferList one = {1, {{2, sizeof silence, silence}}};
  AudioTimeStamp start = {.mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags action = 0;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &alone));
  CHECK(AudioUnitInitialize(alone));
  CHECK(AudioUnitRender(alone, &action, &start, 0, 512, &one));
  printf("alone %.2f, silent %d\n", silence[0], (action & kAudioUnitRenderAction_OutputIsSilence) != 0);
  CHECK(AudioComponentInstanceDispose(alone));
  int isPlanar = (format.mFormatFlags & kAudioFormatFlagIsNonInterleaved) != 0;
  UInt32 buffers = isPlanar ? format.mChannelsPerFrame : 1, bytes = 512 * format.mBytesPerFrame;
  AudioBufferList *list = calloc(1, offsetof(AudioBufferList, mBuffers) + buffers * sizeof(AudioBuffer));
  list->mNumberBuffers = buffers;
  for (UInt32 buffer = 0; buffer < buffers; buffer++)
    list->mBuffers[buffer] = (AudioBuffer){isPlanar ? 1 : format.mChannelsPerFrame, bytes, calloc(1, bytes)};
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  CHECK(AudioUnitRender(unit, &flags, &time, 0, 512, list));
  float first = *(float *)list->mBuffers[0].mData;
  printf("pulled %u, first %.2f\n", (unsigned)pulled, first);
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
