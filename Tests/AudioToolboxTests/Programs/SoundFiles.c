// A program in C that makes, reads and asks sound files as programs for the Mac do.
// SPDX-License-Identifier: Apache-2.0
//
// usage: SoundFiles FOLDER
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

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

// The first chapter's program: the linear formats that a container supports.
static void tables(void) {
  AudioFileTypeAndFormatID pair = {kAudioFileAIFFType, kAudioFormatLinearPCM};
  UInt32 size = 0;
  expect("size", AudioFileGetGlobalInfoSize(
      kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, sizeof pair, &pair, &size), noErr);
  expect("AIFF", size, 4 * (long long)sizeof(AudioStreamBasicDescription));
  AudioStreamBasicDescription list[16];
  expect("list", AudioFileGetGlobalInfo(
      kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, sizeof pair, &pair, &size, list),
      noErr);
  for (int index = 0; index < 4; ++index) {
    expect("flags", list[index].mFormatFlags, 14);
    expect("bits", list[index].mBitsPerChannel, 8 * (index + 1));
  }
  pair.mFileType = kAudioFileMP3Type;
  pair.mFormatID = kAudioFormatMPEG4AAC;
  expect("AAC in MP3", AudioFileGetGlobalInfoSize(
      kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, sizeof pair, &pair, &size),
      kAudioFileUnsupportedDataFormatError);
  CFStringRef extension = CFSTR("caf");
  AudioFileTypeID types[4];
  size = sizeof types;
  expect("types", AudioFileGetGlobalInfo(
      kAudioFileGlobalInfo_TypesForExtension, sizeof extension, &extension, &size, types), noErr);
  expect("caf", types[0], kAudioFileCAFType);
  CFStringRef name = NULL;
  size = sizeof name;
  expect("name", AudioFileGetGlobalInfo(
      kAudioFileGlobalInfo_FileTypeName, sizeof types[0], types, &size, &name), noErr);
  expect("is a name", CFStringGetLength(name) > 0, 1);
  CFRelease(name);
}

// The second chapter's program: a square of 441 Hz, one sample at a time.
static void square(const char *folder) {
  CFURLRef url = inFolder(folder, "square.aif");
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mSampleRate = 44100;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsSignedInteger
                        | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 16;
  format.mChannelsPerFrame = 1;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = 2;
  format.mBytesPerPacket = 2;
  AudioFileID file = NULL;
  expect("create", AudioFileCreateWithURL(
      url, kAudioFileAIFFType, &format, kAudioFileFlags_EraseFile, &file), noErr);
  for (SInt64 frame = 0; frame < 44100; ++frame) {
    const SInt16 sample = CFSwapInt16HostToBig((UInt16)(frame % 100 < 50 ? 16000 : -16000));
    UInt32 count = 2;
    expect("write", AudioFileWriteBytes(file, false, frame * 2, &count, &sample), noErr);
  }
  expect("close", AudioFileClose(file), noErr);
  expect("closed twice", AudioFileClose(file), kAudioFileNotOpenError);
  expect("no eraser", AudioFileCreateWithURL(url, kAudioFileAIFFType, &format, 0, &file),
         kAudioFilePermissionsError);
  CFRelease(url);
}

