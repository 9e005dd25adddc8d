// A program in C that reads and writes sound files as linear PCM in any format it chooses.
// SPDX-License-Identifier: Apache-2.0
//
// usage: ExtendedFiles FOLDER
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "LinearPCM.h"

enum { kFrames = 44100 };
// Native floats, a buffer for each channel.
static const UInt32 kPlanarFloat = 0x29;
static const double kTurn = 6.283185307179586;
static int failures = 0;
static float sound[2][kFrames];

static void expect(const char *what, long long found, long long wanted) {
  if (found == wanted) return;
  printf("%s: %lld, not %lld\n", what, found, wanted);
  failures += 1;
}

static CFURLRef inFolder(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
}

typedef struct Two { AudioBufferList list; AudioBuffer second; } Two;

static AudioBufferList *planar(Two *two, UInt32 start, UInt32 frames) {
  two->list.mNumberBuffers = 2;
  two->list.mBuffers[0] = (AudioBuffer){1, frames * 4, sound[0] + start};
  two->second = (AudioBuffer){1, frames * 4, sound[1] + start};
  return &two->list;
}

static AudioBufferList plain(UInt32 channels, void *memory, UInt32 bytes) {
  AudioBufferList list = {1, {{channels, bytes, memory}}};
  return list;
}

static void set(ExtAudioFileRef file, AudioStreamBasicDescription format) {
  expect("client's format", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format), noErr);
}

static SInt64 length(ExtAudioFileRef file) {
  SInt64 frames = -1;
  UInt32 size = sizeof frames;
  expect("length", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_FileLengthFrames, &size, &frames), noErr);
  return frames;
}

static void writing(CFURLRef url) {
  AudioStreamBasicDescription format = pcm(44100, 2, 32, kAudioFormatFlagsNativeFloatPacked);
  ExtAudioFileRef file = NULL;
  expect("create", ExtAudioFileCreateWithURL(
      url, kAudioFileCAFType, &format, NULL, kAudioFileFlags_EraseFile, &file), noErr);
  set(file, pcm(44100, 2, 32, kPlanarFloat));
  UInt32 done = 0;
  while (done < kFrames) {
    UInt32 frames = 1 + (done * 7 + 13) % 900;
    if (frames > kFrames - done) frames = kFrames - done;
    Two two;
    expect("write", ExtAudioFileWrite(file, frames, planar(&two, done, frames)), noErr);
    done += frames;
  }
  SInt64 place = 0;
  expect("tell", ExtAudioFileTell(file, &place), noErr);
  expect("place", place, kFrames);
  expect("length", length(file), kFrames);
  expect("seek in a file that is written", ExtAudioFileSeek(file, 0), kExtAudioFileError_InvalidSeek);
  float memory[2];
  AudioBufferList list = plain(2, memory, sizeof memory);
  UInt32 frames = 1;
  expect("read of one that is written", ExtAudioFileRead(file, &frames, &list),
      kExtAudioFileError_InvalidOperationOrder);
  format.mSampleRate = 22050;
  expect("late format", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format),
      kExtAudioFileError_InvalidOperationOrder);
  expect("dispose", ExtAudioFileDispose(file), noErr);
  expect("dispose twice", ExtAudioFileDispose(file), kAudio_ParamError);
}

