// Packets in memory: encoded and decoded in pieces of any size, with pauses.
// SPDX-License-Identifier: Apache-2.0
#ifndef PACKETS_H
#define PACKETS_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LinearPCM.h"

enum { kAgain = 0x61676e21, kMost = 60000 };

static int faults;
static const char *subject = "";

static void check(int isSo, const char *what) {
  if (isSo) return;
  printf("%s: not so: %s\n", subject, what);
  faults += 1;
}

static AudioStreamBasicDescription packed(UInt32 id, double rate, UInt32 channels, UInt32 flags) {
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mFormatID = id;
  format.mSampleRate = rate;
  format.mChannelsPerFrame = channels;
  format.mFormatFlags = flags;
  return format;
}

// Packets in memory: an encoder's output.
typedef struct Packets {
  UInt8 *bytes;
  AudioStreamPacketDescription *places;
  UInt32 count, size;
  AudioStreamBasicDescription format;
  UInt8 cookie[16384];
  UInt32 cookieSize;
  AudioConverterPrimeInfo prime;
} Packets;

// Provides frames or packets in pieces of any size, with a pause before every third.
typedef struct Source {
  const UInt8 *bytes;
  UInt32 width, count, place, calls;
  const Packets *packets;
  AudioStreamPacketDescription here[64];
} Source;

static OSStatus give(AudioConverterRef converter, UInt32 *count, AudioBufferList *data,
                     AudioStreamPacketDescription **descriptions, void *userData) {
  Source *source = (Source *)userData;
  (void)converter;
  UInt32 least = *count;
  check(least > 0, "at least one packet is asked for");
  *count = 0;
  if (++source->calls % 3 == 0) return kAgain;
  UInt32 number = source->packets ? 1 + source->calls % 40 : 1 + source->calls * 7919 % 3000;
  if (number > source->count - source->place) number = source->count - source->place;
  data->mBuffers[0].mDataByteSize = 0;
  if (number == 0) return noErr;
  if (!source->packets || source->packets->format.mBytesPerPacket > 0) {
    data->mBuffers[0].mData = (void *)(source->bytes + (size_t)source->place * source->width);
    data->mBuffers[0].mDataByteSize = number * source->width;
  } else {
    const AudioStreamPacketDescription *first = &source->packets->places[source->place];
    SInt64 start = first->mStartOffset;
    for (UInt32 i = 0; i < number; i++) {
      source->here[i] = first[i];
      source->here[i].mStartOffset -= start;
    }
    data->mBuffers[0].mData = (void *)(source->packets->bytes + start);
    data->mBuffers[0].mDataByteSize =
        (UInt32)(source->here[number - 1].mStartOffset + source->here[number - 1].mDataByteSize);
    check(descriptions != NULL, "descriptions are asked for");
    if (descriptions) *descriptions = source->here;
  }
  source->place += number;
  *count = number;
  return noErr;
}

