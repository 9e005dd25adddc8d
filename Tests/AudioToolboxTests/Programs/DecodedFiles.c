// A file of a kind without packets here, read through AudioFile.h, AudioFileStream.h and ExtendedAudioFile.h.
// SPDX-License-Identifier: Apache-2.0
//
// usage: DecodedFiles FOLDER
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: not %s\n", __LINE__, #condition); \
      exit(1);                                       \
    }                                                \
  } while (0)

enum { kFrames = 10007, kChannels = 2 };
static unsigned char bytes[26 + 16 + kFrames * kChannels * 2 + 1];
static UInt32 byteCount;

static void put(UInt32 value, int count) {
  for (int index = 0; index < count; ++index) bytes[byteCount++] = (unsigned char)(value >> 8 * index);
}

static int sample(int frame, int channel) { return (frame * 7 + channel * 1000) % 20000 - 10000; }

// A Creative Voice File with one block of 16 bits.
static void makeVoice(void) {
  memcpy(bytes, "Creative Voice File\x1A", 20);
  byteCount = 20;
  put(26, 2);
  put(0x010A, 2);
  put(0x1129, 2);
  put(9, 1);
  put(12 + kFrames * kChannels * 2, 3);
  put(22050, 4);
  put(16, 1);
  put(kChannels, 1);
  put(4, 2);
  put(0, 4);
  for (int frame = 0; frame < kFrames; ++frame)
    for (int channel = 0; channel < kChannels; ++channel) put((UInt32)sample(frame, channel), 2);
  put(0, 1);
}

static OSStatus readBytes(void *data, SInt64 position, UInt32 count, void *buffer, UInt32 *actual) {
  (void)data;
  SInt64 left = (SInt64)byteCount - position;
  *actual = left < 0 ? 0 : left < count ? (UInt32)left : count;
  memcpy(buffer, bytes + position, *actual);
  return noErr;
}

static SInt64 storedSize(void *data) {
  (void)data;
  return byteCount;
}

static void checkFrames(AudioFileID file, SInt64 start) {
  float samples[64 * kChannels];
  UInt32 count = sizeof samples, packets = 64;
  CHECK(AudioFileReadPacketData(file, false, &count, NULL, start, &packets, samples) == noErr);
  CHECK(packets == 64 && count == sizeof samples);
  for (int index = 0; index < 64 * kChannels; ++index)
    CHECK(samples[index] * 32768 == (float)sample((int)start + index / kChannels, index % kChannels));
}

static void checkFile(AudioFileID file) {
  AudioStreamBasicDescription format;
  UInt32 count = sizeof format;
  CHECK(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &count, &format) == noErr);
  CHECK(format.mFormatID == kAudioFormatLinearPCM && format.mSampleRate == 22050);
  CHECK(format.mChannelsPerFrame == kChannels && format.mBytesPerFrame == 4 * kChannels);
  UInt64 packets = 0;
  count = sizeof packets;
  CHECK(AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &count, &packets) == noErr);
  CHECK(packets == kFrames);
  // Forward, back, and forth again.
  checkFrames(file, 9000);
  checkFrames(file, 0);
  checkFrames(file, 5000);
  AudioFileTypeID type = 0;
  count = sizeof type;
  CHECK(AudioFileGetProperty(file, kAudioFilePropertyFileFormat, &count, &type) == noErr);
  CHECK(type == 0x3F3F3F3F);
}

typedef struct Client {
  long long frames;
  int readyCount;
  int isRight;
  AudioStreamBasicDescription format;
} Client;

static void noteProperty(
    void *data, AudioFileStreamID stream, AudioFileStreamPropertyID property,
    AudioFileStreamPropertyFlags *flags) {
  Client *client = (Client *)data;
  (void)flags;
  UInt32 size = sizeof client->format;
  if (property == kAudioFileStreamProperty_DataFormat)
    CHECK(AudioFileStreamGetProperty(stream, property, &size, &client->format) == noErr);
  if (property == kAudioFileStreamProperty_ReadyToProducePackets) client->readyCount += 1;
}

static void notePackets(
    void *data, UInt32 size, UInt32 packets, const void *input, AudioStreamPacketDescription *places) {
  Client *client = (Client *)data;
  const float *samples = (const float *)input;
  CHECK(places == NULL && size == packets * kChannels * sizeof(float));
  for (UInt32 index = 0; index < packets * kChannels; ++index)
    if (samples[index] * 32768 !=
        (float)sample((int)client->frames + (int)index / kChannels, (int)index % kChannels))
      client->isRight = 0;
  client->frames += packets;
}