// Reads the square: its dictionary, its ends, its samples.
static void reading(const char *folder) {
  CFURLRef url = inFolder(folder, "square.aif");
  AudioFileID file = NULL;
  expect("write only", AudioFileOpenURL(url, kAudioFileWritePermission, 0, &file),
         kAudioFilePermissionsError);
  expect("open", AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file), noErr);
  UInt32 size = 0, isWritable = 9;
  expect("info", AudioFileGetPropertyInfo(
      file, kAudioFilePropertyInfoDictionary, &size, &isWritable), noErr);
  expect("writable", isWritable, 0);
  CFDictionaryRef info = NULL;
  expect("dictionary", AudioFileGetProperty(
      file, kAudioFilePropertyInfoDictionary, &size, &info), noErr);
  CFStringRef key = CFSTR(kAFInfoDictionary_ApproximateDurationInSeconds);
  CFStringRef seconds = (CFStringRef)CFDictionaryGetValue(info, key);
  expect("duration", seconds != NULL && CFStringCompare(seconds, CFSTR("1"), 0) == 0, 1);
  CFRelease(info);

  SInt16 samples[1000];
  UInt32 bytes = sizeof samples, packets = 1000;
  expect("packets", AudioFileReadPacketData(
      file, false, &bytes, NULL, 43600, &packets, samples), kAudioFileEndOfFileError);
  expect("count", packets, 500);
  expect("sample", (SInt16)CFSwapInt16BigToHost((UInt16)samples[0]), 16000);
  packets = 1000;
  expect("old call", AudioFileReadPackets(
      file, false, &bytes, NULL, 44100, &packets, samples), noErr);
  expect("none", packets, 0);
  bytes = sizeof samples;
  packets = 0;
  expect("no packets", AudioFileReadPacketData(
      file, false, &bytes, NULL, 0, &packets, samples), kAudio_ParamError);
  AudioStreamBasicDescription format;
  size = sizeof format - 1;
  expect("wrong size", AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format),
         kAudioFileBadPropertySizeError);
  UInt32 count = 2;
  expect("read only", AudioFileWriteBytes(file, false, 0, &count, samples),
         kAudioFilePermissionsError);
  expect("unknown", AudioFileGetPropertyInfo(file, 0x6E6F6E65, &size, NULL),
         kAudioFileUnsupportedPropertyError);
  expect("null", AudioFileGetProperty(NULL, kAudioFilePropertyDataFormat, &size, &format),
         kAudio_ParamError);
  int nothing[64] = {0};
  expect("foreign", AudioFileGetProperty(
      (AudioFileID)(void *)nothing, kAudioFilePropertyDataFormat, &size, &format),
      kAudioFileNotOpenError);
  AudioFramePacketTranslation place = {1234, 0, 0};
  size = sizeof place;
  expect("frame", AudioFileGetProperty(file, kAudioFilePropertyFrameToPacket, &size, &place), noErr);
  expect("packet", place.mPacket, 1234);
  AudioFileClose(file);
  CFRelease(url);
}

// A store of a caller's own.
typedef struct Memory {
  UInt8 bytes[1 << 16];
  SInt64 size;
} Memory;

static OSStatus readMemory(
    void *data, SInt64 position, UInt32 count, void *buffer, UInt32 *actual) {
  Memory *memory = (Memory *)data;
  SInt64 left = memory->size - position;
  // Never all at once.
  if (count > 1000) count = 1000;
  *actual = left <= 0 ? 0 : left < count ? (UInt32)left : count;
  memcpy(buffer, memory->bytes + position, *actual);
  return noErr;
}

static OSStatus writeMemory(
    void *data, SInt64 position, UInt32 count, const void *buffer, UInt32 *actual) {
  Memory *memory = (Memory *)data;
  *actual = 0;
  if (position + count > (SInt64)sizeof memory->bytes) return ioErr;
  memcpy(memory->bytes + position, buffer, count);
  if (position + count > memory->size) memory->size = position + count;
  *actual = count;
  return noErr;
}

static SInt64 sizeOfMemory(void *data) { return ((Memory *)data)->size; }

static OSStatus resizeMemory(void *data, SInt64 size) {
  ((Memory *)data)->size = size;
  return noErr;
}

