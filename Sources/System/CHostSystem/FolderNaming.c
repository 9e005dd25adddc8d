// Equality of names in a folder: by the kind of its file system, by the flag of folders that fold case, or by trying.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "FolderNaming.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef FS_CASEFOLD_FL
#define FS_CASEFOLD_FL 0x40000000
#endif

// Numbers of file systems, as statfs(2) returns them.
static bool foldsAlways(unsigned long type) {
  switch (type) {
    case 0x4d44:      // FAT
    case 0x2011bab0:  // exFAT
    case 0x5346544e:  // NTFS
    case 0x7366746e:  // NTFS, the newer driver
    case 0xf995e849:  // HPFS
    case 0x482b:      // HFS+
    case 0x4244:      // HFS
    case 0xff534d42:  // CIFS
    case 0xfe534d42:  // SMB 2 and 3
    case 0x517b:      // SMB
    case 0xadf5:      // ADFS
    case 0x786f4256:  // folders shared with a virtual machine
      return true;
    default: return false;
  }
}

/// Writes a name in the other case; false when it has no letters for that.
static bool swapCase(const char *name, char *swapped, size_t size) {
  bool isOther = false;
  size_t length = strlen(name);
  if (length >= size) return false;
  for (size_t index = 0; index <= length; index++) {
    char letter = name[index];
    bool isLetter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    swapped[index] = isLetter ? letter ^ 0x20 : letter;
    isOther |= isLetter;
  }
  return isOther;
}

static bool lists(DIR *directory, const char *name) {
  rewinddir(directory);
  for (struct dirent *entry; (entry = readdir(directory));)
    if (strcmp(entry->d_name, name) == 0) return true;
  return false;
}

/// Whether an existing entry can also be reached by its name in the other case, which no list has.
///
/// File systems of user space and of virtual machines have one number each, independent of how they
/// fold names.
static bool foldsWhatIsThere(int folder) {
  int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *directory = again < 0 ? NULL : fdopendir(again);
  if (!directory) {
    if (again >= 0) close(again);
    return false;
  }
  bool folds = false;
  struct dirent *entry;
  for (int seen = 0; seen < 64 && (entry = readdir(directory)); seen++) {
    char swapped[NAME_MAX + 1];
    if (!swapCase(entry->d_name, swapped, sizeof swapped)) continue;
    struct stat status;
    if (fstatat(folder, swapped, &status, AT_SYMLINK_NOFOLLOW) == 0) folds = !lists(directory, swapped);
    break;
  }
  closedir(directory);
  return folds;
}

bool AuricleFolderFoldsNames(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  struct statfs system;
  bool folds = fstatfs(folder, &system) == 0 && foldsAlways((unsigned long)system.f_type & 0xffffffffUL);
  int flags = 0;
  if (!folds && ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0) folds = (flags & FS_CASEFOLD_FL) != 0;
  if (!folds) folds = foldsWhatIsThere(folder);
  close(folder);
  return folds;
}