// Reads all of a file, and as much again at random places: the same.
static UInt32 readAll(
    CFURLRef url, AudioStreamBasicDescription format, float *all, UInt32 room, double fileRate) {
  ExtAudioFileRef file = NULL;
  expect("open", ExtAudioFileOpenURL(url, &file), noErr);
  set(file, format);
  UInt32 total = 0, channels = format.mChannelsPerFrame;
  for (;;) {
    UInt32 frames = 1000;
    AudioBufferList list = plain(channels, all + channels * total, (room - total) * 4 * channels);
    if (ExtAudioFileRead(file, &frames, &list) != noErr || frames == 0) break;
    expect("bytes", list.mBuffers[0].mDataByteSize, frames * 4 * channels);
    total += frames;
  }
  UInt32 none = 10;
  float memory[2048];
  AudioBufferList list = plain(channels, memory, sizeof memory);
  expect("read behind the end", ExtAudioFileRead(file, &none, &list), noErr);
  expect("none", none, 0);
  double ratio = format.mSampleRate / fileRate, worst = 0;
  srand(5);
  for (int turn = 0; turn < 300; ++turn) {
    SInt64 place = rand() % (kFrames - 600), told = -1;
    UInt32 frames = 400;
    // Only where both rates have a frame at the same time can samples be the same.
    while (fabs(place * ratio - floor(place * ratio + 0.5)) > 1e-9) place += 1;
    list = plain(channels, memory, sizeof memory);
    expect("seek", ExtAudioFileSeek(file, place), noErr);
    expect("tell", ExtAudioFileTell(file, &told) ? -1 : told, place);
    expect("read", ExtAudioFileRead(file, &frames, &list), noErr);
    expect("frames", frames, 400);
    const float *from = all + channels * (UInt32)floor(place * ratio + 0.5);
    for (UInt32 index = 0; index < frames * channels; ++index) {
      double off = fabs(from[index] - memory[index]);
      if (off > worst) worst = off;
    }
  }
  if (worst > (ratio == 1 ? 0 : 2e-6)) {
    printf("places of %g Hz: off by %g\n", format.mSampleRate, worst);
    failures += 1;
  }
  expect("dispose", ExtAudioFileDispose(file), noErr);
  return total;
}

static void reading(CFURLRef url) {
  float *all = (float *)malloc(sizeof(float) * 2 * 60000);
  UInt32 flags = kAudioFormatFlagsNativeFloatPacked;
  expect("frames", readAll(url, pcm(44100, 2, 32, flags), all, 60000, 44100), kFrames);
  for (UInt32 frame = 0; frame < kFrames; ++frame) {
    if (all[2 * frame] != sound[0][frame] || all[2 * frame + 1] != sound[1][frame]) {
      printf("frame %u is another\n", frame);
      failures += 1;
      break;
    }
  }
  expect("frames of another rate", readAll(url, pcm(48000, 2, 32, flags), all, 60000, 44100), 48000);
  double worst = 0;
  for (UInt32 frame = 1000; frame < 47000; ++frame) {
    double off = fabs(all[2 * frame] - 0.5 * sin(kTurn * 997 * frame / 48000));
    if (off > worst) worst = off;
  }
  if (worst > 1e-4) printf("sine of another rate: off by %g\n", worst), failures += 1;
  expect("one channel", readAll(url, pcm(44100, 1, 32, flags), all, 60000, 44100), kFrames);
  free(all);
}