static void callbacks(void) {
  static Memory memory;
  AudioStreamBasicDescription format = {
      48000, kAudioFormatLinearPCM, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      8, 1, 8, 2, 32, 0};
  AudioFileID file = NULL;
  expect("no writer", AudioFileInitializeWithCallbacks(
      &memory, readMemory, NULL, sizeOfMemory, resizeMemory, kAudioFileCAFType, &format, 0, &file),
      permErr);
  expect("initialize", AudioFileInitializeWithCallbacks(
      &memory, readMemory, writeMemory, sizeOfMemory, resizeMemory, kAudioFileCAFType, &format,
      0, &file), noErr);
  Float32 frames[500][2];
  for (int frame = 0; frame < 500; ++frame) {
    frames[frame][0] = frames[frame][1] = sinf((float)frame);
  }
  UInt32 packets = 500;
  // The number of bytes is not believed.
  expect("write", AudioFileWritePackets(file, false, 500, NULL, 0, &packets, frames), noErr);
  expect("written", packets, 500);
  packets = 1;
  expect("a gap", AudioFileWritePackets(file, false, 8, NULL, 600, &packets, frames),
         kAudioFileInvalidPacketOffsetError);
  AudioFileMarkerList *markers = (AudioFileMarkerList *)calloc(1, NumAudioFileMarkersToNumBytes(2));
  markers->mNumberMarkers = 2;
  for (int index = 0; index < 2; ++index) {
    markers->mMarkers[index].mMarkerID = index + 1;
    markers->mMarkers[index].mFramePosition = 100.0 * index;
    markers->mMarkers[index].mName = index ? CFSTR("second") : CFSTR("first");
  }
  expect("markers", AudioFileSetProperty(
      file, kAudioFilePropertyMarkerList, (UInt32)NumAudioFileMarkersToNumBytes(2), markers), noErr);
  free(markers);
  expect("user data", AudioFileSetUserData(file, 0x75736572, 0, 5, "hello"), noErr);
  expect("close", AudioFileClose(file), noErr);

  expect("open", AudioFileOpenWithCallbacks(
      &memory, readMemory, NULL, sizeOfMemory, NULL, 0, &file), noErr);
  UInt32 size = 0;
  expect("list", AudioFileGetPropertyInfo(file, kAudioFilePropertyMarkerList, &size, NULL), noErr);
  expect("markers read", (long long)NumBytesToNumAudioFileMarkers(size), 2);
  markers = (AudioFileMarkerList *)calloc(1, size);
  expect("get", AudioFileGetProperty(file, kAudioFilePropertyMarkerList, &size, markers), noErr);
  expect("place", (long long)markers->mMarkers[1].mFramePosition, 100);
  expect("name", CFStringCompare(markers->mMarkers[1].mName, CFSTR("second"), 0), 0);
  for (int index = 0; index < 2; ++index) CFRelease(markers->mMarkers[index].mName);
  free(markers);
  Float32 read[500][2];
  UInt32 bytes = sizeof read;
  packets = 500;
  expect("read", AudioFileReadPacketData(file, false, &bytes, NULL, 0, &packets, read), noErr);
  expect("same", memcmp(read, frames, sizeof read), 0);
  char text[8] = {0};
  size = sizeof text;
  expect("user data", AudioFileGetUserData(file, 0x75736572, 0, &size, text), noErr);
  expect("its size", size, 5);
  expect("its text", strcmp(text, "hello"), 0);
  expect("other", AudioFileGetUserDataSize(file, 0x6E6F6E65, 0, &size), kAudioFileInvalidChunkError);
  AudioFileClose(file);
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  tables();
  square(argv[1]);
  reading(argv[1]);
  callbacks();
  CFURLRef none = inFolder(argv[1], "none.wav");
  AudioFileID file = NULL;
  expect("missing", AudioFileOpenURL(none, kAudioFileReadPermission, 0, &file),
         kAudioFileFileNotFoundError);
  CFRelease(none);
  CFURLRef web = CFURLCreateWithString(NULL, CFSTR("http://localhost/a.wav"), NULL);
  expect("no file", AudioFileOpenURL(web, kAudioFileReadPermission, 0, &file),
         kAudio_BadFilePathError);
  CFRelease(web);
  if (failures == 0) printf("all as expected\n");
  return failures == 0 ? 0 : 1;
}
