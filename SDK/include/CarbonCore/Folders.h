// Folders by their purpose.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FOLDERS_H
#define AURICLE_FOLDERS_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "Files.h"
#include "MacErrors.h"

// The owner of the folder.
AURICLE_ENUM(SInt16) {
  kOnSystemDisk = -32768,       // as kUserDomain
  kOnAppropriateDisk = -32767,  // as kUserDomain
  kSystemDomain = -32766,
  kLocalDomain = -32765,
  kNetworkDomain = -32764,      // has no folders
  kUserDomain = -32763,
};

AURICLE_ENUM(OSType) {
  kApplicationSupportFolderType = 0x61737570,  // 'asup', XDG_DATA_HOME
  kPreferencesFolderType = 0x70726566,         // 'pref', XDG_CONFIG_HOME
  kCachedDataFolderType = 0x63616368,          // 'cach', XDG_CACHE_HOME
  kTemporaryFolderType = 0x74656d70,           // 'temp', TMPDIR
  kDocumentsFolderType = 0x646f6373,           // 'docs'
  kDesktopFolderType = 0x6465736b,             // 'desk'
  kCurrentUserFolderType = 0x63757372,         // 'cusr'
  kAudioComponentsFolderType = 0x61636d70,     // 'acmp'
  kAudioSoundBanksFolderType = 0x62616e6b,     // 'bank'
  kUserSpecificTmpFolderType = 0x75746d70,     // 'utmp', as kTemporaryFolderType
  kChewableItemsFolderType = 0x666c6e74,       // 'flnt', as kTemporaryFolderType
  // Without a place here.
  kDomainLibraryFolderType = 0x646c6962,       // 'dlib'
  kAudioSupportFolderType = 0x6164696f,        // 'adio'
  kAudioPlugInsFolderType = 0x61706c67,        // 'aplg'
  kAudioPresetsFolderType = 0x61707374,        // 'apst'
  kAudioSoundsFolderType = 0x61736e64,         // 'asnd'
};

#define kMusicDocumentsFolderType ((OSType)0xb5646f63)

enum { kCreateFolder = 1, kDontCreateFolder = 0 };

// Writes the path of a folder that a variable names, or that lies below another; 0 where it does not fit.
static inline int AuricleFolderPath(
    char *path, size_t size, const char *variable, const char *base, const char *name) {
  const char *given = variable ? getenv(variable) : NULL;
  int length;
  if (given && given[0] == '/') {
    length = snprintf(path, size, "%s", given);
  } else {
    if (!base) return 0;
    length = snprintf(path, size, "%s%s", base, name);
  }
  return length > 0 && (size_t)length < size;
}

// Writes the path of a folder of the machine.
static inline int AuricleMachineFolderPath(char *path, size_t size, SInt16 domain, OSType folder) {
  const char *prefix = domain == kLocalDomain ? "/usr/local" : "/usr";
  switch (folder) {
    case kApplicationSupportFolderType: return AuricleFolderPath(path, size, NULL, prefix, "/share");
    case kPreferencesFolderType: return AuricleFolderPath(path, size, NULL, "/etc", "");
    case kAudioComponentsFolderType:
      return AuricleFolderPath(path, size, NULL, prefix, "/lib/auricle/Components");
    case kAudioSoundBanksFolderType:
      return AuricleFolderPath(path, size, NULL, prefix, "/share/sounds/sf2");
    default: return 0;
  }
}

// A reference to a folder of the user, or of the machine. -43 (fnfErr) for one that is not there, or has no
// place here; -50 (paramErr) for a null pointer.
static inline OSErr FSFindFolder(
    SInt16 domain, OSType folder, Boolean createFolder, FSRef *reference) {
  char path[4096];
  const char *home = getenv("HOME");
  int isFound = 0;
  if (!reference) return paramErr;
  if (folder == kTemporaryFolderType || folder == kUserSpecificTmpFolderType || folder == kChewableItemsFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "TMPDIR", "/tmp", "");
  else if (domain == kNetworkDomain)
    return fnfErr;
  else if (domain == kLocalDomain || domain == kSystemDomain)
    isFound = AuricleMachineFolderPath(path, sizeof(path), domain, folder);
  else if (folder == kApplicationSupportFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "XDG_DATA_HOME", home, "/.local/share");
  else if (folder == kPreferencesFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "XDG_CONFIG_HOME", home, "/.config");
  else if (folder == kCachedDataFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "XDG_CACHE_HOME", home, "/.cache");
  else if (folder == kDocumentsFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, home, "/Documents");
  else if (folder == kMusicDocumentsFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, home, "/Music");
  else if (folder == kDesktopFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, home, "/Desktop");
  else if (folder == kCurrentUserFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, home, "");
  else if (folder == kAudioComponentsFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, home, "/.local/lib/auricle/Components");
  else if (folder == kAudioSoundBanksFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, home, "/.local/share/sounds/sf2");
  if (!isFound) return fnfErr;
  if (createFolder) (void)mkdir(path, 0700);
  return (OSErr)FSPathMakeRef((const UInt8 *)path, reference, NULL);
}

#endif
