// A program that converts sound, as programs for macOS do, and makes the mistakes they make.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleConverter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LinearPCM.h"

enum { kAgain = 0x61676e21, kRoom = 1 << 17 };

static int faults;

static void check(int isSo, const char *what) {
  if (!isSo) {
    printf("not so: %s\n", what);
    faults += 1;
  }
}

// Provides floats of one channel in pieces, with a pause after each.
typedef struct Source {
  const float *samples;
  UInt32 count, place, piece, pauses, calls;
  int isPaused;
  AudioConverterRef inside;
} Source;

static OSStatus give(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
                     AudioStreamPacketDescription **descriptions, void *userData) {
  Source *source = (Source *)userData;
  (void)descriptions;
  source->calls += 1;
  if (source->inside) {
    UInt32 quality = 0, size = sizeof quality;
    check(AudioConverterGetProperty(converter, kAudioConverterSampleRateConverterQuality, &size, &quality)
              == noErr,
          "a procedure may read properties");
    check(AudioConverterReset(converter) == kAudioConverterErr_OperationNotSupported,
          "but not reset its converter");
    check(AudioConverterDispose(converter) == kAudioConverterErr_OperationNotSupported,
          "nor end it");
    source->inside = NULL;
  }
  if (source->pauses > 0 && !source->isPaused) {
    source->pauses -= 1;
    source->isPaused = 1;
    *packets = 0;
    return kAgain;
  }
  source->isPaused = 0;
  UInt32 count = source->count - source->place;
  if (source->piece > 0 && count > source->piece) count = source->piece;
  data->mBuffers[0].mData = (void *)(source->samples + source->place);
  data->mBuffers[0].mDataByteSize = count * 4;
  *packets = count;
  source->place += count;
  return noErr;
}

static OSStatus giveBytes(AudioConverterRef converter, UInt32 *size, void **data, void *userData) {
  UInt32 packets = *size / 4;
  AudioBufferList list;
  AudioStreamPacketDescription *descriptions = NULL;
  list.mNumberBuffers = 1;
  OSStatus status = give(converter, &packets, &list, &descriptions, userData);
  *data = list.mBuffers[0].mData;
  *size = packets * 4;
  return status;
}

// All that comes out, asked for in pieces; pauses are counted.
static UInt32 drain(AudioConverterRef converter, Source *source, float *into, UInt32 piece,
                    UInt32 *pauses) {
  UInt32 total = 0;
  *pauses = 0;
  while (total < kRoom) {
    AudioBufferList list;
    UInt32 packets = piece;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = 1;
    list.mBuffers[0].mDataByteSize = piece * 4;
    list.mBuffers[0].mData = into + total;
    OSStatus status = AudioConverterFillComplexBuffer(converter, give, source, &packets, &list, NULL);
    check(list.mBuffers[0].mDataByteSize == packets * 4, "the bytes are those of the packets");
    total += packets;
    if (status == kAgain) {
      *pauses += 1;
    } else {
      check(status == noErr, "filling works");
      if (status != noErr || packets == 0) break;
    }
  }
  return total;
}

