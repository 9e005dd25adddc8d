// Folders by what they are for.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FOLDERS_H
#define AURICLE_FOLDERS_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "Files.h"
#include "MacErrors.h"

// Whose folder.
AURICLE_ENUM(SInt16) {
  kLocalDomain = -32765,
  kUserDomain = -32763,
};

AURICLE_ENUM(OSType) {
  kApplicationSupportFolderType = 0x61737570,  // 'asup', XDG_DATA_HOME
  kPreferencesFolderType = 0x70726566,         // 'pref', XDG_CONFIG_HOME
  kCachedDataFolderType = 0x63616368,          // 'cach', XDG_CACHE_HOME
  kTemporaryFolderType = 0x74656d70,           // 'temp', TMPDIR
  kDocumentsFolderType = 0x646f6373,           // 'docs'
};

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

// A reference to a folder of the user, or of the machine. -43 (fnfErr) for one that is not there, or has no
// place here; -50 (paramErr) for a null pointer.
static inline OSErr FSFindFolder(
    SInt16 domain, OSType folder, Boolean createFolder, FSRef *reference) {
  char path[4096];
  const char *home = getenv("HOME");
  int isFound = 0;
  if (!reference) return paramErr;
  if (folder == kTemporaryFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "TMPDIR", "/tmp", "");
  else if (domain == kLocalDomain && folder == kApplicationSupportFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, "/usr/local/share", "");
  else if (domain == kLocalDomain && folder == kPreferencesFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, "/etc", "");
  else if (domain == kLocalDomain)
    return fnfErr;
  else if (folder == kApplicationSupportFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "XDG_DATA_HOME", home, "/.local/share");
  else if (folder == kPreferencesFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "XDG_CONFIG_HOME", home, "/.config");
  else if (folder == kCachedDataFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), "XDG_CACHE_HOME", home, "/.cache");
  else if (folder == kDocumentsFolderType)
    isFound = AuricleFolderPath(path, sizeof(path), NULL, home, "/Documents");
  if (!isFound) return fnfErr;
  if (createFolder) (void)mkdir(path, 0700);
  return (OSErr)FSPathMakeRef((const UInt8 *)path, reference, NULL);
}

#endif
