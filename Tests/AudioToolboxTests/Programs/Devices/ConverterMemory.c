// An input procedure that copies into the memory that it finds.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <string.h>

static SInt16 source[9000];
static UInt32 place;
static int small;

static OSStatus copy(AudioConverterRef converter, UInt32 *count, AudioBufferList *data,
    AudioStreamPacketDescription **descriptions, void *userData) {
  (void)converter, (void)descriptions, (void)userData;
  UInt32 left = 9000 - place, frames = *count < left ? *count : left;
  if (data->mBuffers[0].mData == NULL || data->mBuffers[0].mDataByteSize < 2 * *count) small++;
  else memcpy(data->mBuffers[0].mData, source + place, 2 * frames);
  data->mBuffers[0].mDataByteSize = 2 * frames;
  place += *count = frames;
  return noErr;
}

static int convert(double rate) {
  static float out[20000];
  AudioStreamBasicDescription from = {44100, kAudioFormatLinearPCM,
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 2, 1, 2, 1, 16, 0};
  AudioStreamBasicDescription to = {rate, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 4, 1, 4, 1, 32, 0};
  AudioConverterRef converter;
  if (AudioConverterNew(&from, &to, &converter) != noErr) return -1;
  place = 0;
  UInt32 frames = 20000;
  AudioBufferList list = {1, {{1, sizeof out, out}}};
  OSStatus status = AudioConverterFillComplexBuffer(converter, copy, NULL, &frames, &list, NULL);
  int wrong = status != noErr;
  for (UInt32 frame = 0; rate == 44100 && frame < frames; frame++) wrong += out[frame] != source[frame] / 32768.0f;
  AudioConverterDispose(converter);
  printf("%d frames, wrong %d\n", (int)frames, wrong);
  return 0;
}

int main(void) {
  for (int frame = 0; frame < 9000; frame++) source[frame] = (SInt16)(frame * 3 - 13000);
  if (convert(44100) != 0 || convert(88200) != 0) return 1;
  printf("too small %d\n", small);
  return 0;
}