static void streams(void) {
  enum { kCount = 30000 };
  float *in = (float *)calloc(kCount, sizeof *in);
  float *out = (float *)calloc(2 * kRoom, sizeof *out);
  for (int i = 0; i < kCount; i++) in[i] = 0.5f * (float)sin(6.283185307179586 * 997 / 44100 * i);
  AudioStreamBasicDescription from = pcm(44100, 1, 32, kAudioFormatFlagsNativeFloatPacked);
  AudioStreamBasicDescription to = pcm(48000, 1, 32, kAudioFormatFlagsNativeFloatPacked);
  AudioConverterRef converter = NULL;
  check(AudioConverterNew(&from, &to, &converter) == noErr && converter, "a converter of rates is made");
  UInt32 pauses = 0;
  Source source = {in, kCount, 0, 1000, 7, 0, 0, converter};
  UInt32 count = drain(converter, &source, out, 777, &pauses);
  check(count == (UInt32)lrint((double)kCount * 48000.0 / 44100), "all frames come out");
  check(pauses == 7, "each pause is handed on");
  double worst = 0;
  for (UInt32 i = 500; i + 500 < count; i++) {
    double wanted = 0.5 * sin(6.283185307179586 * 997 / 48000 * i);
    if (fabs(out[i] - wanted) > worst) worst = fabs(out[i] - wanted);
  }
  check(worst < 1e-5, "a sine stays one, in its place");
  source.place = 0;
  UInt32 packets = 10;
  AudioBufferList list = {1, {{1, 40, out}}};
  check(AudioConverterFillComplexBuffer(converter, give, &source, &packets, &list, NULL) == noErr
            && packets == 0 && source.place == 0,
        "after the end nothing is asked for");
  check(AudioConverterReset(converter) == noErr, "a converter is reset");
  source.piece = 0;
  check(drain(converter, &source, out + kRoom, kRoom, &pauses) == count
            && memcmp(out, out + kRoom, count * 4) == 0,
        "and gives the same again, whatever the pieces");
  check(AudioConverterDispose(converter) == noErr, "it is disposed of");
  check(AudioConverterDispose(converter) == kAudio_ParamError, "once");
  check(AudioConverterReset(converter) == kAudio_ParamError, "and refused from then on");

  from.mSampleRate = to.mSampleRate;
  to = pcm(48000, 1, 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked);
  check(AudioConverterNew(&from, &to, &converter) == noErr, "another one is made");
  SInt16 *shorts = (SInt16 *)(out + kRoom);
  UInt32 size = 2 * kCount;
  Source bytes = {in, kCount, 0, 333, 0, 0, 0, NULL};
  check(AudioConverterFillBuffer(converter, giveBytes, &bytes, &size, shorts) == noErr
            && size == 2 * kCount,
        "the old function converts bytes");
  int isRight = 1;
  for (int i = 0; i < kCount; i++) isRight &= shorts[i] == lrintf(in[i] * 32768);
  check(isRight, "to the nearest numbers");
  AudioConverterReset(converter);
  source.place = source.piece = 0;
  packets = 10;
  AudioBufferList ten = {1, {{1, 20, shorts}}};
  AudioStreamPacketDependencyDescription alone[10];
  memset(alone, 0, sizeof alone);
  check(AudioConverterFillComplexBufferRealtimeSafe(converter, give, &source, &packets, &ten, NULL) == noErr
            && packets == 10 && shorts[9] == lrintf(in[9] * 32768),
        "linear formats are converted without waiting");
  check(AudioConverterFillComplexBufferWithPacketDependencies(
            converter, give, &source, &packets, &ten, NULL, alone) == noErr
            && packets == 10 && alone[0].mIsIndependentlyDecodable == 1
            && alone[9].mIsIndependentlyDecodable == 1 && alone[9].mPreRollCount == 0,
        "and depend on nothing");
  check(AudioConverterFillComplexBufferWithPacketDependencies(
            converter, give, &source, &packets, &ten, NULL, NULL) == kAudio_ParamError,
        "which needs room");
  AudioConverterDispose(converter);
  free(in);
  free(out);
}