static void properties(CFURLRef url) {
  ExtAudioFileRef file = NULL;
  expect("open", ExtAudioFileOpenURL(url, &file), noErr);
  AudioConverterRef converter = (AudioConverterRef)file;
  UInt32 size = sizeof converter;
  expect("no converter", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_AudioConverter, &size, &converter), noErr);
  expect("is none", converter == NULL, 1);
  AudioStreamBasicDescription format;
  size = 4;
  expect("small room", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_FileDataFormat, &size, &format),
      kExtAudioFileError_InvalidPropertySize);
  size = sizeof format;
  expect("format", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_FileDataFormat, &size, &format), noErr);
  expect("rate", (long long)format.mSampleRate, 44100);
  Boolean isWritable = true;
  expect("info", ExtAudioFileGetPropertyInfo(
      file, kExtAudioFileProperty_FileLengthFrames, &size, &isWritable), noErr);
  expect("size", size, 8);
  expect("is writable", isWritable, false);
  expect("no such property", ExtAudioFileGetPropertyInfo(file, 0x6e6f6e65, &size, &isWritable),
      kExtAudioFileError_InvalidProperty);
  format.mFormatID = kAudioFormatMPEG4AAC;
  expect("AAC for a client", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format),
      kExtAudioFileError_NonPCMClientFormat);
  expect("half a format", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat, 20, &format),
      kExtAudioFileError_InvalidPropertySize);
  AudioChannelLayout layout = {kAudioChannelLayoutTag_MPEG_5_1_A, 0, 0, {{0, 0, {0, 0, 0}}}};
  expect("six channels", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientChannelLayout, 12, &layout),
      kExtAudioFileError_InvalidChannelMap);
  set(file, pcm(8000, 2, 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked));
  size = sizeof converter;
  expect("converter", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_AudioConverter, &size, &converter), noErr);
  UInt32 quality = kAudioConverterQuality_Max;
  expect("its quality", AudioConverterSetProperty(
      converter, kAudioConverterSampleRateConverterQuality, sizeof quality, &quality), noErr);
  const void *none = NULL;
  expect("the file knows", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ConverterConfig, sizeof none, &none), noErr);
  AudioFileID fileID = NULL;
  size = sizeof fileID;
  expect("file", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_AudioFile, &size, &fileID), noErr);
  UInt64 packets = 0;
  size = sizeof packets;
  expect("packets", AudioFileGetProperty(
      fileID, kAudioFilePropertyAudioDataPacketCount, &size, &packets), noErr);
  expect("all", (long long)packets, kFrames);
  // A caller's own memory between file and converter.
  static char memory[3000];
  void *start = memory;
  UInt32 bytes = sizeof memory, largest = 0;
  expect("size of memory", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_IOBufferSizeBytes, sizeof bytes, &bytes), noErr);
  expect("memory", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_IOBuffer, sizeof start, &start), noErr);
  size = sizeof largest;
  expect("largest packet", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_FileMaxPacketSize, &size, &largest), noErr);
  expect("two floats", largest, 8);
  SInt16 samples[2 * 500];
  UInt32 frames = 500;
  AudioBufferList list = plain(2, samples, sizeof samples);
  expect("read", ExtAudioFileRead(file, &frames, &list), noErr);
  expect("frames", frames, 500);
  expect("memory is used", memory[0] != 0 || memory[4] != 0 || memory[8] != 0, 1);
  expect("place before the sound", ExtAudioFileSeek(file, -1), kExtAudioFileError_InvalidSeek);
  expect("write to one that is read", ExtAudioFileWrite(file, 1, &list),
      kExtAudioFileError_InvalidOperationOrder);
  expect("the same from a render thread", ExtAudioFileWriteAsync(file, 0, NULL),
      kExtAudioFileError_InvalidOperationOrder);
  expect("nothing", ExtAudioFileRead(NULL, &frames, &list), kAudio_ParamError);
  expect("nowhere", ExtAudioFileRead(file, NULL, &list), kAudio_ParamError);
  expect("dispose", ExtAudioFileDispose(file), noErr);
  expect("disposed", ExtAudioFileSeek(file, 0), kAudio_ParamError);
}

static void *render(void *argument) {
  ExtAudioFileRef file = (ExtAudioFileRef)argument;
  for (UInt32 done = 0; done < kFrames;) {
    UInt32 frames = kFrames - done < 441 ? kFrames - done : 441;
    Two two;
    OSStatus status = ExtAudioFileWriteAsync(file, frames, planar(&two, done, frames));
    if (status != noErr) return (void *)1;
    done += frames;
  }
  return NULL;
}

