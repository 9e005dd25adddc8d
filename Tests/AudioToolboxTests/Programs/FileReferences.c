// A program of before 10.6: files as references, sound files by these, numbers that threads share.
// SPDX-License-Identifier: Apache-2.0
//
// It ends with 1 and prints the first thing that is not as it must be.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // mkdtemp
#endif
#include <AudioToolbox/AudioToolbox.h>
#include <os/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      printf("line %d: not so: %s\n", __LINE__, #condition);                \
      return 1;                                                             \
    }                                                                       \
  } while (0)

// Sound files by references: made in a folder, emptied, opened again.
static int soundFiles(void) {
  char made[] = "/tmp/auricle-references-XXXXXX";
  FSRef folder, sound;
  AudioFileID file = NULL;
  AudioStreamBasicDescription format = {48000, kAudioFormatLinearPCM, 12, 2, 1, 2, 1, 16, 0};
  SInt16 samples[4] = {1, 2, 3, 4};
  UInt32 count = 4;
  UInt8 path[4096];
  CHECK(mkdtemp(made) && FSPathMakeRef((const UInt8 *)made, &folder, NULL) == noErr);
  CHECK(AudioFileCreate(&folder, CFSTR("a.wav"), kAudioFileWAVEType, &format, 0, &sound, &file) == noErr);
  AudioStreamPacketDependencyDescription alone[4] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}};
  CHECK(AudioFileWritePacketsWithDependencies(file, false, 8, NULL, alone, 0, &count, samples)
        == kAudioFileInvalidPacketDependencyError);
  alone[3] = alone[0];
  count = 4;
  CHECK(AudioFileWritePacketsWithDependencies(file, false, 8, NULL, alone, 0, &count, samples) == noErr);
  CHECK(count == 4 && AudioFileClose(file) == noErr);
  CHECK(AudioFileCreate(&folder, CFSTR("a.wav"), kAudioFileWAVEType, &format, 0, &sound, &file)
        == kAudioFilePermissionsError);
  CHECK(AudioFileOpen(&sound, kAudioFileReadPermission, 0, &file) == noErr);
  UInt64 packets = 0;
  UInt32 size = sizeof packets;
  CHECK(AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &packets) == noErr);
  CHECK(packets == 4 && AudioFileClose(file) == noErr);
  CHECK(AudioFileInitialize(&sound, kAudioFileWAVEType, &format, 0, &file) == noErr);
  CHECK(AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &size, &packets) == noErr);
  CHECK(packets == 0 && AudioFileClose(file) == noErr);
  CHECK(FSRefMakePath(&sound, path, sizeof path) == noErr && !unlink((const char *)path) && !rmdir(made));
  return 0;
}

// Numbers that threads share, by their older names, and a log by its newer one.
static int otherNames(void) {
  UInt32 number = 4;
  SInt32 counted = 7;
  CHECK(CompareAndSwap(4, 5, &number) && !CompareAndSwap(4, 6, &number) && number == 5);
  CHECK(IncrementAtomic(&counted) == 7 && AddAtomic(3, &counted) == 8 && DecrementAtomic(&counted) == 11);
  CHECK(os_log_create("com.example", "test") != OS_LOG_DISABLED);
  CHECK(!os_log_type_enabled(OS_LOG_DISABLED, OS_LOG_TYPE_ERROR));
  __Debug_String("nothing is wrong");
  return 0;
}

int main(void) {
  FSRef folder, same, program, nothing;
  Boolean isDirectory = false;
  UInt8 path[4096];
  CFURLRef url;
  memset(&nothing, 0, sizeof(nothing));
  CHECK(FSPathMakeRef((const UInt8 *)"/usr/", &folder, &isDirectory) == noErr && isDirectory);
  CHECK(FSRefMakePath(&folder, path, sizeof(path)) == noErr);
  CHECK(!strcmp((const char *)path, "/usr"));
  CHECK(FSPathMakeRef((const UInt8 *)"/usr/../usr", &same, NULL) == noErr);
  CHECK(FSCompareFSRefs(&folder, &same) == 0);
  // Links are followed: this is the program itself.
  CHECK(FSPathMakeRef((const UInt8 *)"/proc/self/exe", &program, &isDirectory) == noErr);
  CHECK(!isDirectory && FSCompareFSRefs(&folder, &program) == errFSNotSameFile);

  url = CFURLCreateFromFSRef(NULL, &folder);
  CHECK(url && CFURLHasDirectoryPath(url) && CFURLGetFSRef(url, &same));
  CHECK(FSCompareFSRefs(&folder, &same) == 0);
  CFRelease(url);

  CHECK(FSPathMakeRef((const UInt8 *)"/nowhere/at/all", &same, NULL) == fnfErr);
  CHECK(FSPathMakeRef((const UInt8 *)"", &same, NULL) == paramErr);
  CHECK(FSPathMakeRef(NULL, &same, NULL) == paramErr);
  CHECK(FSPathMakeRef((const UInt8 *)"/usr", NULL, NULL) == paramErr);
  CHECK(FSRefMakePath(&folder, path, 4) == paramErr);
  CHECK(FSRefMakePath(&nothing, path, sizeof(path)) == paramErr);
  CHECK(FSRefMakePath(NULL, path, sizeof(path)) == paramErr);
  CHECK(CFURLCreateFromFSRef(NULL, &nothing) == NULL && !CFURLGetFSRef(NULL, &same));
  CHECK(FSCompareFSRefs(&folder, &nothing) == paramErr);
  url = CFURLCreateWithString(NULL, CFSTR("https://example.com/"), NULL);
  CHECK(!CFURLGetFSRef(url, &same));
  CFRelease(url);
  // Numbers that were never issued.
  memset(folder.hidden + 8, 0xff, 8);
  CHECK(FSRefMakePath(&folder, path, sizeof(path)) == paramErr);
  return soundFiles() || otherNames();
}