static void mistakes(void) {
  AudioStreamBasicDescription from = pcm(48000, 2, 16, 12), to = pcm(48000, 2, 32, 9);
  AudioConverterRef converter = NULL;
  SInt16 in[4] = {-32768, 32767, 1, -1};
  float out[4];
  UInt32 size = sizeof out;
  check(AudioConverterNew(&from, &to, NULL) == kAudio_ParamError, "a null result is told");
  check(AudioConverterNew(NULL, &to, &converter) == kAudio_ParamError, "a null format is told");
  to.mFormatID = kAudioFormatMPEG4AAC;
  check(AudioConverterNew(&from, &to, &converter) == kAudioConverterErr_FormatNotSupported && !converter,
        "a format without a codec is told");
  to.mFormatID = kAudioFormatLinearPCM;
  to.mSampleRate = -1;
  check(AudioConverterNew(&from, &to, &converter) == kAudioConverterErr_OutputSampleRateOutOfRange,
        "a rate out of range is told");
  to.mSampleRate = 48000;
  to.mBitsPerChannel = 31;
  check(AudioConverterNew(&from, &to, &converter) == kAudioConverterErr_FormatNotSupported,
        "odd floats are told");
  to.mBitsPerChannel = 32;
  check(AudioConverterReset(NULL) == kAudio_ParamError, "a null handle is told");
  char memory[64] = "this is no converter, whatever it is, but it can be read.......";
  check(AudioConverterReset((AudioConverterRef)(void *)memory) == kAudio_ParamError,
        "what is no handle is told");
  check(AudioConverterReset((AudioConverterRef)8) == kAudio_ParamError, "and a number");

  check(AudioConverterNewWithOptions(&from, &to, kAudioConverterOption_Unbuffered, &converter) == noErr,
        "a converter of buffers is made");
  check(converter && converter->magic == kAuricleConverterMagic, "its record says what it is");
  check(AudioConverterConvertBuffer(converter, sizeof in, in, &size, out) == noErr && size == 16
            && out[0] == -1 && out[1] == 32767 / 32768.0f && out[2] == 1 / 32768.0f,
        "a buffer is converted");
  check(AudioConverterConvertBuffer(converter, 7, in, &size, out) == kAudioConverterErr_InvalidInputSize,
        "half a frame is told");
  size = 12;
  check(AudioConverterConvertBuffer(converter, 8, in, &size, out) == kAudioConverterErr_InvalidOutputSize,
        "too little room is told");
  AudioBufferList list = {1, {{2, sizeof out, out}}}, data = {1, {{2, sizeof in, in}}};
  Source source = {out, 4, 0, 0, 0, 0, 0, NULL};
  UInt32 packets = 2;
  check(AudioConverterFillComplexBuffer(converter, give, &source, &packets, &list, NULL)
            == kAudioConverterErr_OperationNotSupported,
        "it is not filled");
  check(AudioConverterConvertComplexBuffer(converter, 2, &data, &list) == noErr
            && list.mBuffers[0].mDataByteSize == 16,
        "a list is converted");
  check(AudioConverterConvertComplexBuffer(converter, 3, &data, &list)
            == kAudioConverterErr_InvalidInputSize,
        "too short a list is told");
  list.mNumberBuffers = 2;
  check(AudioConverterConvertComplexBuffer(converter, 2, &data, &list) == kAudio_ParamError,
        "a list of another number of buffers is told");

  SInt32 map[2] = {1, 1}, wrong[2] = {2, 0};
  check(AudioConverterSetProperty(converter, kAudioConverterChannelMap, sizeof map, map) == noErr,
        "a map is set");
  size = sizeof out;
  AudioConverterConvertBuffer(converter, sizeof in, in, &size, out);
  check(out[0] == out[1] && out[0] == 32767 / 32768.0f, "and obeyed");
  check(AudioConverterSetProperty(converter, kAudioConverterChannelMap, sizeof wrong, wrong)
            == kAudio_ParamError,
        "a channel that is not there is told");
  check(AudioConverterSetProperty(converter, kAudioConverterChannelMap, 4, map)
            == kAudioConverterErr_BadPropertySizeError,
        "a wrong size is told");
  Boolean isWritable = true;
  check(AudioConverterGetPropertyInfo(converter, kAudioConverterCurrentInputStreamDescription, &size,
                                      &isWritable)
                == noErr
            && size == 40 && !isWritable,
        "formats are read");
  check(AudioConverterGetPropertyInfo(converter, kAudioConverterEncodeBitRate, &size, NULL)
            == kAudioConverterErr_PropertyNotSupported,
        "what is of codecs is not there");
  size = 4;
  UInt32 bytes = 800;
  check(AudioConverterGetProperty(converter, kAudioConverterPropertyCalculateInputBufferSize, &size, &bytes)
                == noErr
            && bytes == 400,
        "sizes are calculated");
  AudioConverterDispose(converter);
}

int main(void) {
  streams();
  mistakes();
  return faults != 0;
}
