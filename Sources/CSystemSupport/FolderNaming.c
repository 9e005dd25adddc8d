// How a folder takes names: by the kind of its file system, and by the flag of folders that fold case.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "FolderNaming.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef FS_CASEFOLD_FL
#define FS_CASEFOLD_FL 0x40000000
#endif

// Numbers of file systems, as statfs(2) tells them.
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

bool AuricleFolderFoldsNames(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  struct statfs system;
  bool folds = fstatfs(folder, &system) == 0 && foldsAlways((unsigned long)system.f_type & 0xffffffffUL);
  int flags = 0;
  if (!folds && ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0) folds = (flags & FS_CASEFOLD_FL) != 0;
  close(folder);
  return folds;
}
