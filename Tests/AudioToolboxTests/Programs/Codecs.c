// A program that uses codecs as components: finds them, puts data in, gets packets out, and makes mistakes.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LinearPCM.h"

enum { kFrames = 30000 };

static int faults;

static void check(int isSo, const char *what) {
  if (isSo) return;
  printf("not so: %s\n", what);
  faults += 1;
}

static AudioComponentInstance openCodec(UInt32 type, UInt32 id) {
  AudioComponentDescription wanted = {type, id, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioComponentInstance codec = NULL;
  check(component != NULL, "the codec is found");
  check(AudioComponentInstanceNew(component, &codec) == noErr && codec, "and opened");
  return codec;
}

static UInt32 number(AudioCodec codec, AudioCodecPropertyID property) {
  UInt32 value = 0, size = sizeof value;
  check(AudioCodecGetProperty(codec, property, &size, &value) == noErr && size == 4, "a number is read");
  return value;
}

static void mistakes(AudioCodec codec) {
  UInt8 data[64] = {0};
  UInt32 size = sizeof data, packets = 1, status = 0;
  check(AudioCodecAppendInputData(NULL, data, &size, &packets, NULL) == kAudio_ParamError, "no codec");
  check(AudioCodecInitialize(NULL, NULL, NULL, NULL, 0) == kAudio_ParamError, "no codec to initialize");
  check(AudioCodecReset(NULL) == kAudio_ParamError && AudioCodecUninitialize(NULL) == kAudio_ParamError, "none to reset");
  check(AudioCodecGetProperty(NULL, kAudioCodecPropertyIsInitialized, &size, data) == kAudio_ParamError, "none to ask");
  size = sizeof data;
  check(AudioCodecAppendInputData(codec, data, &size, &packets, NULL) == kAudioCodecStateError, "not before it is initialized");
  size = sizeof data, packets = 1;
  check(AudioCodecProduceOutputPackets(codec, data, &size, &packets, NULL, &status) == kAudioCodecStateError,
        "nor is anything produced");
  size = 4;
  check(AudioCodecGetProperty(codec, 0x78787878, &size, data) == kAudioCodecUnknownPropertyError, "an unknown property");
  check(AudioCodecGetPropertyInfo(codec, 0x78787878, &size, NULL) == kAudioCodecUnknownPropertyError, "twice");
  check(AudioCodecSetProperty(codec, 0x78787878, 4, data) == kAudioCodecUnknownPropertyError, "or set");
  check(AudioCodecSetProperty(codec, kAudioCodecPropertyIsInitialized, 4, data) == kAudioCodecIllegalOperationError,
        "what is only read");
  check(AudioCodecSetProperty(codec, kAudioCodecPropertyCurrentInputFormat, 7, data) == kAudioCodecBadPropertySizeError,
        "a format of seven bytes");
  size = 2;
  check(AudioCodecGetProperty(codec, kAudioCodecPropertyIsInitialized, &size, data) == kAudioCodecBadPropertySizeError,
        "no room");
  check(AudioCodecGetProperty(codec, kAudioCodecPropertyIsInitialized, NULL, data) == kAudio_ParamError, "no size");
  check(AudioUnitInitialize(codec) != noErr, "a codec is no unit");
}

int main(void) {
  AudioStreamBasicDescription linear = pcm(44100, 2, 32, kAudioFormatFlagsNativeFloatPacked), aac;
  memset(&aac, 0, sizeof aac);
  aac.mFormatID = kAudioFormatMPEG4AAC;
  aac.mSampleRate = 44100;
  aac.mChannelsPerFrame = 2;
  AudioCodec encoder = openCodec(kAudioEncoderComponentType, kAudioFormatMPEG4AAC);
  AudioCodec decoder = openCodec(kAudioDecoderComponentType, kAudioFormatMPEG4AAC);
  mistakes(encoder), mistakes(decoder);
  AudioComponentDescription any = {kAudioDecoderComponentType, 0, 0, 0, 0};
  check(AudioComponentCount(&any) > 20, "there are many decoders");

  // The encoder: set up by properties and by arguments.
  UInt32 bitRate = 128000;
  check(AudioCodecSetProperty(encoder, kAudioCodecPropertyCurrentTargetBitRate, 4, &bitRate) == noErr, "the bit rate is set");
  check(AudioCodecSetProperty(encoder, kAudioCodecPropertyBitRateForVBR, 4, &bitRate) == noErr
            && number(encoder, kAudioCodecPropertyBitRateControlMode) == kAudioCodecBitRateControlMode_VariableConstrained
            && number(encoder, kAudioCodecPropertyBitRateForVBR) == bitRate,
        "a bit rate of variable packets makes them variable");
  UInt32 mode = kAudioCodecBitRateControlMode_Constant, delay = kAudioCodecDelayMode_Compatibility;
  check(AudioCodecSetProperty(encoder, kAudioCodecPropertyBitRateControlMode, 4, &mode) == noErr, "and back");
  check(number(encoder, kAudioCodecPropertyDelayMode) == kAudioCodecDelayMode_Optimal
            && AudioCodecSetProperty(encoder, kAudioCodecPropertyDelayMode, 4, &delay) == kAudio_ParamError,
        "there is one delay");
  check(AudioCodecInitialize(encoder, &linear, &aac, NULL, 0) == noErr, "the encoder is initialized");
  check(AudioCodecInitialize(encoder, &linear, &aac, NULL, 0) == kAudioCodecStateError, "once");
  check(AudioCodecSetProperty(encoder, kAudioCodecPropertyCurrentTargetBitRate, 4, &bitRate) == kAudioCodecStateError,
        "and nothing is set from then on");
  check(number(encoder, kAudioCodecPropertyIsInitialized) == 1, "which it tells");
  check(number(encoder, kAudioCodecPropertyPacketFrameSize) == 1024, "its packets have 1024 frames");
  UInt32 largest = number(encoder, kAudioCodecPropertyMaximumPacketByteSize);
  float *in = (float *)malloc(kFrames * 8), *out = (float *)calloc(kFrames * 2, 8);
  for (int i = 0; i < kFrames * 2; i++) in[i] = (float)(0.5 * sin(i / 2 * 0.03) + 0.2 * sin(i / 2 * 0.11 + i % 2));
  UInt8 *bytes = (UInt8 *)malloc(1 << 20);
  AudioStreamPacketDescription places[200];
  UInt32 made = 0, used = 0, size = 0;
  for (int isEnd = 0, round = 0; !isEnd && round < 10000; round++) {
    UInt32 packets = (kFrames - used) < 5000 ? kFrames - used : 5000, appended = packets * 8;
    check(AudioCodecAppendInputData(encoder, in + used * 2, &appended, &packets, NULL) == noErr, "frames are taken");
    check(appended == packets * 8, "bytes and frames agree");
    used += packets;
    for (;;) {
      UInt32 room = largest * 3, count = 3, status = 0;
      AudioStreamPacketDescription here[3];
      OSStatus result = AudioCodecProduceOutputPackets(encoder, bytes + size, &room, &count, here, &status);
      check(result == noErr && status != kAudioCodecProduceOutputPacketFailure, "packets are made");
      for (UInt32 i = 0; i < count; i++, made++) {
        places[made] = here[i];
        places[made].mStartOffset += size;
      }
      size += room;
      isEnd = status == kAudioCodecProduceOutputPacketAtEOF;
      if (result || status != kAudioCodecProduceOutputPacketSuccessHasMore) break;
    }
  }
  AudioCodecPrimeInfo prime;
  UInt32 primeSize = sizeof prime;
  check(AudioCodecGetProperty(encoder, kAudioCodecPropertyPrimeInfo, &primeSize, &prime) == noErr, "priming is told");
  check(made * 1024 == kFrames + prime.leadingFrames + prime.trailingFrames, "packets hold the sound and what is around it");
  UInt8 cookie[256];
  UInt32 cookieSize = sizeof cookie;
  check(AudioCodecGetProperty(encoder, kAudioCodecPropertyMagicCookie, &cookieSize, cookie) == noErr && cookieSize > 20,
        "there is a cookie");

  // The decoder, by buffer lists, twice.
  union {
    AudioCodecMagicCookieInfo question;
    AudioFormatListItem answer[4];
  } formats;
  UInt32 formatsSize = sizeof formats;
  memset(&formats, 0, sizeof formats);
  formats.question.mMagicCookie = cookie;
  formats.question.mMagicCookieSize = cookieSize;
  check(AudioCodecGetProperty(decoder, kAudioCodecPropertyFormatList, &formatsSize, &formats) == noErr
            && formatsSize == sizeof formats.answer[0] && formats.answer[0].mASBD.mSampleRate == 44100
            && formats.answer[0].mASBD.mChannelsPerFrame == 2
            && formats.answer[0].mASBD.mFormatID == kAudioFormatMPEG4AAC,
        "a cookie tells what packets can be read as");
  check(AudioCodecSetProperty(decoder, kAudioCodecPropertyPrimeInfo, sizeof prime, &prime) == noErr, "priming is set");
  check(AudioCodecInitialize(decoder, &aac, &linear, cookie, cookieSize) == noErr, "the decoder is initialized");
  for (int pass = 0; pass < 2; pass++) {
    UInt32 next = 0, frames = 0;
    for (int isEnd = 0, round = 0; !isEnd && round < 10000; round++) {
      UInt32 count = made - next < 7 ? made - next : 7, consumed = 0;
      AudioBufferList list = {1, {{2, count ? (UInt32)places[next + count - 1].mStartOffset + places[next + count - 1].mDataByteSize : 0, bytes}}};
      check(AudioCodecAppendInputBufferList(decoder, &list, &count, places + next, &consumed) == noErr, "packets are taken");
      next += count;
      for (;;) {
        UInt32 wanted = 1500, status = 0;
        AudioBufferList target = {1, {{2, 1500 * 8, out + frames * 2}}};
        OSStatus result = AudioCodecProduceOutputBufferList(decoder, &target, &wanted, NULL, &status);
        check(result == noErr && target.mBuffers[0].mDataByteSize == wanted * 8, "frames come");
        frames += wanted;
        isEnd = status == kAudioCodecProduceOutputPacketAtEOF;
        if (result || status != kAudioCodecProduceOutputPacketSuccessHasMore) break;
      }
    }
    check(frames == kFrames, "as many frames come out as went in");
    double error = 0;
    for (int i = 0; i < kFrames * 2; i++) error += (in[i] - out[i]) * (in[i] - out[i]);
    check(sqrt(error / (kFrames * 2)) < 0.02, "in their places");
    if (sqrt(error / (kFrames * 2)) >= 0.02) printf("error %g\n", sqrt(error / (kFrames * 2)));
    check(AudioCodecReset(decoder) == noErr, "it is reset");
  }
  UInt32 room = 2, count = 1, status = 0;
  check(AudioCodecProduceOutputPackets(decoder, out, &room, &count, NULL, &status) == kAudioCodecNotEnoughBufferSpaceError,
        "no room for a frame");
  check(AudioCodecUninitialize(decoder) == noErr && number(decoder, kAudioCodecPropertyIsInitialized) == 0, "it ends");
  check(AudioCodecInitialize(decoder, NULL, NULL, NULL, 0) == noErr, "and begins again with what it was told");
  check(AudioComponentInstanceDispose(encoder) == noErr && AudioComponentInstanceDispose(decoder) == noErr, "they are closed");
  free(in), free(out), free(bytes);
  return faults > 0;
}
