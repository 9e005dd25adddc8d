// A program in C that plays from a network, but for the network: bytes in, properties and packets out.
// SPDX-License-Identifier: Apache-2.0
//
// usage: FileStream FOLDER
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(const char *what, long long found, long long wanted) {
  if (found == wanted) return;
  printf("%s: %lld, not %lld\n", what, found, wanted);
  failures += 1;
}

enum { kMostBytes = 1 << 20, kPackets = 200 };

typedef struct Client {
  AudioFileStreamPropertyID last;
  int properties;
  int isReady;
  AudioStreamBasicDescription format;
  UInt32 cookieSize;
  long long packets;
  long long bytes;
  unsigned long long sum;
  int hasDescriptions;
  int closesAt;
  AudioFileStreamID stream;
} Client;

static void tell(
    void *data, AudioFileStreamID stream, AudioFileStreamPropertyID property,
    AudioFileStreamPropertyFlags *flags) {
  Client *client = (Client *)data;
  client->properties += 1;
  client->last = property;
  *flags |= kAudioFileStreamPropertyFlag_CacheProperty;
  UInt32 size = 0;
  if (property == kAudioFileStreamProperty_DataFormat) {
    size = sizeof client->format;
    expect("format", AudioFileStreamGetProperty(stream, property, &size, &client->format), noErr);
  } else if (property == kAudioFileStreamProperty_MagicCookieData) {
    Boolean isWritable = true;
    expect("cookie", AudioFileStreamGetPropertyInfo(
        stream, property, &client->cookieSize, &isWritable), noErr);
    expect("writable", isWritable, false);
  } else if (property == kAudioFileStreamProperty_ReadyToProducePackets) {
    UInt32 ready = 0;
    size = sizeof ready;
    expect("ready", AudioFileStreamGetProperty(stream, property, &size, &ready), noErr);
    client->isReady = (int)ready;
    expect("packets before", client->packets, 0);
    expect("within", AudioFileStreamParseBytes(stream, 0, NULL, 0),
           kAudioFileStreamError_IllegalOperation);
  }
}

static void take(
    void *data, UInt32 byteCount, UInt32 packetCount, const void *bytes,
    AudioStreamPacketDescription *descriptions) {
  Client *client = (Client *)data;
  client->packets += packetCount;
  client->bytes += byteCount;
  client->hasDescriptions = descriptions != NULL;
  const UInt8 *start = (const UInt8 *)bytes;
  for (UInt32 index = 0; index < byteCount; ++index) client->sum = client->sum * 31 + start[index];
  UInt32 end = 0;
  for (UInt32 index = 0; descriptions && index < packetCount; ++index) {
    expect("offset", descriptions[index].mStartOffset, end);
    end += descriptions[index].mDataByteSize;
  }
  if (descriptions) expect("sizes", end, byteCount);
  if (client->closesAt && client->packets >= client->closesAt) {
    expect("close within", AudioFileStreamClose(client->stream), noErr);
  }
}

static void makeFile(CFURLRef url, AudioFileTypeID type, const AudioStreamBasicDescription *format) {
  AudioFileID file = NULL;
  expect("create", AudioFileCreateWithURL(url, type, format, kAudioFileFlags_EraseFile, &file), noErr);
  UInt8 bytes[4096];
  for (int index = 0; index < 4096; ++index) bytes[index] = (UInt8)(index * 7);
  for (int index = 0; index < kPackets; ++index) {
    AudioStreamPacketDescription one = {0, 0, (UInt32)(20 + index * 13 % 700)};
    UInt32 count = 1;
    expect("write", AudioFileWritePackets(
        file, false, one.mDataByteSize, &one, index, &count, bytes), noErr);
  }
  expect("close", AudioFileClose(file), noErr);
}

static UInt32 readAll(const char *path, UInt8 *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  UInt32 count = (UInt32)fread(bytes, 1, kMostBytes, file);
  fclose(file);
  return count;
}