static OSStatus feed(AudioFileStreamID stream, UInt32 count, UInt32 step) {
  for (UInt32 place = 0; place < count; place += step) {
    const UInt32 length = count - place < step ? count - place : step;
    OSStatus status = AudioFileStreamParseBytes(stream, length, bytes + place, 0);
    if (status != noErr) return status;
  }
  return AudioFileStreamParseBytes(stream, 0, NULL, 0);
}

// The same file in pieces: its frames come with the end, and again from a frame that was sought.
static void checkStream(UInt32 step) {
  Client client;
  memset(&client, 0, sizeof client);
  client.isRight = 1;
  AudioFileStreamID stream = NULL;
  CHECK(AudioFileStreamOpen(&client, noteProperty, notePackets, 0, &stream) == noErr);
  CHECK(feed(stream, byteCount, step) == noErr);
  CHECK(client.frames == kFrames && client.isRight && client.readyCount == 1);
  CHECK(client.format.mFormatID == kAudioFormatLinearPCM && client.format.mSampleRate == 22050);
  SInt64 offset = -1;
  AudioFileStreamSeekFlags flags = 9;
  CHECK(AudioFileStreamSeek(stream, kFrames + 1, &offset, &flags) != noErr);
  CHECK(AudioFileStreamSeek(stream, 5000, &offset, &flags) == noErr && offset == 0 && flags == 0);
  client.frames = 5000;
  CHECK(feed(stream, byteCount, step) == noErr);
  CHECK(client.frames == kFrames && client.isRight && client.readyCount == 1);
  CHECK(AudioFileStreamClose(stream) == noErr);
  // A gap cannot be passed, and half of a file is none.
  CHECK(AudioFileStreamOpen(&client, noteProperty, notePackets, 0, &stream) == noErr);
  CHECK(AudioFileStreamParseBytes(stream, 1000, bytes, 0) == noErr);
  CHECK(AudioFileStreamParseBytes(stream, 1000, bytes + 3000, kAudioFileStreamParseFlag_Discontinuity) ==
        kAudioFileStreamError_DiscontinuityCantRecover);
  CHECK(AudioFileStreamClose(stream) == noErr);
  client.readyCount = 0;
  CHECK(AudioFileStreamOpen(&client, noteProperty, notePackets, 0, &stream) == noErr);
  CHECK(feed(stream, byteCount / 2, step) != noErr && client.readyCount == 0);
  CHECK(AudioFileStreamClose(stream) == noErr);
}

int main(int count, char **words) {
  CHECK(count == 2);
  makeVoice();
  char path[1024];
  snprintf(path, sizeof path, "%s/sound.voc", words[1]);
  FILE *stream = fopen(path, "wb");
  CHECK(stream && fwrite(bytes, 1, byteCount, stream) == byteCount && fclose(stream) == 0);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);

  AudioFileID file = NULL;
  CHECK(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file) == noErr);
  checkFile(file);
  CHECK(AudioFileClose(file) == noErr);
  CHECK(AudioFileOpenWithCallbacks(NULL, readBytes, NULL, storedSize, NULL, 0, &file) == noErr);
  checkFile(file);
  CHECK(AudioFileClose(file) == noErr);
  // Nothing of it can be changed.
  CHECK(AudioFileOpenURL(url, kAudioFileReadWritePermission, 0, &file) == kAudioFileUnsupportedFileTypeError);

  checkStream(1);
  checkStream(997);
  checkStream(byteCount);

  ExtAudioFileRef extended = NULL;
  CHECK(ExtAudioFileOpenURL(url, &extended) == noErr);
  SInt64 frames = 0;
  UInt32 size = sizeof frames;
  CHECK(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_FileLengthFrames, &size, &frames) == noErr);
  CHECK(frames == kFrames);
  AudioStreamBasicDescription client = {
      22050, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
  CHECK(ExtAudioFileSetProperty(
            extended, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client) == noErr);
  short samples[1000 * kChannels];
  int place = 0;
  for (;;) {
    UInt32 got = 1000;
    AudioBufferList list = {1, {{kChannels, sizeof samples, samples}}};
    CHECK(ExtAudioFileRead(extended, &got, &list) == noErr);
    if (got == 0) break;
    for (UInt32 index = 0; index < got * kChannels; ++index)
      CHECK(samples[index] == sample(place + (int)index / kChannels, (int)index % kChannels));
    place += (int)got;
  }
  CHECK(place == kFrames);
  CHECK(ExtAudioFileDispose(extended) == noErr);
  CFRelease(url);

  // Other bytes are of no kind.
  memset(bytes, 'x', 1000);
  byteCount = 1000;
  CHECK(AudioFileOpenWithCallbacks(NULL, readBytes, NULL, storedSize, NULL, 0, &file) ==
        kAudioFileUnsupportedFileTypeError);
  puts("all as expected");
  return 0;
}