static void encode(const void *frames, AudioStreamBasicDescription from, UInt32 frameCount,
                   AudioStreamBasicDescription to, UInt32 bitRate, Packets *out) {
  AudioConverterRef converter = NULL;
  memset(out, 0, sizeof *out);
  OSStatus status = AudioConverterNew(&from, &to, &converter);
  check(status == noErr, "an encoder is made");
  if (status) return;
  if (bitRate) {
    check(AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &bitRate) == noErr, "a bit rate is set");
    UInt32 now = 0, size = 4;
    check(AudioConverterGetProperty(converter, kAudioConverterEncodeBitRate, &size, &now) == noErr && now == bitRate,
          "and read");
  }
  UInt32 size = sizeof out->format, largest = 0;
  check(AudioConverterGetProperty(converter, kAudioConverterCurrentOutputStreamDescription, &size, &out->format) == noErr,
        "the format is completed");
  size = 4;
  check(AudioConverterGetProperty(converter, kAudioConverterPropertyMaximumOutputPacketSize, &size, &largest) == noErr &&
            largest > 0, "the largest packet is told");
  out->bytes = (UInt8 *)malloc(1 << 23);
  out->places = (AudioStreamPacketDescription *)calloc(kMost, sizeof *out->places);
  Source source;
  memset(&source, 0, sizeof source);
  source.bytes = (const UInt8 *)frames;
  source.width = from.mBytesPerFrame;
  source.count = frameCount;
  UInt8 *room = (UInt8 *)malloc(largest * 5);
  for (int isEnd = 0; !isEnd;) {
    AudioStreamPacketDescription places[5];
    AudioBufferList list;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = to.mChannelsPerFrame;
    list.mBuffers[0].mDataByteSize = largest * 5;
    list.mBuffers[0].mData = room;
    UInt32 count = 5;
    status = AudioConverterFillComplexBuffer(converter, give, &source, &count, &list, places);
    check(status == noErr || status == kAgain, "packets come, or the pause is handed on");
    if (status != noErr && status != kAgain) break;
    check(count <= 5 && (status == kAgain || count == 5 || source.place == source.count), "as many as were wanted");
    isEnd = status == noErr && count == 0;
    UInt32 bytes = 0;
    for (UInt32 i = 0; i < count && out->count < kMost; i++) {
      check(places[i].mStartOffset == bytes && places[i].mDataByteSize <= largest, "packets lie one behind the other");
      bytes += places[i].mDataByteSize;
      out->places[out->count] = places[i];
      out->places[out->count++].mStartOffset += out->size;
    }
    check(list.mBuffers[0].mDataByteSize == bytes, "the list tells the bytes");
    memcpy(out->bytes + out->size, room, bytes);
    out->size += bytes;
  }
  UInt32 count = 1;
  AudioBufferList list;
  list.mNumberBuffers = 1;
  list.mBuffers[0].mDataByteSize = largest;
  list.mBuffers[0].mData = room;
  check(AudioConverterFillComplexBuffer(converter, give, &source, &count, &list, NULL) == noErr && count == 0,
        "after the end nothing comes");
  size = sizeof out->prime;
  check(AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &out->prime) == noErr, "priming is told");
  out->cookieSize = sizeof out->cookie;
  if (AudioConverterGetProperty(converter, kAudioConverterCompressionMagicCookie, &out->cookieSize, out->cookie))
    out->cookieSize = 0;
  check(AudioConverterDispose(converter) == noErr, "the encoder ends");
  free(room);
}

// Decodes packets; returns frames.
static UInt32 decode(const Packets *packets, AudioStreamBasicDescription to, int trims, void *frames, UInt32 most) {
  AudioConverterRef converter = NULL;
  OSStatus status = AudioConverterNew(&packets->format, &to, &converter);
  check(status == noErr, "a decoder is made");
  if (status) return 0;
  if (packets->cookieSize)
    check(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, packets->cookieSize,
                                    packets->cookie) == noErr, "the cookie is taken");
  if (trims)
    check(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 8, &packets->prime) == noErr, "priming is taken");
  UInt32 done = 0;
  for (int round = 0; round < 2; round++) {
    Source source;
    memset(&source, 0, sizeof source);
    source.bytes = packets->bytes;
    source.width = packets->format.mBytesPerPacket;
    source.count = packets->count;
    source.packets = packets;
    done = 0;
    while (done < most) {
      AudioBufferList list;
      list.mNumberBuffers = 1;
      list.mBuffers[0].mNumberChannels = to.mChannelsPerFrame;
      list.mBuffers[0].mDataByteSize = 1000 * to.mBytesPerFrame;
      list.mBuffers[0].mData = (UInt8 *)frames + (size_t)done * to.mBytesPerFrame;
      UInt32 count = 1000;
      status = AudioConverterFillComplexBuffer(converter, give, &source, &count, &list, NULL);
      check(status == noErr || status == kAgain, "frames come, or the pause is handed on");
      if (status != noErr && status != kAgain) break;
      check(list.mBuffers[0].mDataByteSize == count * to.mBytesPerFrame, "the list tells the bytes");
      done += count;
      if (status == noErr && count == 0) break;
    }
    // Once more from the beginning: the same must come.
    check(AudioConverterReset(converter) == noErr, "it is reset");
  }
  check(AudioConverterDispose(converter) == noErr, "the decoder ends");
  return done;
}

#endif