static Client feed(const UInt8 *bytes, UInt32 count, AudioFileTypeID hint, UInt32 step, int closesAt) {
  Client client;
  memset(&client, 0, sizeof client);
  client.closesAt = closesAt;
  expect("open", AudioFileStreamOpen(&client, tell, take, hint, &client.stream), noErr);
  UInt32 value = 9;
  UInt32 size = sizeof value;
  expect("early", AudioFileStreamGetProperty(
      client.stream, kAudioFileStreamProperty_ReadyToProducePackets, &size, &value), noErr);
  expect("not ready", value, 0);
  size = sizeof value;
  expect("no type yet", AudioFileStreamGetProperty(
      client.stream, kAudioFileStreamProperty_FileFormat, &size, &value),
      kAudioFileStreamError_DataUnavailable);
  for (UInt32 place = 0; place < count; place += step) {
    UInt32 length = count - place < step ? count - place : step;
    OSStatus status = AudioFileStreamParseBytes(client.stream, length, bytes + place, 0);
    if (closesAt && client.packets >= closesAt) {
      if (status == kAudioFileNotOpenError) break;
    } else {
      expect("parse", status, noErr);
    }
  }
  if (closesAt) {
    expect("closed", AudioFileStreamParseBytes(client.stream, 0, NULL, 0), kAudioFileNotOpenError);
    return client;
  }
  expect("end", AudioFileStreamParseBytes(client.stream, 0, NULL, 0), noErr);
  expect("last property", client.last, kAudioFileStreamProperty_ReadyToProducePackets);
  SInt64 offset = -1;
  AudioFileStreamSeekFlags flags = 9;
  expect("seek", AudioFileStreamSeek(client.stream, 5, &offset, &flags), noErr);
  expect("exact", flags, 0);
  expect("before the first", AudioFileStreamSeek(client.stream, -5, &offset, &flags),
         kAudioFileStreamError_InvalidPacketOffset);
  expect("set", AudioFileStreamSetProperty(
      client.stream, kAudioFileStreamProperty_BitRate, sizeof value, &value),
      kAudioFileStreamError_UnsupportedProperty);
  size = 3;
  expect("size", AudioFileStreamGetProperty(
      client.stream, kAudioFileStreamProperty_BitRate, &size, &value),
      kAudioFileStreamError_BadPropertySize);
  expect("close", AudioFileStreamClose(client.stream), noErr);
  return client;
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  char path[1024];
  UInt8 *bytes = (UInt8 *)malloc(kMostBytes);
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mSampleRate = 44100;
  format.mFormatID = kAudioFormatMPEG4AAC;
  format.mChannelsPerFrame = 2;
  const AudioFileTypeID types[2] = {kAudioFileAAC_ADTSType, kAudioFileM4AType};
  for (int index = 0; index < 2; ++index) {
    snprintf(path, sizeof path, "%s/stream-%d", argv[1], index);
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(
        NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
    makeFile(url, types[index], &format);
    CFRelease(url);
    UInt32 count = readAll(path, bytes);
    unsigned long long sum = 0;
    const UInt32 steps[4] = {1, 17, 1000, kMostBytes};
    for (int step = 0; step < 4; ++step) {
      Client client = feed(bytes, count, types[index], steps[step], 0);
      expect("packets", client.packets, kPackets);
      expect("is ready", client.isReady, 1);
      expect("described", client.hasDescriptions, 1);
      expect("AAC", client.format.mFormatID, kAudioFormatMPEG4AAC);
      expect("frames", client.format.mFramesPerPacket, 1024);
      expect("has a cookie", client.cookieSize > 20, 1);
      if (step == 0) sum = client.sum;
      expect("same bytes", client.sum == sum, 1);
    }
    (void)feed(bytes, count, types[index], 500, 50);
  }
  Client empty;
  memset(&empty, 0, sizeof empty);
  AudioFileStreamID stream = NULL;
  expect("no place", AudioFileStreamOpen(&empty, tell, take, 0, NULL), kAudio_ParamError);
  expect("no packets", AudioFileStreamOpen(&empty, tell, NULL, 0, &stream), kAudio_ParamError);
  expect("no stream", AudioFileStreamParseBytes(NULL, 0, NULL, 0), kAudio_ParamError);
  expect("open", AudioFileStreamOpen(&empty, tell, take, 0, &stream), noErr);
  expect("null bytes", AudioFileStreamParseBytes(stream, 4, NULL, 0), kAudio_ParamError);
  expect("nothing yet", AudioFileStreamParseBytes(stream, 0, NULL, 0), noErr);
  expect("nothing at an address", AudioFileStreamParseBytes(stream, 0, bytes, 0), noErr);
  memset(bytes, 'x', 4000);
  expect("no sound", AudioFileStreamParseBytes(stream, 4000, bytes, 0),
         kAudioFileStreamError_UnsupportedFileType);
  expect("close", AudioFileStreamClose(stream), noErr);
  expect("twice", AudioFileStreamClose(stream), kAudioFileNotOpenError);
  free(bytes);
  if (failures == 0) printf("all as expected\n");
  return failures == 0 ? 0 : 1;
}
