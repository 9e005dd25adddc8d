// A program that hands files around as references: from paths and URLs, and back.
// SPDX-License-Identifier: Apache-2.0
//
// It ends with 1 and prints the first thing that is not as it must be.

#include <CoreServices/CoreServices.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      printf("line %d: not so: %s\n", __LINE__, #condition);                \
      return 1;                                                             \
    }                                                                       \
  } while (0)

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
  // Numbers that were never given out.
  memset(folder.hidden + 8, 0xff, 8);
  CHECK(FSRefMakePath(&folder, path, sizeof(path)) == paramErr);
  return 0;
}