static void asynchronous(CFURLRef url) {
  AudioStreamBasicDescription format =
      pcm(44100, 2, 24, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked);
  ExtAudioFileRef file = NULL;
  expect("create", ExtAudioFileCreateWithURL(
      url, kAudioFileWAVEType, &format, NULL, kAudioFileFlags_EraseFile, &file), noErr);
  set(file, pcm(44100, 2, 32, kPlanarFloat));
  expect("first call", ExtAudioFileWriteAsync(file, 0, NULL), noErr);
  Two two;
  AudioBufferList *list = planar(&two, 0, 1);
  expect("nothing came yet", ExtAudioFileWrite(file, 0, list), noErr);
  expect("too many frames for the memory", ExtAudioFileWriteAsync(file, 2, list), kAudio_ParamError);
  list->mBuffers[0].mDataByteSize = two.second.mDataByteSize = 1u << 30;
  expect("too large", ExtAudioFileWriteAsync(file, 1 << 28, list),
      kExtAudioFileError_AsyncWriteTooLarge);
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, render, file);
  pthread_join(thread, &result);
  expect("render thread", result == NULL, 1);
  expect("not to be mixed", ExtAudioFileWrite(file, 1, planar(&two, 0, 1)),
      kExtAudioFileError_InvalidOperationOrder);
  expect("dispose", ExtAudioFileDispose(file), noErr);
  expect("open", ExtAudioFileOpenURL(url, &file), noErr);
  expect("length", length(file), kFrames);
  set(file, pcm(44100, 2, 32, kAudioFormatFlagsNativeFloatPacked));
  static float all[2 * kFrames];
  UInt32 frames = kFrames;
  AudioBufferList whole = plain(2, all, sizeof all);
  expect("read", ExtAudioFileRead(file, &frames, &whole), noErr);
  expect("frames", frames, kFrames);
  for (UInt32 frame = 0; frame < kFrames; ++frame) {
    if (fabsf(all[2 * frame + 1] - sound[1][frame]) < 1e-6f) continue;
    printf("frame %u is another\n", frame);
    failures += 1;
    break;
  }
  expect("dispose", ExtAudioFileDispose(file), noErr);
}

static void lengths(CFURLRef url) {
  AudioStreamBasicDescription format = pcm(8000, 1, 8, kAudioFormatFlagIsPacked);
  AudioFileID fileID = NULL;
  expect("create", AudioFileCreateWithURL(
      url, kAudioFileWAVEType, &format, kAudioFileFlags_EraseFile, &fileID), noErr);
  ExtAudioFileRef file = NULL;
  expect("wrap", ExtAudioFileWrapAudioFileID(fileID, true, &file), noErr);
  UInt8 samples[100];
  memset(samples, 1, sizeof samples);
  AudioBufferList list = plain(1, samples, sizeof samples);
  expect("write", ExtAudioFileWrite(file, 100, &list), noErr);
  SInt64 frames = 60;
  expect("cut", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_FileLengthFrames, sizeof frames, &frames), noErr);
  expect("length", length(file), 60);
  frames = 80;
  expect("lengthen", ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_FileLengthFrames, sizeof frames, &frames), noErr);
  expect("length", length(file), 80);
  AudioFilePacketTableInfo table;
  UInt32 size = sizeof table;
  expect("no packet table", ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_PacketTable, &size, &table), kExtAudioFileError_InvalidProperty);
  expect("dispose", ExtAudioFileDispose(file), noErr);
  UInt32 bytes = sizeof samples;
  expect("still open", AudioFileReadBytes(fileID, false, 0, &bytes, samples), -39);
  expect("bytes", bytes, 80);
  expect("silence", samples[79], 0x80);
  expect("sound", samples[59], 1);
  expect("close", AudioFileClose(fileID), noErr);
  expect("wrap a closed one", ExtAudioFileWrapAudioFileID(fileID, false, &file), -38);
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  for (UInt32 frame = 0; frame < kFrames; ++frame) {
    sound[0][frame] = (float)(0.5 * sin(kTurn * 997 * frame / 44100.0));
    sound[1][frame] = (float)((frame * 7919 % 65536) / 65536.0 - 0.5);
  }
  CFURLRef url = inFolder(arguments[1], "sound.caf");
  CFURLRef other = inFolder(arguments[1], "async.wav");
  CFURLRef third = inFolder(arguments[1], "length.wav");
  writing(url);
  reading(url);
  properties(url);
  asynchronous(other);
  lengths(third);
  CFURLRef nowhere = inFolder(arguments[1], "nowhere/none.wav");
  ExtAudioFileRef file = NULL;
  expect("no file", ExtAudioFileOpenURL(nowhere, &file), -43);
  CFRelease(nowhere);
  CFRelease(third);
  CFRelease(other);
  CFRelease(url);
  if (failures == 0) printf("all as expected\n");
  return failures != 0;
}
